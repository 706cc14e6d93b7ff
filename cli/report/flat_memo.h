/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which row the samples of a frame went into last: in a large run each frame comes again in
 * thousands of stacks, and to look a row up by its key takes far longer than all the rest. Pure.
 */
#ifndef FLAT_MEMO_H
#define FLAT_MEMO_H

#include <stdint.h>

#define FLAT_MEMO_NONE	UINT32_MAX

struct flat_memo {
	struct flat_memo_entry *entries;	/* by frame */
};

/** flat_memo_init() - for so many frames. -ENOMEM. */
int flat_memo_init(struct flat_memo *memo, uint32_t nr_frames);

/**
 * flat_memo_find() - the row of a frame in stacks of a process (PROFILE_NONE: of any), or _NONE.
 */
uint32_t flat_memo_find(const struct flat_memo *memo, uint32_t frame, uint32_t process);

/** flat_memo_keep() - remember it, in the place of what was remembered of that frame. */
void flat_memo_keep(struct flat_memo *memo, uint32_t frame, uint32_t process, uint32_t row);

void flat_memo_deinit(struct flat_memo *memo);

#endif
