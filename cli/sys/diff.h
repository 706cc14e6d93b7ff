/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparison of two runs, name by name. Pure. */
#ifndef DIFF_H
#define DIFF_H

#include <stdbool.h>

#include "base/stat.h"
#include "types.h"

#define DIFF_NAME_LEN 128

/** A name's counts in one run. */
struct diff_side {
	double share;		/* 0..1 */
	u64 hits;
	double block_sum;	/* sum of the name's shares in blocks */
	double block_sum2;	/* sum of the squares of these shares */
};

/** A name in both runs. */
struct diff_row {
	char name[DIFF_NAME_LEN];
	bool is_pseudo;		/* idle, lost or similar: never counts as worse */
	bool is_in[2];		/* whether the run has the name */
	struct diff_side side[2];
	struct stat_difference found;	/* p corrected for the number of rows */
};

struct diff {
	struct diff_row *row;
	u32 nr;
	u64 taken[2];
	u64 nr_blocks[2];
	bool is_sampling_only;	/* requested, or a run has fewer than two blocks */
};

/** diff_add() - add counts of @name in run @side (0 or 1). Equal names add up. -ENOMEM. */
int diff_add(struct diff *diff, int side, const char *name, bool is_pseudo,
	     const struct diff_side *counts);

/**
 * diff_finish() - compare the runs, correct p by Holm's method, sort by size of the difference.
 *
 * The variance of a share is the variance of its blocks, which includes the workload's variation
 * and the sampling error; or the sampling variance, if larger: blocks are few. -ENOMEM.
 */
int diff_finish(struct diff *diff);

/** diff_is_significant() - whether the difference is significant, at 5% for all rows together. */
bool diff_is_significant(const struct diff_row *row);

/** diff_worst() - row with the largest significant growth above @points percent points, or NULL. */
const struct diff_row *diff_worst(const struct diff *diff, double points);

void diff_deinit(struct diff *diff);

#endif
