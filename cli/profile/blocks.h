/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the shares of a profile's functions vary from one block of about a second to the next, for
 * `probe diff`: sums over all blocks, from which variances follow. A stack counts once for each
 * function in it. Pure.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "profile/profile.h"

/** Sums over blocks of a share, and of its square. -save writes this struct: its layout is fixed. */
struct block_sums {
	double self, self2;	/* in the function itself */
	double total, total2;	/* in the function or those that it called */
};

/** Samples in the current block; for blocks.c. */
struct block_hits {
	u64 self, total;
	u64 last_visit;		/* number of the last stack counted */
};

struct blocks {
	u64 nr;
	struct block_sums *sums;	/* [0]: all stacks except idle ones; then by function */
	u32 nr_sums;

	struct block_hits *hits;
	u64 nr_visits;
	u64 taken_before;		/* the profile's samples at the end of the last block */
};

/** blocks_busy() - sums of all stacks except idle ones. NULL: no block has ended. */
const struct block_sums *blocks_busy(const struct blocks *blocks);

/** blocks_of() - sums of a function. NULL: it had no samples when the last block ended. */
const struct block_sums *blocks_of(const struct blocks *blocks, u32 function);

/** blocks_add() - add samples of a stack to the current block. -ENOMEM. */
int blocks_add(struct blocks *blocks, const struct profile *profile, u32 stack, u64 hits);

/** blocks_end() - end the block. @taken: the profile's samples taken */
void blocks_end(struct blocks *blocks, u64 taken);

/** blocks_drop_sums() - free all sums, which no longer fit the profile. How many blocks there were is still known. */
void blocks_drop_sums(struct blocks *blocks);

/** blocks_deinit() - free all sums; the blocks are then empty and can be used again. */
void blocks_deinit(struct blocks *blocks);

#endif
