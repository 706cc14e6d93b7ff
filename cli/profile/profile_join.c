// SPDX-License-Identifier: GPL-2.0-only
/* Adds the stacks of one profile to another: see profile_join.h. */
#include <errno.h>
#include <stdlib.h>

#include "profile/profile_join.h"

static u32 join_object(struct profile_join *join, u32 at)
{
	const struct profile_object *object = &join->from->objects[at];

	return join->add_object ? join->add_object(join->context, object) : profile_add_object(join->to, object);
}

u32 profile_join_function(struct profile_join *join, u32 at)
{
	struct profile_function function = join->from->functions[at];

	if (at < PROFILE_MARK_COUNT || join->functions[at])
		return at < PROFILE_MARK_COUNT ? at : join->functions[at];
	function.object = join_object(join, function.object);
	if (function.object == PROFILE_NONE)
		return PROFILE_NONE;
	join->functions[at] = profile_add_function(join->to, &function);
	return join->functions[at];
}

static u32 join_frame(struct profile_join *join, u32 at)
{
	struct profile_frame frame = join->from->frames[at];

	if (profile_is_mark(at) || join->frames[at])
		return profile_is_mark(at) ? at : join->frames[at];
	frame.function = profile_join_function(join, frame.function);
	if (frame.function == PROFILE_NONE)
		return PROFILE_NONE;
	join->frames[at] = profile_add_frame(join->to, &frame);
	return join->frames[at];
}

static u32 join_process(struct profile_join *join, u32 at)
{
	const struct profile_process *process = &join->from->processes[at];

	if (!join->processes[at])
		join->processes[at] = 1 + (join->add_process ? join->add_process(join->context, process) :
						       profile_add_process(join->to, process));
	return join->processes[at] - 1;
}

static int join_stack(struct profile_join *join, const struct profile_stack *stack)
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

static int join_stacks(struct profile_join *join)
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

int profile_join_init(struct profile_join *join, struct profile *to, const struct profile *from)
{
	*join = (struct profile_join){
		.to = to, .from = from,
		.functions = calloc(from->nr_functions + 1UL, sizeof(u32)),
		.frames = calloc(from->nr_frames + 1UL, sizeof(u32)),
		.processes = calloc(from->nr_processes + 1UL, sizeof(u32)),
		.list = calloc(from->frame_lists_len + 1UL, sizeof(u32)),
	};
	return join->functions && join->frames && join->processes && join->list ? 0 : -ENOMEM;
}

int profile_join_all(struct profile_join *join)
{
	int error = join_stacks(join);

	if (!error)
		join_totals(join->to, join->from);
	return error;
}

void profile_join_deinit(struct profile_join *join)
{
	free(join->functions);
	free(join->frames);
	free(join->processes);
	free(join->list);
}

int profile_join(struct profile *to, const struct profile *from)
{
	struct profile_join join;
	int error = profile_join_init(&join, to, from) ?: profile_join_all(&join);

	profile_join_deinit(&join);
	return error;
}
