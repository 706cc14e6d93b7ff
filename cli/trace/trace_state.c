// SPDX-License-Identifier: GPL-2.0-only
/* State of the accounting between two events: see trace_state.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/trace_state.h"

static bool has_tid(const void *owner, u32 position, const void *key)
{
	return ((const struct trace_state *)owner)->runners[position].tid == *(const u32 *)key;
}

static u32 add_runner(struct trace_state *state, u32 tid)
{
	const char *task = state->choice ? state->choice->task : NULL;

	if (!array_has_room(&state->runners, state->nr_runners, sizeof(*state->runners)))
		return TRACE_NONE;
	state->runners[state->nr_runners] = (struct trace_runner){
		.tid = tid, .cpu = TRACE_NONE, .chain.top = TRACE_NONE,
		.is_chosen = !task || trace_has_task(state->trace, task, tid),
	};
	return state->nr_runners++;
}

bool trace_choice_has_cpu(const struct trace_choice *choice, u32 cpu)
{
	u32 i;

	if (!choice || !choice->cpus)
		return true;
	for (i = 0; i < choice->nr_cpus; i++)
		if (choice->cpus[i] == cpu)
			return true;
	return false;
}

int trace_state_init(struct trace_state *state)
{
	const struct trace *trace = state->trace;
	u32 i, level, nr = trace->nr_cpus;

	state->pool.free = TRACE_NONE;
	state->cores = calloc(nr + 1, sizeof(*state->cores));
	if (!state->cores)
		return -ENOMEM;
	for (i = 0; i < 2 * nr; i++)
		if (add_runner(state, i < nr ? 0 : TRACE_NONE) == TRACE_NONE)
			return -ENOMEM;
	for (i = 0; i < nr; i++) {
		struct trace_core *core = &state->cores[i];

		core->runner = nr + i;
		core->is_counted = trace_choice_has_cpu(state->choice, trace->cpus[i].cpu);
		for (level = 0; level < TRACE_LEVELS; level++)
			core->chains[level].top = TRACE_NONE;
	}
	return 0;
}

void trace_state_deinit(struct trace_state *state)
{
	free(state->pool.frames);
	free(state->runners);
	free(state->cores);
	intern_deinit(&state->index);
}

u32 trace_state_runner(struct trace_state *state, u32 tid, u32 cpu)
{
	u64 hash;
	u32 at;

	if (!tid)
		return cpu;
	if (tid == TRACE_NONE)
		return state->trace->nr_cpus + cpu;
	hash = intern_hash(0, &tid, sizeof(tid));
	at = intern_find(&state->index, hash, has_tid, state, &tid);
	if (at != INTERN_NONE)
		return at;
	at = add_runner(state, tid);
	if (at == TRACE_NONE || intern_add(&state->index, hash, at)) {
		state->is_exhausted = true;
		return TRACE_NONE;
	}
	return at;
}

struct trace_runner *trace_state_current(const struct trace_state *state, u32 cpu)
{
	return &state->runners[state->cores[cpu].runner];
}

struct trace_chain *trace_state_chain(const struct trace_state *state, u32 cpu, u32 level)
{
	return level ? &state->cores[cpu].chains[level] : &trace_state_current(state, cpu)->chain;
}

/* The sum that the present of a CPU belongs to. */
static u64 *time_of(const struct trace_state *state, u32 cpu, const struct trace_chain *chain)
{
	struct trace_cpu_time *time = &state->account->cpus[cpu];
	u32 tid = trace_state_current(state, cpu)->tid;

	if (chain->top != TRACE_NONE)
		return trace_sums_is_interrupt(&state->account->sums, state->pool.frames[chain->top].node) ?
			&time->interrupts_ns : &time->net_ns;
	return !tid ? &time->idle_ns : tid == TRACE_NONE ? &time->unknown_ns : &time->outside_ns;
}

void trace_state_advance(struct trace_state *state, u32 cpu, u64 ns)
{
	struct trace_core *core = &state->cores[cpu];
	struct trace_chain *chain = trace_state_chain(state, cpu, core->active);
	u64 passed_ns;

	if (ns <= core->since_ns)
		return;
	passed_ns = ns - core->since_ns;
	core->since_ns = ns;
	if (!core->is_counted)
		return;
	chain->ran_ns += passed_ns;
	state->account->cpus[cpu].covered_ns += passed_ns;
	*time_of(state, cpu, chain) += passed_ns;
}

struct trace_moment trace_state_moment(const struct trace_state *state, u32 cpu)
{
	const struct trace_core *core = &state->cores[cpu];
	const struct trace_chain *chain = trace_state_chain(state, cpu, core->active);
	struct trace_moment moment = {
		.ns = core->since_ns, .switched_ns = core->switched_ns, .cpu = cpu, .tid = trace_state_current(state, cpu)->tid,
		.item = chain->top == TRACE_NONE ? TRACE_NONE : state->pool.frames[chain->top].item,
		.level = core->active,
	};
	u32 level;

	for (level = 0; level <= core->active; level++)
		moment.depth += trace_state_chain(state, cpu, level)->depth;
	return moment;
}

/* Ends the innermost call of a chain. */
static void close_one(struct trace_state *state, u32 cpu, struct trace_chain *chain, enum trace_how how)
{
	struct trace_call call;
	struct trace_moment moment;

	trace_sums_end(&state->account->sums, &state->pool, chain, state->cores[cpu].since_ns, how, &call);
	if (!state->watch)
		return;
	moment = trace_state_moment(state, cpu);
	state->watch->left(state->watch->context, &moment, &call);
}

void trace_state_close(struct trace_state *state, u32 cpu, u32 level, u32 nr, enum trace_how how)
{
	struct trace_chain *chain = trace_state_chain(state, cpu, level);

	for (; nr && chain->top != TRACE_NONE; nr--) {
		u8 resumes = state->pool.frames[chain->top].resumes;

		/* For the watch the level of the call is still the one that runs. */
		close_one(state, cpu, chain, how);
		if (level)
			state->cores[cpu].active = resumes;
	}
	/* The level that ran before may have nothing open any more. */
	while (state->cores[cpu].active &&
	       state->cores[cpu].chains[state->cores[cpu].active].top == TRACE_NONE)
		state->cores[cpu].active--;
}

void trace_state_close_runner(struct trace_state *state, u32 runner, u32 cpu, enum trace_how how)
{
	while (state->runners[runner].chain.top != TRACE_NONE)
		close_one(state, cpu, &state->runners[runner].chain, how);
}

void trace_state_close_interrupts(struct trace_state *state, u32 cpu, enum trace_how how)
{
	u32 level;

	for (level = TRACE_LEVELS - 1; level; level--)
		trace_state_close(state, cpu, level, UINT32_MAX, how);
}
