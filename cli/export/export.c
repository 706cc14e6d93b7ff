// SPDX-License-Identifier: GPL-2.0-only
/* Helpers of all export formats: see export.h. */
#include <stdlib.h>
#include <string.h>

#include "export/export.h"

const char *export_name(const char *name)
{
	return name[0] ? name : "[no name]";
}

u64 export_whole(double value)
{
	if (!(value > 0))
		return 0;
	/* As a double, INT64_MAX becomes 2^63, which does not fit. */
	return value < (double)INT64_MAX ? (u64)(value + 0.5) : INT64_MAX;
}

/* Names are interned: equal names have equal pointers. */
static int compare_names(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int compare_stacks(const struct profile *profile, const struct profile_stack *a,
			  const struct profile_stack *b)
{
	const u32 *frames_a = profile_frames_of(profile, a);
	const u32 *frames_b = profile_frames_of(profile, b);
	u32 left_a = a->nr_frames, left_b = b->nr_frames;
	int order = compare_names(profile->processes[a->process].name,
				  profile->processes[b->process].name);

	while (!order && left_a && left_b) {
		u32 frame_a = frames_a[--left_a], frame_b = frames_b[--left_b];

		if (frame_a != frame_b)
			order = compare_names(profile_function_of(profile, frame_a)->name,
					      profile_function_of(profile, frame_b)->name);
	}
	return order ? order : (left_a > left_b) - (left_a < left_b);
}

static int compare_positions(const void *a_at, const void *b_at, void *profile_at)
{
	const struct profile *profile = profile_at;
	u32 a = *(const u32 *)a_at, b = *(const u32 *)b_at;
	int order = compare_stacks(profile, &profile->stacks[a], &profile->stacks[b]);

	return order ? order : (a > b) - (a < b);
}

u32 *export_order(const struct profile *profile)
{
	u32 *order = calloc(profile->nr_stacks + 1UL, sizeof(*order)), i;

	if (!order)
		return NULL;
	for (i = 0; i < profile->nr_stacks; i++)
		order[i] = i;
	qsort_r(order, profile->nr_stacks, sizeof(*order), compare_positions, (void *)profile);
	return order;
}

bool export_is_same(const struct profile *profile, u32 a, u32 b)
{
	return !compare_stacks(profile, &profile->stacks[a], &profile->stacks[b]);
}

const char **export_source(const struct profile *profile)
{
	const char **source = calloc(profile->nr_functions + 1UL, sizeof(*source));
	u32 i;

	for (i = 0; source && i < profile->nr_functions; i++)
		source[i] = "";
	for (i = 0; source && i < profile->nr_frames; i++) {
		const struct profile_frame *frame = &profile->frames[i];

		if (!source[frame->function][0])
			source[frame->function] = frame->file;
	}
	return source;
}

static bool has_name(const void *owner, u32 position, const void *key)
{
	return ((const struct profile *)owner)->processes[position].name == key;
}

u32 *export_namesakes(const struct profile *profile)
{
	u32 *first = calloc(profile->nr_processes + 1UL, sizeof(*first)), i;
	struct intern index = { 0 };

	for (i = 0; first && i < profile->nr_processes; i++) {
		const char *name = profile->processes[i].name;
		u64 hash = intern_hash(0, &name, sizeof(name));

		first[i] = intern_find(&index, hash, has_name, profile, name);
		if (first[i] != INTERN_NONE)
			continue;
		first[i] = i;
		if (intern_add(&index, hash, i)) {
			free(first);
			first = NULL;
		}
	}
	intern_deinit(&index);
	return first;
}
