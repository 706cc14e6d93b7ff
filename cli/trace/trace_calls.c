// SPDX-License-Identifier: GPL-2.0-only
/* The beginning and the end of calls: see trace_state.h. */
#include "trace/trace_state.h"

#define SYSCALL_ERRORS	4095u	/* results from -4095 to -1 */

/** A call that begins or ends. */
struct call {
	u32 cpu, level;
	enum trace_kind kind;
	u32 number;
	u32 sp;
	bool has_sp;
	bool is_user;		/* of a function of a program */
	bool is_uncounted;	/* see TRACE_FRAME_UNCOUNTED */
};

/* Whether a function of an interrupt calls one that the kernel counts as the thread's: irq_exit(). */
static bool is_same_stack(const struct trace_state *state, u32 cpu, u32 sp)
{
	const struct trace_chain *chain = trace_state_chain(state, cpu, state->cores[cpu].active);
	const struct trace_frame *top;

	if (chain->top == TRACE_NONE)
		return false;
	top = &state->pool.frames[chain->top];
	if (top->flags & TRACE_FRAME_NO_SP)
		return top->flags & TRACE_FRAME_UNCOUNTED;
	return top->sp - sp < TRACE_STACK_BYTES;
}

/* A thread that runs its program has left the kernel: nothing there is open. */
static void leave_kernel(struct trace_state *state, u32 cpu)
{
	trace_state_close_interrupts(state, cpu, TRACE_UNWOUND);
	trace_state_close(state, cpu, 0, trace_chain_above_user(&state->pool, trace_state_chain(state, cpu, 0)),
			  TRACE_UNWOUND);
}

void trace_calls_end_program(struct trace_state *state, u32 cpu)
{
	struct trace_runner *runner = trace_state_current(state, cpu);
	u32 top = runner->chain.top;

	if (!runner->has_execed || (top != TRACE_NONE && !(state->pool.frames[top].flags & TRACE_FRAME_USER) &&
				    state->pool.frames[top].nr_user))
		return;
	runner->has_execed = false;
	if (top != TRACE_NONE && state->pool.frames[top].nr_user)
		trace_state_close(state, cpu, 0, UINT32_MAX, TRACE_OPEN);
}

/* The level of a call that begins; ends what the stack shows to be gone. */
static u32 settle_level(struct trace_state *state, const struct call *call)
{
	struct trace_core *core = &state->cores[call->cpu];
	u32 left;

	if (call->is_user)
		leave_kernel(state, call->cpu);
	if (!call->level && core->active) {
		if (call->has_sp && is_same_stack(state, call->cpu, call->sp))
			return core->active;
		trace_state_close_interrupts(state, call->cpu, TRACE_UNWOUND);
	}
	if (call->has_sp) {
		left = trace_chain_left(&state->pool, trace_state_chain(state, call->cpu, call->level),
					call->sp, call->is_user);
		trace_state_close(state, call->cpu, call->level, left, TRACE_UNWOUND);
	}
	return call->level;
}

static void push(struct trace_state *state, const struct call *call, u32 level, u32 node)
{
	struct trace_core *core = &state->cores[call->cpu];
	struct trace_chain *chain = trace_state_chain(state, call->cpu, level);
	struct trace_moment moment;
	struct trace_frame *frame;
	u32 at;

	if (chain->depth >= TRACE_DEPTH_MAX) {
		state->account->sums.counts->nodes[node].sums.missed++;
		return;
	}
	moment = trace_state_moment(state, call->cpu);
	frame = trace_chain_push(&state->pool, chain, node, call->sp, (call->has_sp ? 0 : TRACE_FRAME_NO_SP) |
				 (call->is_uncounted ? TRACE_FRAME_UNCOUNTED : 0) |
				 (call->is_user ? TRACE_FRAME_USER : 0));
	if (!frame) {
		state->is_exhausted = true;
		return;
	}
	if (call->is_user && frame->nr_user > TRACE_USER_RETURNS_MAX)
		state->account->tally.endless++;
	frame->began_ns = core->since_ns;
	frame->resumes = core->active;
	core->active = level;
	trace_sums_begin(&state->account->sums, frame);
	if (!state->watch)
		return;
	at = chain->top;
	moment.level = level;
	state->pool.frames[at].item = state->watch->entered(state->watch->context, &moment, node,
							    frame->flags);
}

/*
 * Whether the innermost call is one of the same function at the same place of the stack: longjmp() has left
 * it. Another function there is a tail call: compilers make loops of those of the function itself.
 */
static bool is_begun_again(const struct trace_state *state, const struct call *call, u32 node)
{
	u32 top = trace_state_chain(state, call->cpu, 0)->top;

	return call->is_user && top != TRACE_NONE && state->pool.frames[top].node == node &&
		state->pool.frames[top].sp == call->sp;
}

static void begin_call(struct trace_state *state, const struct call *call)
{
	u32 level = settle_level(state, call), node;

	if (!level && !trace_state_current(state, call->cpu)->is_chosen)
		return;
	node = trace_sums_node(&state->account->sums, call->kind, call->number);
	if (node == TRACE_NONE) {
		state->is_exhausted = true;
		return;
	}
	if (is_begun_again(state, call, node))
		trace_state_close(state, call->cpu, 0, 1, TRACE_UNWOUND);
	push(state, call, level, node);
}

/* An exit without an entry. */
static void count_older(struct trace_state *state, const struct call *call)
{
	struct trace_sums *sums = &state->account->sums;
	struct trace_call older = { .item = TRACE_NONE, .how = TRACE_ENDED };
	struct trace_moment moment;

	older.node = trace_sums_node(sums, call->kind == TRACE_SYSCALL ? TRACE_OLDER_SYSCALL : TRACE_OLDER,
				     call->number);
	if (older.node == TRACE_NONE) {
		state->is_exhausted = true;
		return;
	}
	sums->counts->nodes[older.node].sums.calls++;
	if (!state->watch)
		return;
	moment = trace_state_moment(state, call->cpu);
	state->watch->left(state->watch->context, &moment, &older);
}

/* Ends a call at its exit; false: it is not open at this level. */
static bool end_at(struct trace_state *state, const struct call *call, u32 level, u32 node)
{
	u32 above = trace_chain_find(&state->pool, trace_state_chain(state, call->cpu, level), node,
				     call->sp);

	if (above == TRACE_NONE)
		return false;
	trace_state_close(state, call->cpu, level, above, TRACE_UNWOUND);
	trace_state_close(state, call->cpu, level, 1, TRACE_ENDED);
	return true;
}

static void end_call(struct trace_state *state, const struct call *call)
{
	struct trace_runner *runner = trace_state_current(state, call->cpu);
	bool is_fork = runner->is_new && call->kind == TRACE_SYSCALL;
	u32 level, node;

	node = trace_sums_node(&state->account->sums, call->kind, call->number);
	if (node == TRACE_NONE) {
		state->is_exhausted = true;
		return;
	}
	if (end_at(state, call, call->level, node))
		return;
	/* irq_exit() and the like begin at another level than they end. */
	for (level = TRACE_LEVELS; level--; )
		if (level != call->level && end_at(state, call, level, node))
			return;
	/* A new thread returns from the system call that its parent made. */
	if (is_fork)
		runner->is_new = false;
	else if (call->kind != TRACE_IRQ && call->kind != TRACE_SOFTIRQ &&
		 (call->level || runner->is_chosen))
		count_older(state, call);
}

/* Number of calls above the thread's open system call; TRACE_NONE: it has none. @node_ret: its sums */
static u32 find_syscall(const struct trace_state *state, u32 cpu, u32 *node_ret)
{
	u32 at = trace_state_chain(state, cpu, 0)->top, above = 0;

	for (; at != TRACE_NONE; at = state->pool.frames[at].below, above++) {
		*node_ret = state->pool.frames[at].node;
		if (state->account->sums.more[*node_ret].kind == TRACE_SYSCALL)
			return above;
	}
	return TRACE_NONE;
}

/* A thread has one system call at a time. After rt_sigreturn() the end has another number than the begin. */
static void end_syscall(struct trace_state *state, const struct trace_event *event, const struct call *call)
{
	struct time_sums *sums;
	u32 node, above = find_syscall(state, call->cpu, &node);
	u64 ended;

	if (above == TRACE_NONE) {
		/* The kernel's own, at the end of a followed call of a program: see CPUPROBE_EVENT_SYSCALL_END. */
		if (call->number != CPUPROBE_SYSCALL_UNKNOWN)
			end_call(state, call);
		return;
	}
	sums = &state->account->sums.counts->nodes[node].sums;
	ended = sums->ended;
	trace_state_close(state, call->cpu, 0, above, TRACE_UNWOUND);
	trace_state_close(state, call->cpu, 0, 1, TRACE_ENDED);
	if (sums->ended > ended && event->data >= -SYSCALL_ERRORS)
		sums->errors++;
}

/* A thread that makes a system call was in user mode: nothing in the kernel is open. */
static void begin_syscall(struct trace_state *state, const struct call *call)
{
	leave_kernel(state, call->cpu);
	trace_state_current(state, call->cpu)->is_new = false;
	begin_call(state, call);
}

/* Interrupts are apart from threads, also those that the kernel does not count as interrupts. */
static void irq_event(struct trace_state *state, const struct trace_event *event, struct call *call)
{
	call->kind = TRACE_IRQ;
	call->is_uncounted = event->level < TRACE_LEVEL_IRQ;
	call->level = TRACE_LEVEL_IRQ;
	if (event->type == CPUPROBE_EVENT_IRQ_BEGIN)
		begin_call(state, call);
	else
		end_call(state, call);
}

static void function_event(struct trace_state *state, const struct trace_event *event)
{
	const struct call call = {
		.cpu = event->cpu, .level = event->level, .kind = TRACE_FUNCTION, .number = event->what,
		.sp = event->data, .has_sp = true,
		.is_user = event->what < state->trace->nr_functions &&
			state->trace->functions[event->what].is_user,
	};

	if (event->what >= state->trace->nr_functions)
		state->account->tally.invalid++;
	else if (event->type == CPUPROBE_EVENT_ENTRY)
		begin_call(state, &call);
	else
		end_call(state, &call);
	trace_calls_end_program(state, event->cpu);
}

bool trace_calls_event(struct trace_state *state, const struct trace_event *event)
{
	struct call call = { .cpu = event->cpu, .level = event->level, .number = event->what };

	switch (event->type) {
	case CPUPROBE_EVENT_ENTRY:
	case CPUPROBE_EVENT_EXIT:
		function_event(state, event);
		return true;
	case CPUPROBE_EVENT_IRQ_BEGIN:
	case CPUPROBE_EVENT_IRQ_END:
		irq_event(state, event, &call);
		return true;
	case CPUPROBE_EVENT_SOFTIRQ_BEGIN:
		call.kind = TRACE_SOFTIRQ;
		begin_call(state, &call);
		return true;
	case CPUPROBE_EVENT_SOFTIRQ_END:
		call.kind = TRACE_SOFTIRQ;
		end_call(state, &call);
		return true;
	case CPUPROBE_EVENT_SYSCALL_BEGIN:
		call.kind = TRACE_SYSCALL;
		begin_syscall(state, &call);
		return true;
	case CPUPROBE_EVENT_SYSCALL_END:
		call.kind = TRACE_SYSCALL;
		end_syscall(state, event, &call);
		trace_calls_end_program(state, event->cpu);
		return true;
	default:
		return false;
	}
}
