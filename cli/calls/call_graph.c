// SPDX-License-Identifier: GPL-2.0-only
/* Counted calls as a graph: see call_graph.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_graph.h"
#include "calls/call_match.h"

/** State while a graph is made. */
struct joining {
	struct call_graph *graph;
	const struct call_counts *counts;
	const struct profile *profile;
	u32 *whole;		/* by function of the counts: the one that it is a part of */
	u32 *node;		/* by function of the counts: its function of the copy */
	u32 *counted;		/* by function of the profile: its function of the counts */
	u32 *frame;		/* by frame of the profile: its frame of the copy */
};

/* Copies everything except the stacks; positions stay. */
static struct profile *copy_code(const struct profile *profile)
{
	u64 *hits = calloc((size_t)profile->nr_stacks + 1, sizeof(*hits));
	double *ns = calloc((size_t)profile->nr_stacks + 1, sizeof(*ns));
	struct profile *copy = hits && ns ? profile_extract(profile, hits, ns) : NULL;

	free(hits);
	free(ns);
	return copy;
}

/* The object of a counted function, which may have no samples. */
static u32 get_object(struct profile *profile, const char *module)
{
	const struct profile_object made = {
		.kind = module[0] ? PROFILE_MODULE : PROFILE_KERNEL,
		.name = module[0] ? module : "kernel", .path = "",
	};
	u32 i;

	for (i = 0; i < profile->nr_objects; i++)
		if (profile->objects[i].kind == made.kind &&
		    (!module[0] || !strcmp(profile->objects[i].name, module)))
			return i;
	return profile_add_object(profile, &made);
}

static int add_function(struct joining *joining, u32 at)
{
	const struct call_counts *counts = joining->counts;
	struct profile_function function = {
		.name = call_counts_name(counts, at), .addr = counts->functions[at].addr,
		.object = get_object(joining->graph->profile, call_counts_module(counts, at)),
	};

	if (function.object == PROFILE_NONE)
		return -ENOMEM;
	joining->node[at] = profile_add_function(joining->graph->profile, &function);
	return joining->node[at] == PROFILE_NONE ? -ENOMEM : 0;
}

/* Each function of the counts becomes one of the copy: where it has samples, the one with these. */
static int join_functions(struct joining *joining)
{
	const struct call_counts *counts = joining->counts;
	int error = call_match(counts, joining->profile, joining->counted) ?:
		call_match_parts(counts, joining->whole);
	u32 i;

	if (error)
		return error;
	for (i = 0; i < counts->nr_functions; i++)
		joining->node[i] = PROFILE_NONE;
	for (i = 0; i < joining->profile->nr_functions; i++) {
		u32 at = joining->counted[i];

		if (at != CALLS_NONE && joining->whole[at] == at &&
		    !call_match_is_part(joining->profile->functions[i].name))
			joining->node[at] = i;
	}
	for (i = 0; i < counts->nr_functions; i++)
		if (joining->whole[i] == i && joining->node[i] == PROFILE_NONE &&
		    add_function(joining, i))
			return -ENOMEM;
	for (i = 0; i < counts->nr_functions; i++)
		joining->node[i] = joining->node[joining->whole[i]];
	return 0;
}

static int join_frames(struct joining *joining)
{
	struct profile *copy = joining->graph->profile;
	u32 i;

	for (i = 0; i < joining->profile->nr_frames; i++) {
		struct profile_frame frame = joining->profile->frames[i];
		u32 at = joining->counted[frame.function];

		joining->frame[i] = i;
		if (at == CALLS_NONE || joining->node[at] == frame.function)
			continue;
		frame.function = joining->node[at];
		joining->frame[i] = profile_add_frame(copy, &frame);
		if (joining->frame[i] == PROFILE_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int join_stack(const struct joining *joining, const struct profile_stack *stack, u32 *frames)
{
	const u32 *list = profile_frames_of(joining->profile, stack);
	u32 i;

	for (i = 0; i < stack->nr_frames; i++)
		frames[i] = joining->frame[list[i]];
	return profile_add_stack(joining->graph->profile, stack->process, stack->mode, frames,
				 stack->nr_frames, stack->hits, stack->ns);
}

static int join_stacks(struct joining *joining)
{
	const struct profile *profile = joining->profile;
	struct profile *copy = joining->graph->profile;
	u32 *frames = calloc((size_t)profile->frame_lists_len + 1, sizeof(*frames)), i;
	int error = frames ? 0 : -ENOMEM;

	for (i = 0; !error && i < profile->nr_stacks; i++)
		error = join_stack(joining, &profile->stacks[i], frames);
	free(frames);
	profile_copy_totals(copy, profile);
	return error;
}

static int join_arcs(struct joining *joining, const struct call_targets *targets)
{
	const struct call_counts *counts = joining->counts;
	struct call_graph *graph = joining->graph;
	u32 i;

	graph->arc = calloc((size_t)counts->nr_arcs + (targets ? targets->nr : 0) + 1,
			    sizeof(*graph->arc));
	graph->is_counted = calloc((size_t)graph->profile->nr_functions + 1,
				   sizeof(*graph->is_counted));
	if (!graph->arc || !graph->is_counted)
		return -ENOMEM;
	for (i = 0; i < counts->nr_functions; i++)
		if (counts->functions[i].state == CALL_HOOKED)
			graph->is_counted[joining->node[i]] = true;
	for (i = 0; i < counts->nr_arcs; i++)
		graph->arc[graph->nr_arcs++] = (struct call_graph_arc){
			joining->node[counts->arcs[i].caller], joining->node[counts->arcs[i].function],
			call_arc_calls(&counts->arcs[i])
		};
	for (i = 0; targets && i < targets->nr; i++)
		graph->arc[graph->nr_arcs++] = (struct call_graph_arc){
			joining->node[targets->target[i].caller],
			joining->node[targets->target[i].function], 0
		};
	return 0;
}

int call_graph_init(struct call_graph *graph, const struct call_counts *counts,
		    const struct profile *profile, double elapsed_ns,
		    const struct call_targets *targets)
{
	struct joining joining = {
		.graph = graph, .counts = counts, .profile = profile,
		.whole = calloc((size_t)counts->nr_functions + 1, sizeof(u32)),
		.node = calloc((size_t)counts->nr_functions + 1, sizeof(u32)),
		.counted = calloc((size_t)profile->nr_functions + 1, sizeof(u32)),
		.frame = calloc((size_t)profile->nr_frames + 1, sizeof(u32)),
	};
	int error = joining.whole && joining.node && joining.counted && joining.frame ? 0 : -ENOMEM;

	*graph = (struct call_graph){
		.profile = copy_code(profile),
		.counted_share = elapsed_ns > 0 ? counts->totals.counted_ns / elapsed_ns : 1,
	};
	if (!error)
		error = !graph->profile ? -ENOMEM : join_functions(&joining) ?:
			join_frames(&joining) ?: join_stacks(&joining) ?:
			join_arcs(&joining, targets);
	free(joining.whole);
	free(joining.node);
	free(joining.counted);
	free(joining.frame);
	if (error)
		call_graph_deinit(graph);
	return error;
}

void call_graph_deinit(struct call_graph *graph)
{
	profile_destroy(graph->profile);
	free(graph->arc);
	free(graph->is_counted);
	*graph = (struct call_graph){ .profile = NULL };
}
