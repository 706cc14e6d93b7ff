// SPDX-License-Identifier: GPL-2.0-only
/* Which thread runs on each CPU, and missing events: see trace_state.h. */
#include "trace/trace_state.h"

/* Any thread may have run where events are missing: those that were off a CPU then get no durations. */
static void note_gap(struct trace_state *state, u64 ns)
{
	state->account->tally.gaps++;
	if (ns > state->gap_ns)
		state->gap_ns = ns;
}

/* The thread on a CPU leaves it. */
static void leave(struct trace_state *state, u32 cpu, u8 left)
{
	struct trace_core *core = &state->cores[cpu];
	struct trace_runner *runner = trace_state_current(state, cpu);

	trace_state_close_interrupts(state, cpu, TRACE_UNWOUND);
	if (left == CPUPROBE_LEFT_DEAD)
		trace_state_close_runner(state, core->runner, cpu, TRACE_OPEN);
	runner->cpu = TRACE_NONE;
	runner->off_ns = core->since_ns;
	runner->left = left;
	runner->has_left = left != CPUPROBE_LEFT_DEAD && runner->tid && runner->tid != TRACE_NONE;
	core->runner = state->trace->nr_cpus + cpu;
}

/* A thread begins to run on a CPU that nobody runs on; returns how long it did not run. */
static u64 arrive(struct trace_state *state, u32 cpu, u32 position)
{
	struct trace_core *core = &state->cores[cpu];
	struct trace_runner *runner = &state->runners[position];
	u64 away_ns = 0;

	if (runner->cpu != TRACE_NONE && runner->cpu != cpu) {
		state->account->tally.strange++;
		trace_chain_cut(&state->pool, &runner->chain);
		trace_state_advance(state, runner->cpu, core->since_ns);
		leave(state, runner->cpu, CPUPROBE_LEFT_PREEMPTED);
	}
	if (runner->has_left) {
		away_ns = core->since_ns > runner->off_ns ? core->since_ns - runner->off_ns : 0;
		*(runner->left == CPUPROBE_LEFT_BLOCKED ? &runner->chain.blocked_ns :
		  &runner->chain.preempted_ns) += away_ns;
		if (runner->off_ns < state->gap_ns)
			trace_chain_cut(&state->pool, &runner->chain);
	}
	runner->has_left = false;
	runner->cpu = cpu;
	core->runner = position;
	return away_ns;
}

/* The thread that runs is not the expected one: a switch is missing. */
static void correct(struct trace_state *state, u32 cpu, u32 position)
{
	if (state->cores[cpu].runner == position)
		return;
	if (trace_state_current(state, cpu)->tid != TRACE_NONE) {
		state->account->tally.strange++;
		note_gap(state, state->cores[cpu].since_ns);
		trace_chain_cut(&state->pool, &trace_state_current(state, cpu)->chain);
	}
	trace_state_close_runner(state, state->trace->nr_cpus + cpu, cpu, TRACE_OPEN);
	leave(state, cpu, CPUPROBE_LEFT_PREEMPTED);
	arrive(state, cpu, position);
	trace_chain_cut(&state->pool, &state->runners[position].chain);
}

static void do_switch(struct trace_state *state, const struct trace_event *event)
{
	u32 from = trace_state_runner(state, event->data, event->cpu);
	u32 to = trace_state_runner(state, event->what, event->cpu);
	struct trace_moment moment;
	u64 away_ns;

	if (from == TRACE_NONE || to == TRACE_NONE)
		return;
	state->account->tally.switches++;
	/* A thread that another CPU already runs has left this one: clocks may differ a little. */
	if (trace_state_current(state, event->cpu)->tid != TRACE_NONE ||
	    state->runners[from].cpu == TRACE_NONE)
		correct(state, event->cpu, from);
	leave(state, event->cpu, event->left);
	away_ns = arrive(state, event->cpu, to);
	state->cores[event->cpu].switched_ns = state->cores[event->cpu].since_ns;
	if (!state->watch)
		return;
	moment = trace_state_moment(state, event->cpu);
	state->watch->happened(state->watch->context, &moment, event, away_ns);
}

static void set_running(struct trace_state *state, const struct trace_event *event)
{
	u32 position = trace_state_runner(state, event->what, event->cpu);

	if (position == TRACE_NONE)
		return;
	correct(state, event->cpu, position);
	if (event->left & CPUPROBE_EVENT_EXEC) {
		state->runners[position].has_execed = true;
		trace_calls_end_program(state, event->cpu);
	}
}

/* The events of interrupts that interrupted another event are missing. */
static void lose(struct trace_state *state, const struct trace_event *event)
{
	/* Without a number it fills the buffer before a text. */
	if (!event->what)
		return;
	state->account->tally.gaps++;
	trace_chain_cut(&state->pool, &trace_state_current(state, event->cpu)->chain);
	trace_chain_cut(&state->pool, trace_state_chain(state, event->cpu, state->cores[event->cpu].active));
	trace_state_close_interrupts(state, event->cpu, TRACE_OPEN);
}

/* A child begins empty; its number may have been another thread's. */
static void begin_thread(struct trace_state *state, const struct trace_event *event)
{
	u32 position = trace_state_runner(state, event->what, event->cpu);

	if (position == TRACE_NONE || !event->what || state->runners[position].cpu != TRACE_NONE)
		return;
	trace_state_close_runner(state, position, event->cpu, TRACE_OPEN);
	state->runners[position].has_left = false;
	state->runners[position].is_new = true;
}

bool trace_switch_event(struct trace_state *state, const struct trace_event *event)
{
	switch (event->type) {
	case CPUPROBE_EVENT_SWITCH:
		do_switch(state, event);
		return true;
	case CPUPROBE_EVENT_RUNNING:
		set_running(state, event);
		return true;
	case CPUPROBE_EVENT_LOST:
		lose(state, event);
		return true;
	case CPUPROBE_EVENT_FORK:
		begin_thread(state, event);
		return false;
	default:
		return false;
	}
}

/* The thread that ran when the events of a CPU begin. */
static u32 find_first(struct trace_state *state, u32 cpu)
{
	struct trace_cursor cursor;
	struct trace_event event;

	trace_cursor_init(&cursor, state->trace, cpu);
	while (trace_cursor_next(&cursor, &event)) {
		if (event.type == CPUPROBE_EVENT_RUNNING)
			return trace_state_runner(state, event.what, cpu);
		if (event.type == CPUPROBE_EVENT_SWITCH)
			return trace_state_runner(state, event.data, cpu);
	}
	return TRACE_NONE;
}

void trace_switch_begin(struct trace_state *state, u32 cpu)
{
	const struct trace_cpu *of_cpu = &state->trace->cpus[cpu];
	struct trace_core *core = &state->cores[cpu];
	u32 position = find_first(state, cpu);

	core->has_begun = true;
	if (of_cpu->first) {
		/* Older events were overwritten. */
		core->since_ns = state->trace->slots[of_cpu->at].head >> 16;
		if (core->since_ns > state->gap_ns)
			state->gap_ns = core->since_ns;
	}
	if (position == TRACE_NONE)
		return;
	leave(state, cpu, CPUPROBE_LEFT_PREEMPTED);
	arrive(state, cpu, position);
}
