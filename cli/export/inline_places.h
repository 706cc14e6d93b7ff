/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses with the functions that were inlined there, for formats in which they are one entry. The
 * frames of an address are consecutive in a stack, the innermost inlined function first.
 */
#ifndef INLINE_PLACES_H
#define INLINE_PLACES_H

#include "profile/profile.h"

struct inline_place {
	const u32 *frames;	/* in the profile's list; the last one contains the others */
	u32 nr;			/* at least 2 */
};

struct inline_places {
	const struct profile *profile;
	struct inline_place *list;
	u32 nr;
	struct intern index;
};

/** inline_places_init() - list the addresses with inlined functions in all stacks. -ENOMEM. */
int inline_places_init(struct inline_places *places, const struct profile *profile);

/** inline_places_count() - number of frames at the address of a stack's frame @at, from there on. */
u32 inline_places_count(const struct profile *profile, const struct profile_stack *stack, u32 at);

/** inline_places_find() - position of @nr frames in the list. PROFILE_NONE: they are not in it. */
u32 inline_places_find(const struct inline_places *places, const u32 *frames, u32 nr);

void inline_places_deinit(struct inline_places *places);

#endif
