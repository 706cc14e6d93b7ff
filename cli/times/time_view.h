/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of `probe calls -each`, `-paths` and `-syscalls`. */
#ifndef TIME_VIEW_H
#define TIME_VIEW_H

#include "base/columns.h"
#include "times/time_rows.h"

extern const struct column_list time_column_list;

/** Options of the report. */
struct time_view {
	enum call_sort sort;
	u64 nr_rows;			/* 0: all */
	bool has_hist;			/* a histogram of each row's times */
	const struct output_options *output;
};

/** time_view_show() - print the report on @out. -errno with a reason: nothing was printed. */
int time_view_show(FILE *out, const struct time_counts *counts, const struct time_view *view,
		   struct text_error *error_ret);

/** time_view_warn() - warn on stderr of calls that were not timed, and of timing that ended early. */
void time_view_warn(const struct time_counts *counts);

/** time_hist_print() - draw the histogram of a node's times, in lines of @cols columns. */
void time_hist_print(FILE *out, const struct time_counts *counts, const struct time_node *node,
		     int cols);

/** time_bins_json() - print the bins up to the last that is not empty, as an array. */
void time_bins_json(FILE *out, const struct time_sums *sums);

#endif
