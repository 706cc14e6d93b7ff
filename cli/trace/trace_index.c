// SPDX-License-Identifier: GPL-2.0-only
/* Making the index of a trace: see trace_index.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace_index.h"
#include "trace/trace_index_parts.h"

static int add(struct trace_index *index, const void *bytes, size_t len)
{
	if (index->len + len > index->room) {
		size_t room = 2 * index->room + len;
		char *more = realloc(index->bytes, room);

		if (!more)
			return -ENOMEM;
		index->bytes = more;
		index->room = room;
	}
	memcpy(index->bytes + index->len, bytes, len);
	index->len += len;
	return 0;
}

static struct index_chain save_chain(const struct trace_chain *chain)
{
	return (struct index_chain){
		.ran_ns = chain->ran_ns, .blocked_ns = chain->blocked_ns,
		.preempted_ns = chain->preempted_ns, .depth = chain->depth,
	};
}

static int add_cores(struct trace_index *index, const struct trace_state *state,
		     const struct trace_merge *merge)
{
	u32 i, level;
	int error = 0;

	for (i = 0; !error && i < state->trace->nr_cpus; i++) {
		const struct trace_core *core = &state->cores[i];
		const struct trace_cursor *cursor = &merge->cursors[i];
		struct index_core saved = {
			.next_ns = cursor->ns, .since_ns = core->since_ns, .switched_ns = core->switched_ns,
			.runner = core->runner, .active = core->active, .has_begun = core->has_begun,
		};

		if (cursor->next)
			saved.slot = cursor->next - (state->trace->slots + state->trace->cpus[i].at);
		for (level = 1; level < TRACE_LEVELS; level++)
			saved.chains[level - 1] = save_chain(&core->chains[level]);
		error = add(index, &saved, sizeof(saved));
	}
	return error;
}

static int add_runners(struct trace_index *index, const struct trace_state *state)
{
	u32 i;
	int error = 0;

	for (i = 0; !error && i < state->nr_runners; i++) {
		const struct trace_runner *runner = &state->runners[i];
		const struct index_runner saved = {
			.tid = runner->tid, .cpu = runner->cpu, .off_ns = runner->off_ns, .left = runner->left,
			.has_left = runner->has_left, .is_new = runner->is_new,
			.has_execed = runner->has_execed, .chain = save_chain(&runner->chain),
		};

		error = add(index, &saved, sizeof(saved));
	}
	return error;
}

/* The open calls of a chain, the innermost first. */
static int add_frames(struct trace_index *index, const struct trace_state *state, const struct trace_chain *chain)
{
	u32 at = chain->top;
	int error = 0;

	for (; !error && at != TRACE_NONE; at = state->pool.frames[at].below) {
		const struct trace_frame *frame = &state->pool.frames[at];
		const struct trace_more *more = &state->account->sums.more[frame->node];
		const struct index_frame saved = {
			.kind = more->kind, .number = more->number, .sp = frame->sp, .flags = frame->flags,
			.resumes = frame->resumes, .began_ns = frame->began_ns, .ran_ns = frame->ran_ns,
			.blocked_ns = frame->blocked_ns, .preempted_ns = frame->preempted_ns,
			.callees_ns = frame->callees_ns, .children = frame->children,
			.descendants = frame->descendants,
		};

		error = add(index, &saved, sizeof(saved));
	}
	return error;
}

static int add_all_frames(struct trace_index *index, const struct trace_state *state)
{
	u32 i, level;
	int error = 0;

	for (i = 0; i < state->trace->nr_cpus; i++)
		for (level = 1; !error && level < TRACE_LEVELS; level++)
			error = add_frames(index, state, &state->cores[i].chains[level]);
	for (i = 0; !error && i < state->nr_runners; i++)
		error = add_frames(index, state, &state->runners[i].chain);
	return error;
}

int trace_index_add(struct trace_index *index, const struct trace_state *state, const struct trace_merge *merge)
{
	struct index_point point = {
		.ns = merge->cursors[merge->heap[0]].ns, .gap_ns = state->gap_ns,
		.nr_runners = state->nr_runners,
	};
	size_t at = index->len;
	int error = add(index, &point, sizeof(point)) ?: add_cores(index, state, merge) ?:
		add_runners(index, state) ?: add_all_frames(index, state);

	if (error)
		return error;
	point.bytes = index->len - at;
	memcpy(index->bytes + at, &point, sizeof(point));
	return 0;
}
