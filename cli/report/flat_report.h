/* SPDX-License-Identifier: GPL-2.0-only */
/* The flat profile as commands show it: its options, and the report. */
#ifndef FLAT_REPORT_H
#define FLAT_REPORT_H

#include "profile/stack_run.h"
#include "report/flat_view.h"

/** The options as they were given. Begins as all zeros. */
struct flat_report {
	struct output_options output;
	struct flat_view view;
	const char *group_path;
	struct groups *groups;
	bool has_bars, has_unsampled, is_fetched;
};

extern const struct option_spec flat_report_specs[];	/* of a struct flat_report */

/** flat_report_check() - once all are known. -EINVAL: they exclude each other. Reads the groups. */
int flat_report_check(struct flat_report *flat, const struct options_rest *rest,
		      struct text_error *error_ret);

/** flat_report_show() - print it on standard output. -errno with a reason. */
int flat_report_show(struct flat_report *flat, const struct stack_run *stacks,
		     struct text_error *error_ret);

/** flat_report_deinit() - free the groups. */
void flat_report_deinit(struct flat_report *flat);

#endif
