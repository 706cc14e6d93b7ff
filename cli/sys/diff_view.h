/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparison of two runs, as text, tab-separated values and JSON. */
#ifndef DIFF_VIEW_H
#define DIFF_VIEW_H

#include "base/columns.h"
#include "sys/diff.h"

/** Columns of rows of struct diff_row; there is no view. */
extern const struct column_list diff_column_list;

/** diff_view_hosts() - write the heading of a comparison of sets of hosts, wrapped at @cols columns. */
void diff_view_hosts(FILE *out, const struct diff *diff, int cols);

/**
 * diff_view_chance() - write how many of @nr intervals of hosts are expected to miss by chance, wrapped at
 * @cols columns.
 */
void diff_view_chance(FILE *out, u64 nr, int cols);

/**
 * diff_view_whole() - write how many times as long as in A one execution takes in B, or how many times as many
 * events it has, and the speed that follows; wrapped at @cols columns. Nothing if this is unknown.
 */
void diff_view_whole(FILE *out, const struct diff *diff, int cols);

/** diff_view_rates() - write the rates of the machine in both runs, a line each. Nothing without several events. */
void diff_view_rates(FILE *out, const struct diff *diff, int cols);

/** diff_view_json_whole() - write the members about these two, each with a comma after it. */
void diff_view_json_whole(FILE *out, const struct diff *diff);

/** diff_view_test() - the test of p of sets of hosts. */
const char *diff_view_test(const struct diff *diff);

/**
 * diff_view_show() - write the comparison.
 * @paths: names of the two runs
 * @nr_rows: maximum rows of the text report; 0: all
 * -ENOMEM, which is printed.
 */
int diff_view_show(FILE *out, const struct diff *diff, const char *const paths[2], u64 nr_rows,
		   const struct output_options *options);

#endif
