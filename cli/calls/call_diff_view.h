/* SPDX-License-Identifier: GPL-2.0-only */
/* The comparison of two runs with calls, as text, tab-separated values and JSON. */
#ifndef CALL_DIFF_VIEW_H
#define CALL_DIFF_VIEW_H

#include "base/columns.h"
#include "calls/call_diff.h"

#define CALL_DIFF_ROWS		20	/* in text, by default */

/** Columns of rows of struct call_diff_row; the view is a struct call_diff. */
extern const struct column_list call_diff_column_list;

/**
 * call_diff_view_show() - write the comparison.
 * @runs: both, for the heading; @paths: their names
 * @nr_rows: rows in text; 0: CALL_DIFF_ROWS
 * -errno with a reason: nothing was printed.
 */
int call_diff_view_show(FILE *out, const struct call_diff *diff, const struct call_run runs[2],
			const char *const paths[2], u64 nr_rows,
			const struct output_options *options, struct text_error *error_ret);

#endif
