/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Caches the last row of each frame. In a large run, each frame occurs in thousands of stacks, and
 * looking up its row by key takes far longer than all else. Pure.
 */
#ifndef FLAT_MEMO_H
#define FLAT_MEMO_H

#include "types.h"

#define FLAT_MEMO_NONE	UINT32_MAX

struct flat_memo {
	struct flat_memo_entry *entries;	/* by frame */
};

/** flat_memo_init() - make an empty cache for @nr_frames frames. -ENOMEM. */
int flat_memo_init(struct flat_memo *memo, u32 nr_frames);

/**
 * flat_memo_find() - find the cached row of a frame in stacks of @process (PROFILE_NONE: of all).
 * FLAT_MEMO_NONE: not cached.
 */
u32 flat_memo_find(const struct flat_memo *memo, u32 frame, u32 process);

/** flat_memo_keep() - cache the row of a frame, instead of the previous one. */
void flat_memo_keep(struct flat_memo *memo, u32 frame, u32 process, u32 row);

void flat_memo_deinit(struct flat_memo *memo);

#endif
