/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the parts of `probe diff`: cmd_diff.c compares tables, diff_stacks.c runs with stacks. */
#ifndef DIFF_COMMAND_H
#define DIFF_COMMAND_H

#include "base/output.h"
#include "sys/diff.h"

#define EXIT_WORSE	3

struct diff_options {
	struct output_options output;
	u64 nr_rows;		/* 0: all */
	bool is_sampling_only;
	double worse_points;	/* NAN: not given */
};

/** diff_warn_of_short_runs() - warn that runs of less than two blocks do not show how they vary. */
void diff_warn_of_short_runs(const struct diff *diff, const struct diff_options *options);

/**
 * diff_have_stacks() - whether both files are runs with stacks. Unreadable files are not; reading
 * them again gives the reason.
 */
bool diff_have_stacks(const char *const paths[2]);

/** diff_compare_stacks() - compare two such runs. Returns the exit status. */
int diff_compare_stacks(const char *const paths[2], const struct diff_options *options);

#endif
