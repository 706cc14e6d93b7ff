// SPDX-License-Identifier: GPL-2.0-only
/* Profiles with and without frames of inlined functions: see inlined.h. */
#include <stdlib.h>

#include "profile/inlined.h"

bool inlined_is_there(const struct profile *profile)
{
	u32 i;

	for (i = 0; i < profile->nr_frames; i++)
		if (profile->frames[i].is_inlined)
			return true;
	return false;
}

/* Copies code and processes, without stacks and totals. */
static struct profile *copy_code(const struct profile *profile)
{
	u64 *hits = calloc(profile->nr_stacks + 1UL, sizeof(*hits));
	double *ns = calloc(profile->nr_stacks + 1UL, sizeof(*ns));
	struct profile *copy = hits && ns ? profile_extract(profile, hits, ns) : NULL;

	free(hits);
	free(ns);
	return copy;
}

/* Replaces the inlined frames of a stack. The last frame is kept even if it is inlined. */
static u32 join_frames(struct profile *copy, const u32 *frames, u32 nr, u32 *list)
{
	u32 i, first = 0, nr_joined = 0;

	for (i = 0; i < nr; i++) {
		struct profile_frame whole = copy->frames[frames[i]];

		if (whole.is_inlined && i + 1 < nr)
			continue;
		whole.is_inlined = false;
		whole.file = copy->frames[frames[first]].file;
		whole.line = copy->frames[frames[first]].line;
		list[nr_joined++] = first == i && !copy->frames[frames[i]].is_inlined ?
			frames[i] : profile_add_frame(copy, &whole);
		if (list[nr_joined - 1] == PROFILE_NONE)
			return 0;
		first = i + 1;
	}
	return nr_joined;
}

static bool copy_stacks(struct profile *copy, const struct profile *profile, u32 *list)
{
	u32 i, nr;

	for (i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		nr = join_frames(copy, profile_frames_of(profile, stack), stack->nr_frames, list);
		if (!nr || profile_add_stack(copy, stack->process, stack->mode, list, nr,
					     stack->hits, stack->ns))
			return false;
	}
	return true;
}

struct profile *inlined_drop(const struct profile *profile)
{
	struct profile *copy = copy_code(profile);
	u32 *list = calloc(profile->frame_lists_len + 1UL, sizeof(*list));

	if (!copy || !list || !copy_stacks(copy, profile, list)) {
		profile_destroy(copy);
		free(list);
		return NULL;
	}
	free(list);
	profile_copy_totals(copy, profile);
	return copy;
}
