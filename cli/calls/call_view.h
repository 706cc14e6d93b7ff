/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of `probe calls`. */
#ifndef CALL_VIEW_H
#define CALL_VIEW_H

#include "base/columns.h"
#include "calls/call_rows.h"
#include "run/receipt.h"

extern const struct column_list call_column_list;

/** Options of the report. */
struct call_view {
	unsigned int sort;		/* enum call_sort */
	u64 nr_rows;			/* 0: all */
	bool by_arc;
	bool never;
	struct output_options output;
};

extern const struct option_spec call_view_specs[];	/* for a struct call_view */

/** Contents of the report. */
struct call_report {
	const struct call_counts *counts;
	const struct profile *profile;
	const struct receipt *receipt;	/* or NULL */
	double elapsed_seconds;		/* of sampling */
};

/** call_time_text() - callback of columns: as share_column_text(), of a time with its unit. */
const char *call_time_text(const struct column_cell *cell, char *text, size_t len);

/** call_view_check() - check options. -EINVAL with a reason. */
int call_view_check(const struct call_view *view, struct text_error *error_ret);

/** call_view_show() - print the report on @out. -errno with a reason: nothing was printed. */
int call_view_show(FILE *out, const struct call_report *report, const struct call_view *view,
		   struct text_error *error_ret);

/** call_view_warn_switched_off() - warn on stderr of calls missing since their hooks were switched off. */
void call_view_warn_switched_off(const struct call_totals *totals);

/** call_view_warn() - warn on stderr of lost calls, and of counting that ended early. */
void call_view_warn(const struct call_counts *counts);

#endif
