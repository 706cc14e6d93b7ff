/* SPDX-License-Identifier: GPL-2.0-only */
/* Two runs compared, name by name. Pure. */
#ifndef DIFF_H
#define DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stat.h"
#include "base/text.h"

#define DIFF_NAME_LEN 128

/** What one run says of a name. */
struct diff_side {
	double share;		/* 0..1 */
	uint64_t hits;
	double block_sum;	/* of its shares in blocks */
	double block_sum2;	/* of their squares */
};

/** One name. */
struct diff_row {
	char name[DIFF_NAME_LEN];
	bool is_pseudo;		/* idle, lost and the like: never worse */
	bool is_in[2];		/* whether the run knows the name at all */
	struct diff_side side[2];
	struct stat_difference found;	/* p corrected for the number of rows */
};

struct diff {
	struct diff_row *row;
	uint32_t nr;
	uint64_t taken[2];
	uint64_t nr_blocks[2];
	bool is_sampling_only;	/* asked for, or fewer than two blocks in a run */
};

/** diff_add() - add what run @side (0 or 1) says of @name; of one name several add up. */
int diff_add(struct diff *diff, int side, const char *name, bool is_pseudo,
	     const struct diff_side *said);

/**
 * diff_finish() - compare, correct by Holm, sort by the size of the difference.
 *
 * The variance of a share is that of its blocks, which has both the workload's variation and
 * the sampling error in it, or that of sampling alone where it is larger: blocks are few.
 * -ENOMEM.
 */
int diff_finish(struct diff *diff);

/** diff_is_significant() - at 5% for all rows together. */
bool diff_is_significant(const struct diff_row *row);

/** diff_worst() - the row that became worse most, by more than @points, or NULL. */
const struct diff_row *diff_worst(const struct diff *diff, double points);

void diff_deinit(struct diff *diff);

#endif
