// SPDX-License-Identifier: GPL-2.0-only
/* Adds the stacks of one profile to another: see profile_join.h. */
#include <errno.h>
#include <stdlib.h>

#include "profile/profile_join.h"

/** Places of a profile's parts in the other one; 0: not looked up, except marks, which are equal. */
struct join {
	struct profile *to;
	const struct profile *from;
	u32 *functions;
	u32 *frames;
	u32 *processes;		/* plus one */
	u32 *list;		/* frames of the stack being added */
};

static u32 join_function(struct join *join, u32 at)
{
	struct profile_function function = join->from->functions[at];

	if (at < PROFILE_MARK_COUNT || join->functions[at])
		return at < PROFILE_MARK_COUNT ? at : join->functions[at];
	function.object = profile_add_object(join->to, &join->from->objects[function.object]);
	if (function.object == PROFILE_NONE)
		return PROFILE_NONE;
	join->functions[at] = profile_add_function(join->to, &function);
	return join->functions[at];
}

static u32 join_frame(struct join *join, u32 at)
{
	struct profile_frame frame = join->from->frames[at];

	if (profile_is_mark(at) || join->frames[at])
		return profile_is_mark(at) ? at : join->frames[at];
	frame.function = join_function(join, frame.function);
	if (frame.function == PROFILE_NONE)
		return PROFILE_NONE;
	join->frames[at] = profile_add_frame(join->to, &frame);
	return join->frames[at];
}

static u32 join_process(struct join *join, u32 at)
{
	if (!join->processes[at])
		join->processes[at] = profile_add_process(join->to, &join->from->processes[at]) + 1;
	return join->processes[at] - 1;
}

static int join_stack(struct join *join, const struct profile_stack *stack)
{
	const u32 *frames = profile_frames_of(join->from, stack);
	u32 process, i;

	process = join_process(join, stack->process);
	if (process == PROFILE_NONE)
		return -ENOMEM;
	for (i = 0; i < stack->nr_frames; i++) {
		join->list[i] = join_frame(join, frames[i]);
		if (join->list[i] == PROFILE_NONE)
			return -ENOMEM;
	}
	return profile_add_stack(join->to, process, stack->mode, join->list, stack->nr_frames, stack->hits,
				 stack->ns);
}

static int join_stacks(struct join *join)
{
	int error = 0;
	u32 i;

	for (i = 0; i < join->from->nr_stacks && !error; i++)
		if (join->from->stacks[i].hits)
			error = join_stack(join, &join->from->stacks[i]);
	return error;
}

static void join_totals(struct profile *to, const struct profile *from)
{
	to->taken += from->taken;
	to->lost += from->lost;
	to->other += from->other;
	to->taken_ns += from->taken_ns;
	to->lost_ns += from->lost_ns;
	to->other_ns += from->other_ns;
}

int profile_join(struct profile *to, const struct profile *from)
{
	struct join join = {
		.to = to, .from = from,
		.functions = calloc(from->nr_functions + 1, sizeof(u32)),
		.frames = calloc(from->nr_frames + 1, sizeof(u32)),
		.processes = calloc(from->nr_processes + 1, sizeof(u32)),
		.list = calloc(from->frame_lists_len + 1, sizeof(u32)),
	};
	int error = -ENOMEM;

	if (join.functions && join.frames && join.processes && join.list)
		error = join_stacks(&join);
	if (!error)
		join_totals(to, from);
	free(join.functions);
	free(join.frames);
	free(join.processes);
	free(join.list);
	return error;
}
