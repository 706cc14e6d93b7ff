/* SPDX-License-Identifier: GPL-2.0-only */
/* The flat profile as a report of commands: its options and output. */
#ifndef FLAT_REPORT_H
#define FLAT_REPORT_H

#include "profile/stack_run.h"
#include "report/flat_view.h"

/** Options given by the user. Begins as all zeros. */
struct flat_report {
	struct output_options output;
	struct flat_view view;
	const char *group_path;
	struct groups *groups;
	bool has_bars, has_unsampled, is_fetched;
};

extern const struct option_spec flat_report_specs[];	/* for a struct flat_report */

/** flat_report_check() - check all options, read the groups file. -EINVAL, or OPTIONS_UNREAD of the file; a reason. */
int flat_report_check(struct flat_report *flat, const struct options_rest *rest,
		      struct text_error *error_ret);

/** flat_report_show() - print the report on standard output. -errno with a reason. */
int flat_report_show(struct flat_report *flat, const struct stack_run *stacks,
		     struct text_error *error_ret);

/** flat_report_deinit() - free the groups. */
void flat_report_deinit(struct flat_report *flat);

#endif
