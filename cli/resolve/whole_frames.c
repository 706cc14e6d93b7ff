// SPDX-License-Identifier: GPL-2.0-only
/* Frames of whole functions: see whole_frames.h. */
#include <stdlib.h>
#include <string.h>

#include "resolve/whole_frames.h"

/* Makes room for the frames of all functions and some more. */
static bool make_room(struct whole_frames *whole, u32 nr_functions)
{
	u32 room = nr_functions + nr_functions / 2;
	u32 *more;

	if (2 * nr_functions <= whole->nr)
		return true;
	more = reallocarray(whole->frame, room, 2 * sizeof(*more));
	if (!more)
		return false;
	memset(more + whole->nr, 0, (2 * room - whole->nr) * sizeof(*more));
	whole->frame = more;
	whole->nr = 2 * room;
	return true;
}

/* Adds the frame of a whole function, without a line. PROFILE_NONE: out of memory. */
static u32 add_frame(struct profile *profile, const struct profile_frame *part)
{
	return profile_add_frame(profile, &(struct profile_frame){
		.function = part->function, .is_inlined = part->is_inlined,
		.addr = profile->functions[part->function].addr });
}

/* Returns the frame of a frame's whole function. */
static u32 get_frame(struct whole_frames *whole, struct profile *profile, u32 frame)
{
	const struct profile_frame *part = &profile->frames[frame];
	u32 at = 2 * part->function + part->is_inlined;

	if (!whole->frame[at]) {
		frame = add_frame(profile, part);
		if (frame == PROFILE_NONE)
			return frame;
		whole->frame[at] = frame;
	}
	return whole->frame[at];
}

bool whole_frames_use(struct whole_frames *whole, struct profile *profile, u32 *list, u32 nr)
{
	u32 i;

	if (!make_room(whole, profile->nr_functions))
		return false;
	for (i = 0; i < nr; i++)
		if (!profile_is_mark(list[i]))
			list[i] = get_frame(whole, profile, list[i]);
	return true;
}

void whole_frames_deinit(struct whole_frames *whole)
{
	free(whole->frame);
	*whole = (struct whole_frames){ .nr = 0 };
}
