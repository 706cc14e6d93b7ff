// SPDX-License-Identifier: GPL-2.0-only
/* Sums of a profile: see sums.h. */
#include <errno.h>
#include <stdlib.h>

#include "profile/sums.h"

/** Position + 1 of the last stack counted for each function and object. */
struct seen {
	u32 *function;
	u32 *object;
};

static void sum_add(struct sum *sum, const struct profile_stack *stack)
{
	sum->hits += stack->hits;
	sum->ns += stack->ns;
}

static void add_sum_once(struct sum *sums, u32 *seen, u32 at, u32 nr,
			 const struct profile_stack *stack)
{
	if (seen[at] == nr)
		return;
	seen[at] = nr;
	sum_add(&sums[at], stack);
}

static void add_stack_to_sums(struct sums *sums, const struct profile *profile, u32 at,
			      const struct seen *seen)
{
	const struct profile_stack *stack = &profile->stacks[at];
	const u32 *frames = profile_frames_of(profile, stack);
	u32 leaf = profile->frames[frames[0]].function, i;

	sum_add(&sums->function_self[leaf], stack);
	sum_add(&sums->object_self[profile->functions[leaf].object], stack);
	sum_add(&sums->process[stack->process], stack);
	sum_add(leaf == MARK_IDLE ? &sums->idle : &sums->mode[stack->mode], stack);
	for (i = 0; i < stack->nr_frames; i++) {
		u32 function = profile->frames[frames[i]].function;

		add_sum_once(sums->function_total, seen->function, function, at + 1, stack);
		add_sum_once(sums->object_total, seen->object, profile->functions[function].object,
			     at + 1, stack);
	}
}

int sums_init(struct sums *sums, const struct profile *profile)
{
	struct seen seen = {
		.function = calloc(profile->nr_functions + 1UL, sizeof(u32)),
		.object = calloc(profile->nr_objects + 1UL, sizeof(u32)),
	};
	bool has_memory;
	u32 i;

	*sums = (struct sums){
		.function_self = calloc(profile->nr_functions + 1UL, sizeof(struct sum)),
		.function_total = calloc(profile->nr_functions + 1UL, sizeof(struct sum)),
		.object_self = calloc(profile->nr_objects + 1UL, sizeof(struct sum)),
		.object_total = calloc(profile->nr_objects + 1UL, sizeof(struct sum)),
		.process = calloc(profile->nr_processes + 1UL, sizeof(struct sum)),
	};
	has_memory = seen.function && seen.object && sums->function_self && sums->function_total &&
		sums->object_self && sums->object_total && sums->process;
	for (i = 0; has_memory && i < profile->nr_stacks; i++)
		add_stack_to_sums(sums, profile, i, &seen);
	free(seen.function);
	free(seen.object);
	if (!has_memory)
		sums_deinit(sums);
	return has_memory ? 0 : -ENOMEM;
}

void sums_deinit(struct sums *sums)
{
	free(sums->function_self);
	free(sums->function_total);
	free(sums->object_self);
	free(sums->object_total);
	free(sums->process);
	*sums = (struct sums){ 0 };
}
