/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the commands about background runs: see background/holder.h. */
#ifndef BACKGROUND_COMMAND_H
#define BACKGROUND_COMMAND_H

#include "background/holder.h"
#include "command.h"
#include "report/debug_names.h"
#include "report/flat_report.h"
#include "stacks/stacks_options.h"

/** A command that saves or shows what a background run has counted. */
struct background_counts {
	const char *save;		/* file; NULL: show */
	double last_seconds;		/* 0: all */
	u64 count;			/* executions; 0: not given */
	struct flat_report report;	/* how it is shown */
};

#define BACKGROUND(field)	offsetof(struct background_counts, field)

extern const struct option_spec background_save_specs[];	/* -save */

/* Lists of options of a command that saves or shows counts. */
#define BACKGROUND_OPTIONS \
	{ background_save_specs, 0 }, \
	{ count_specs, BACKGROUND(count) }, \
	{ flat_report_specs, BACKGROUND(report) }, \
	{ debug_names_specs, BACKGROUND(report.is_fetched) }, \
	{ columns_specs, BACKGROUND(report.output) }, \
	{ form_specs, BACKGROUND(report.output) }

/** background_name() - name of the run on the command line, or the default name. */
const char *background_name(const struct options_rest *rest);

/** background_check_name() - implement command.check for commands with a name only. */
int background_check_name(void *self, const struct options_rest *rest,
			  struct text_error *error_ret);

/** background_start() - start a run, see holder_start(), and say so. Returns the exit status. */
int background_start(const char *name, const struct holder_kind *kind, void *self,
		     struct sampling_options *sampling);

/** background_order() - send a request without an answer to a run. Returns the exit status. */
int background_order(const char *request, const struct options_rest *rest);

/** background_check() - implement command.check. @self: a struct background_counts */
int background_check(void *self, const struct options_rest *rest, struct text_error *error_ret);

/**
 * background_get() - save or show what a run has counted. Returns the exit status.
 * @request: to the run's holder, see background/control.h: "dump", "dump SECONDS" or "stop"
 */
int background_get(struct background_counts *counts, const char *request, const char *name);

/** background_deinit() - implement command.deinit. @self: a struct background_counts */
void background_deinit(void *self);

/**
 * background_print_status() - print a line with the status of a run. Returns the exit status.
 * @has_titles: print titles above it
 */
int background_print_status(const char *name, bool has_titles);

#endif
