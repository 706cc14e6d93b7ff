/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the commands about background runs: see background/holder.h. */
#ifndef BACKGROUND_COMMAND_H
#define BACKGROUND_COMMAND_H

#include "background/holder.h"
#include "calls_report.h"
#include "command.h"
#include "report/debug_names.h"
#include "report/flat_report.h"
#include "saved_report.h"
#include "stacks/stacks_options.h"

/** A command that saves or shows what a background run has counted. */
struct background_counts {
	const struct background_kind *kind;	/* kind of the run, if it could be asked */
	struct text_error unasked;		/* or why it could not; "" */
	char calls_flags[16], code[16];	/* lines of its status, which say what its report can have; "" */
	const char *save;			/* file; NULL: show */
	double last_seconds;			/* 0: all */
	u64 count;				/* executions; 0: not given */
	struct flat_report stacks;		/* how each kind is shown */
	struct saved_report_options other;
	struct calls_report calls;
};

#define BACKGROUND(field)	offsetof(struct background_counts, field)

extern const struct option_spec background_last_specs[];	/* -last */
extern const struct option_spec background_save_specs[];	/* -save */
extern const struct option_spec background_specs[];	/* -background of a kind's command: a name */

/* Lists of options of a command that saves or shows counts, whatever the kind of the run. */
#define BACKGROUND_OPTIONS \
	{ background_save_specs, 0 }, \
	{ columns_specs, BACKGROUND(stacks.output) }, \
	{ form_specs, BACKGROUND(stacks.output) }, \
	{ count_specs, BACKGROUND(count), "a run of stacks" }, \
	{ flat_report_specs, BACKGROUND(stacks), "a run of stacks" }, \
	{ debug_names_specs, BACKGROUND(stacks.is_fetched) }, \
	{ table_specs, BACKGROUND(other.table), "a run of sys" }, \
	{ proc_view_specs, BACKGROUND(other.proc), "a run of proc" }, \
	{ call_view_specs, BACKGROUND(calls.view), "a run of calls" }, \
	{ calls_report_specs, BACKGROUND(calls), "a run of calls" }, \
	{ export_path_specs, BACKGROUND(other.exports), "a run of calls" }, \
	{ export_page_specs, BACKGROUND(other.exports), "a run of sys or proc" }, \
	{ output_specs, BACKGROUND(other.output) }

/** Columns of all kinds; NULL-terminated. */
extern const struct column_list *const background_columns[];

/** background_name() - name of the run on the command line, or the default name. */
const char *background_name(const struct options_rest *rest);

/** background_check_name() - implement command.check for commands with a name only. */
int background_check_name(void *self, const struct options_rest *rest,
			  struct text_error *error_ret);

/** background_start() - start a run, see holder_start(), and say so. Returns the exit status. */
int background_start(const char *name, const struct holder_kind *kind, void *self,
		     struct sampling_options *sampling);

/**
 * background_check_start() - check the options of a command for conflicts with -background @name;
 * NULL: not given. @reports: lists of options of its report, NULL-terminated. -EINVAL.
 */
int background_check_start(const char *name, const struct options_rest *rest,
			   const struct option_spec *const *reports, struct text_error *error_ret);

/** background_order() - send a request without an answer to a run. Returns the exit status. */
int background_order(const char *request, const struct options_rest *rest);

/** background_choose() - implement command.choose_options: ask the run for its kind. */
int background_choose(const struct command *command, void *self, char **argv,
		      const struct option_list **lists_ret, struct text_error *error_ret);

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
 * background_status_value() - copy the value of the first line "KEY<tab>VALUE" of a status; "" if there is none.
 * Returns @value, which is made plain: it may be another user's.
 */
const char *background_status_value(const char *status, const char *key, char *value, size_t len);

/**
 * background_print_status() - ask a run for its status and print it, with what only some kinds of runs have. Returns
 * the exit status.
 */
int background_print_status(const char *name);

#endif
