/* SPDX-License-Identifier: GPL-2.0-only */
/* The comparison of two runs with stacks, as text, tab-separated values and JSON. */
#ifndef STACK_DIFF_VIEW_H
#define STACK_DIFF_VIEW_H

#include "base/columns.h"
#include "base/execution.h"
#include "sys/diff.h"

#define STACK_DIFF_ROWS		20	/* of each table in text, by default */

/** The view of the columns; rows are of struct diff_row. */
struct stack_diff_table {
	const struct diff *diff;
	const struct execution_unit *unit;	/* of times per execution */
};

extern const struct column_list stack_diff_column_list;

/**
 * stack_diff_view_show() - write the comparison. Parameters are those of diff_view_show().
 * @executions: of both runs; 0: unknown
 * -ENOMEM, which is printed.
 */
int stack_diff_view_show(FILE *out, const struct diff *diff, const char *const paths[2],
			 const u64 executions[2], u64 nr_rows,
			 const struct output_options *options);

#endif
