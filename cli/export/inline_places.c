// SPDX-License-Identifier: GPL-2.0-only
/* Addresses with inlined functions: see inline_places.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/inline_places.h"

u32 inline_places_count(const struct profile *profile, const struct profile_stack *stack, u32 at)
{
	const u32 *frames = profile_frames_of(profile, stack);
	u32 nr = 1;

	while (at + nr < stack->nr_frames && profile->frames[frames[at + nr - 1]].is_inlined)
		nr++;
	return nr;
}

static bool is_place(const void *owner, u32 position, const void *key_at)
{
	const struct inline_place *place = &((const struct inline_places *)owner)->list[position];
	const struct inline_place *key = key_at;

	return place->nr == key->nr &&
	       !memcmp(place->frames, key->frames, key->nr * sizeof(*key->frames));
}

static u64 hash_place(const struct inline_place *place)
{
	return intern_hash(0, place->frames, place->nr * sizeof(*place->frames));
}

u32 inline_places_find(const struct inline_places *places, const u32 *frames, u32 nr)
{
	const struct inline_place key = { frames, nr };

	return intern_find(&places->index, hash_place(&key), is_place, places, &key);
}

static int add_place(struct inline_places *places, const struct inline_place *place)
{
	if (inline_places_find(places, place->frames, place->nr) != INTERN_NONE)
		return 0;
	if (!array_has_room(&places->list, places->nr, sizeof(*place)) ||
	    intern_add(&places->index, hash_place(place), places->nr))
		return -ENOMEM;
	places->list[places->nr++] = *place;
	return 0;
}

static int add_stack_places(struct inline_places *places, const struct profile_stack *stack)
{
	const u32 *frames = profile_frames_of(places->profile, stack);
	int error = 0;
	u32 at, nr;

	for (at = 0; !error && at < stack->nr_frames; at += nr) {
		nr = inline_places_count(places->profile, stack, at);
		if (nr > 1)
			error = add_place(places, &(struct inline_place){ frames + at, nr });
	}
	return error;
}

int inline_places_init(struct inline_places *places, const struct profile *profile)
{
	int error = 0;
	u32 i;

	*places = (struct inline_places){ .profile = profile };
	for (i = 0; !error && i < profile->nr_stacks; i++)
		error = add_stack_places(places, &profile->stacks[i]);
	if (error)
		inline_places_deinit(places);
	return error;
}

void inline_places_deinit(struct inline_places *places)
{
	free(places->list);
	intern_deinit(&places->index);
	*places = (struct inline_places){ 0 };
}
