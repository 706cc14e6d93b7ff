/* SPDX-License-Identifier: GPL-2.0-only */
/* The summary of a trace, as in Figure 3 of McRae's paper. */
#ifndef TRACE_VIEW_H
#define TRACE_VIEW_H

#include "base/columns.h"
#include "trace/trace_rows.h"

extern const struct column_list trace_column_list;

/** Options of the summary. */
struct trace_view {
	unsigned int sort;		/* enum trace_sort */
	u64 nr_rows;			/* 0: all */
	const char *hist;		/* glob of functions to draw histograms of; NULL: none */
	const char *group_path;		/* file of groups; NULL: none */
	struct groups *groups;		/* what it says */
	struct output_options output;
};

extern const struct option_spec trace_view_specs[];	/* for a struct trace_view */

/** trace_view_show() - print the summary on @out. -errno with a reason: nothing was printed. */
int trace_view_show(FILE *out, const struct trace_account *account, const struct trace_view *view,
		    struct text_error *error_ret);

/** trace_view_warn() - warn on stderr of missing events, missed calls, an early end, and of the clock. */
void trace_view_warn(const struct trace_account *account);

/** trace_view_warn_clock() - warn on stderr if the clocks of CPUs may differ. */
void trace_view_warn_clock(const struct trace *trace);

#endif
