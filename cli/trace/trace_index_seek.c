// SPDX-License-Identifier: GPL-2.0-only
/* Using the index of a trace: see trace_index.h. Nothing in a file is believed. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "trace/trace_index.h"
#include "trace/trace_index_parts.h"

/** The rest of a point. */
struct reading {
	struct trace_state *state;
	const char *next;
	size_t left;
};

static int take(struct reading *reading, void *part_ret, size_t len)
{
	if (reading->left < len)
		return -EBADMSG;
	memcpy(part_ret, reading->next, len);
	reading->next += len;
	reading->left -= len;
	return 0;
}

static int load_chain(const struct index_chain *saved, struct trace_chain *chain)
{
	if (saved->depth > TRACE_DEPTH_MAX)
		return -EBADMSG;
	*chain = (struct trace_chain){
		.top = TRACE_NONE, .depth = saved->depth, .ran_ns = saved->ran_ns,
		.blocked_ns = saved->blocked_ns, .preempted_ns = saved->preempted_ns,
	};
	return 0;
}

static int load_core(struct reading *reading, struct trace_cursor *cursor, u32 cpu, u32 nr_runners)
{
	struct trace_core *core = &reading->state->cores[cpu];
	const struct trace_cpu *of_cpu = &reading->state->trace->cpus[cpu];
	struct index_core saved;
	u32 level;
	int error = take(reading, &saved, sizeof(saved));

	if (error || saved.slot > of_cpu->nr_slots || saved.runner >= nr_runners || saved.active >= TRACE_LEVELS)
		return -EBADMSG;
	core->since_ns = saved.since_ns;
	core->switched_ns = saved.switched_ns;
	core->runner = saved.runner;
	core->active = saved.active;
	core->has_begun = saved.has_begun;
	for (level = 1; !error && level < TRACE_LEVELS; level++)
		error = load_chain(&saved.chains[level - 1], &core->chains[level]);
	if (of_cpu->nr_slots) {
		cursor->next = reading->state->trace->slots + of_cpu->at + saved.slot;
		cursor->ns = saved.next_ns;
	}
	return error;
}

/* Threads get the positions that they had. */
static int load_runner(struct reading *reading, u32 position)
{
	struct trace_state *state = reading->state;
	struct index_runner saved;
	struct trace_runner *runner;
	int error = take(reading, &saved, sizeof(saved));

	if (error)
		return error;
	if (position >= 2 * state->trace->nr_cpus &&
	    (!saved.tid || saved.tid == TRACE_NONE ||
	     trace_state_runner(state, saved.tid, 0) != position))
		return state->is_exhausted ? -ENOMEM : -EBADMSG;
	runner = &state->runners[position];
	if (saved.tid != runner->tid || (saved.cpu != TRACE_NONE && saved.cpu >= state->trace->nr_cpus))
		return -EBADMSG;
	runner->cpu = saved.cpu;
	runner->off_ns = saved.off_ns;
	runner->left = saved.left;
	runner->has_left = saved.has_left;
	runner->is_new = saved.is_new;
	runner->has_execed = saved.has_execed;
	return load_chain(&saved.chain, &runner->chain);
}

static int load_frame(struct reading *reading, struct trace_frame *frame)
{
	struct trace_state *state = reading->state;
	struct index_frame saved;
	int error = take(reading, &saved, sizeof(saved));

	if (error || saved.kind > TRACE_SOFTIRQ || saved.resumes >= TRACE_LEVELS ||
	    (saved.kind == TRACE_FUNCTION && saved.number >= state->trace->nr_functions))
		return -EBADMSG;
	*frame = (struct trace_frame){
		.node = trace_sums_node(&state->account->sums, saved.kind, saved.number), .sp = saved.sp,
		.below = TRACE_NONE, .item = TRACE_NONE, .began_ns = saved.began_ns, .ran_ns = saved.ran_ns,
		.blocked_ns = saved.blocked_ns, .preempted_ns = saved.preempted_ns,
		.callees_ns = saved.callees_ns, .children = saved.children,
		.descendants = saved.descendants, .flags = saved.flags, .resumes = saved.resumes,
	};
	return frame->node == TRACE_NONE ? -ENOMEM : 0;
}

/* Counts the calls of programs from each call of a chain down. */
static void count_user_calls(struct trace_pool *pool, const struct trace_chain *chain)
{
	u32 at, nr = 0;

	for (at = chain->top; at != TRACE_NONE; at = pool->frames[at].below)
		nr += !!(pool->frames[at].flags & TRACE_FRAME_USER);
	for (at = chain->top; at != TRACE_NONE; at = pool->frames[at].below) {
		pool->frames[at].nr_user = nr;
		nr -= !!(pool->frames[at].flags & TRACE_FRAME_USER);
	}
}

/* The open calls of a chain; those of threads that were not chosen are left out. */
static int load_frames(struct reading *reading, struct trace_chain *chain, bool is_chosen)
{
	struct trace_pool *pool = &reading->state->pool;
	u32 nr = chain->depth, above = TRACE_NONE;
	struct trace_frame frame;
	int error = 0;

	if (!is_chosen)
		chain->depth = 0;
	for (; !error && nr; nr--) {
		error = load_frame(reading, &frame);
		if (error || !is_chosen)
			continue;
		if (!array_has_room(&pool->frames, pool->nr, sizeof(*pool->frames)))
			return -ENOMEM;
		*(above == TRACE_NONE ? &chain->top : &pool->frames[above].below) = pool->nr;
		above = pool->nr;
		pool->frames[pool->nr++] = frame;
	}
	count_user_calls(pool, chain);
	return error;
}

static int load_all_frames(struct reading *reading)
{
	struct trace_state *state = reading->state;
	u32 i, level;
	int error = 0;

	for (i = 0; i < state->trace->nr_cpus; i++)
		for (level = 1; !error && level < TRACE_LEVELS; level++)
			error = load_frames(reading, &state->cores[i].chains[level], true);
	for (i = 0; !error && i < state->nr_runners; i++)
		error = load_frames(reading, &state->runners[i].chain, state->runners[i].is_chosen);
	return error ?: reading->left ? -EBADMSG : 0;
}

/* The last point before a time; its header. NULL: there is none. */
static const char *find_point(const struct trace *trace, u64 from_ns, struct index_point *point_ret)
{
	const char *found = NULL, *next = trace->index;
	size_t left = trace->index_len;
	struct index_point point;

	for (; left >= sizeof(point); next += point.bytes, left -= point.bytes) {
		memcpy(&point, next, sizeof(point));
		if (point.ns >= from_ns || point.bytes < sizeof(point) || point.bytes > left)
			break;
		found = next;
		*point_ret = point;
	}
	return found;
}

/* The heap again has the CPUs with events, the earliest first. */
static void sort_merge(struct trace_merge *merge, u32 nr_cpus)
{
	u32 i;

	merge->nr_left = 0;
	for (i = 0; i < nr_cpus; i++)
		if (merge->cursors[i].next != merge->cursors[i].end)
			merge->heap[merge->nr_left++] = i;
	trace_merge_sort(merge);
}

int trace_index_seek(struct trace_state *state, struct trace_merge *merge, u64 from_ns)
{
	struct index_point point;
	const char *found = find_point(state->trace, from_ns, &point);
	struct reading reading = { state, found, 0 };
	u32 i, nr_cpus = state->trace->nr_cpus;
	int error = 0;

	if (!found)
		return 0;
	reading.next += sizeof(point);
	reading.left = point.bytes - sizeof(point);
	state->gap_ns = point.gap_ns;
	if (point.nr_runners < 2 * nr_cpus)
		return -EBADMSG;
	for (i = 0; !error && i < nr_cpus; i++)
		error = load_core(&reading, &merge->cursors[i], i, point.nr_runners);
	for (i = 0; !error && i < point.nr_runners; i++)
		error = load_runner(&reading, i);
	error = error ?: load_all_frames(&reading);
	sort_merge(merge, nr_cpus);
	return error;
}
