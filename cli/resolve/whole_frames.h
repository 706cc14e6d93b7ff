/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames of whole functions, which stand for those of single instructions while a profile is nearly full. */
#ifndef WHOLE_FRAMES_H
#define WHOLE_FRAMES_H

#include "profile/profile.h"

/** The whole functions that have a frame in a profile. Begins as all zeros. */
struct whole_frames {
	u32 *frame;	/* of each function, and of it inlined; 0: not known, being a mark */
	u32 nr;
};

/**
 * whole_frames_use() - replace the frames of a list by those of their whole functions. Marks stay.
 * @list: positions in @profile; PROFILE_NONE afterwards where memory did not suffice for the frame
 *
 * Returns false, with the list unchanged, if out of memory.
 */
bool whole_frames_use(struct whole_frames *whole, struct profile *profile, u32 *list, u32 nr);

/** whole_frames_deinit() - forget all. */
void whole_frames_deinit(struct whole_frames *whole);

#endif
