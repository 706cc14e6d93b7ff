/* SPDX-License-Identifier: GPL-2.0-only */
/* Two runs compared, as text, tab-separated values and JSON. */
#ifndef DIFF_VIEW_H
#define DIFF_VIEW_H

#include "base/columns.h"
#include "sys/diff.h"

/** The columns: rows are struct diff_row; there is no view. */
extern const struct column_list diff_column_list;

/**
 * diff_view_show() - write the comparison.
 * @paths: what the two runs are called
 * @nr_rows: of text: so many; 0: all
 * -ENOMEM, reported.
 */
int diff_view_show(FILE *out, const struct diff *diff, const char *const paths[2],
		   uint64_t nr_rows, const struct output_options *options);

#endif
