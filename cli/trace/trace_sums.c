// SPDX-License-Identifier: GPL-2.0-only
/* Sums of the calls of a trace: see trace_sums.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "times/syscall_names.h"
#include "trace/trace_sums.h"

static const char *const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
};

int trace_sums_init(struct trace_sums *sums, const struct trace *trace)
{
	struct call_counts *names = call_counts_create();

	*sums = (struct trace_sums){
		.trace = trace, .counts = names ? time_counts_create(names) : NULL,
		.node_of = calloc(trace->nr_functions + 1, sizeof(u32)),
		.position_of = calloc(trace->names->nr_functions + 1, sizeof(u32)),
	};
	if (!sums->counts || !sums->node_of || !sums->position_of ||
	    call_counts_merge(names, trace->names, sums->position_of))
		return -ENOMEM;
	names->totals = trace->names->totals;
	sums->counts->totals = (struct time_totals){
		CPUPROBE_CALLS_EACH, trace->totals.cost_ps, trace->totals.own_ps, trace->totals.seen_ps,
	};
	return 0;
}

void trace_sums_deinit(struct trace_sums *sums)
{
	time_counts_destroy(sums->counts);
	free(sums->more);
	free(sums->node_of);
	free(sums->position_of);
	intern_deinit(&sums->index);
	*sums = (struct trace_sums){ .nr_more = 0 };
}

/* The pseudo function of an interrupt; CALLS_NONE: out of memory. */
static u32 interrupt_function(struct call_counts *names, enum trace_kind kind, u32 number)
{
	char name[32];

	if (kind == TRACE_SOFTIRQ && number < sizeof(softirqs) / sizeof(softirqs[0]))
		snprintf(name, sizeof(name), "softirq %s", softirqs[number]);
	else if (kind == TRACE_SOFTIRQ)
		snprintf(name, sizeof(name), "softirq %u", number);
	else if (number & CPUPROBE_VECTOR)
		snprintf(name, sizeof(name), "vector 0x%x", number & ~CPUPROBE_VECTOR);
	else
		snprintf(name, sizeof(name), "irq %u", number);
	return call_counts_function(names, TRACE_INTERRUPTS, name, 0, CALL_HOOKED);
}

/* A row of its own for calls older than the trace; CALLS_NONE: out of memory. */
static u32 older_function(struct call_counts *names, u32 function)
{
	char name[512], module[512];

	if (function == CALLS_NONE)
		return CALLS_NONE;
	/* Texts move when one is added. */
	snprintf(name, sizeof(name), "%s (older)", call_counts_name(names, function));
	snprintf(module, sizeof(module), "%s", call_counts_module(names, function));
	return call_counts_function(names, module, name, 0, CALL_HOOKED);
}

static u32 function_of(struct trace_sums *sums, enum trace_kind kind, u32 number)
{
	struct call_counts *names = sums->counts->calls;

	switch (kind) {
	case TRACE_FUNCTION:
		return sums->position_of[sums->trace->functions[number].function];
	case TRACE_OLDER:
		return older_function(names, function_of(sums, TRACE_FUNCTION, number));
	case TRACE_SYSCALL:
		return syscall_names_function(names, number);
	case TRACE_OLDER_SYSCALL:
		return older_function(names, syscall_names_function(names, number));
	default:
		return interrupt_function(names, kind, number);
	}
}

static u32 add_node(struct trace_sums *sums, enum trace_kind kind, u32 number)
{
	struct time_node node = {
		.parent = CALLS_NONE, .function = function_of(sums, kind, number),
		.type = kind == TRACE_SYSCALL ? CPUPROBE_NODE_SYSCALL : CPUPROBE_NODE_FUNCTION,
	};

	if (kind == TRACE_FUNCTION)
		node.sums.missed = sums->trace->functions[number].missed;
	if (node.function == CALLS_NONE ||
	    !array_has_room(&sums->more, sums->nr_more, sizeof(*sums->more)) ||
	    time_counts_add_node(sums->counts, &node))
		return TRACE_NONE;
	sums->more[sums->nr_more] = (struct trace_more){ .kind = kind, .number = number };
	return sums->nr_more++;
}

static bool is_same_node(const void *owner, u32 position, const void *key)
{
	const struct trace_more *more = &((const struct trace_sums *)owner)->more[position];
	const u32 *wanted = key;

	return more->kind == wanted[0] && more->number == wanted[1];
}

u32 trace_sums_node(struct trace_sums *sums, enum trace_kind kind, u32 number)
{
	const u32 key[] = { kind, number };
	u64 hash;
	u32 at;

	if (kind == TRACE_FUNCTION && sums->node_of[number])
		return sums->node_of[number] - 1;
	if (kind == TRACE_FUNCTION) {
		at = add_node(sums, kind, number);
		sums->node_of[number] = at + 1;
		return at;
	}
	hash = intern_hash(0, key, sizeof(key));
	at = intern_find(&sums->index, hash, is_same_node, sums, key);
	if (at != INTERN_NONE)
		return at;
	at = add_node(sums, kind, number);
	return at == TRACE_NONE || intern_add(&sums->index, hash, at) ? TRACE_NONE : at;
}

void trace_sums_begin(struct trace_sums *sums, const struct trace_frame *frame)
{
	sums->counts->nodes[frame->node].sums.calls++;
	sums->more[frame->node].tails += !!(frame->flags & TRACE_FRAME_TAIL);
}

/* @raw_ns without the cost of so many calls. */
static u64 without_cost(u64 raw_ns, u64 own_ps, u64 others, u64 others_ps)
{
	u64 cost_ns = (own_ps + others * others_ps + 500) / 1000;

	return raw_ns > cost_ns ? raw_ns - cost_ns : 0;
}

static u32 bin_of(u64 ns)
{
	u32 bin = ns ? 64 - __builtin_clzll(ns) : 0;

	return bin < CPUPROBE_TIME_BINS ? bin : CPUPROBE_TIME_BINS - 1;
}

static void extend(u64 *min, u64 *max, u64 ns, bool is_first)
{
	if (is_first || ns < *min)
		*min = ns;
	if (is_first || ns > *max)
		*max = ns;
}

/* Counts a call that has a duration. */
static void add_duration(struct time_sums *sums, struct trace_more *more, const struct trace_call *call)
{
	extend(&more->net_min_ns, &more->net_max_ns, call->net_ns, !sums->ended);
	more->net_ns += call->net_ns;
	if (call->flags & TRACE_FRAME_RECURSIVE) {
		sums->recursive++;
	} else {
		extend(&sums->min_ns, &sums->max_ns, call->elapsed_ns, sums->ended == sums->recursive);
		more->elapsed_ns += call->elapsed_ns;
		sums->bins[bin_of(call->elapsed_ns)]++;
	}
	sums->ended++;
}

/* The times of a call belong to its node, whether or not it has a duration. */
static void add_times(struct time_sums *sums, const struct trace_frame *frame,
		      const struct trace_chain *chain, u64 elapsed_ns, u64 wall_ns)
{
	u64 blocked_ns = chain->blocked_ns - frame->blocked_ns;
	u64 preempted_ns = chain->preempted_ns - frame->preempted_ns;
	u64 accounted_ns = elapsed_ns + blocked_ns + preempted_ns;

	sums->net_ns += elapsed_ns - frame->callees_ns;
	sums->children += frame->children;
	if (frame->flags & TRACE_FRAME_RECURSIVE)
		return;
	sums->wall_ns += accounted_ns > wall_ns ? accounted_ns : wall_ns;
	sums->blocked_ns += blocked_ns;
	sums->preempted_ns += preempted_ns;
	sums->interrupted_ns += accounted_ns > wall_ns ? 0 : wall_ns - accounted_ns;
	sums->descendants += frame->descendants;
}

void trace_sums_end(struct trace_sums *sums, struct trace_pool *pool, struct trace_chain *chain, u64 now_ns,
		    enum trace_how how, struct trace_call *call_ret)
{
	const struct trace_frame *frame = &pool->frames[chain->top];
	const struct trace_totals *totals = &sums->trace->totals;
	struct time_sums *of_node = &sums->counts->nodes[frame->node].sums;
	struct trace_more *more = &sums->more[frame->node];
	u64 elapsed_ns = chain->ran_ns - frame->ran_ns;
	bool has_duration = how == TRACE_ENDED && !(frame->flags & TRACE_FRAME_CUT);
	/* As in time_net_ns(): an exit that did not come costs nothing. */
	u64 own_ps = has_duration ? totals->own_ps : 0;

	*call_ret = (struct trace_call){
		.node = frame->node, .item = frame->item, .how = how, .flags = frame->flags,
		.began_ns = frame->began_ns, .wall_ns = now_ns - frame->began_ns,
		.elapsed_ns = without_cost(elapsed_ns, own_ps, frame->descendants, totals->cost_ps),
		.net_ns = without_cost(elapsed_ns - frame->callees_ns, own_ps, frame->children,
				       totals->cost_ps - totals->seen_ps),
		.blocked_ns = chain->blocked_ns - frame->blocked_ns,
		.preempted_ns = chain->preempted_ns - frame->preempted_ns,
	};
	add_times(of_node, frame, chain, elapsed_ns, call_ret->wall_ns);
	if (how == TRACE_OPEN)
		more->open++;
	else if (how == TRACE_UNWOUND)
		more->unwound++;
	else if (!has_duration)
		more->cut++;
	else
		add_duration(of_node, more, call_ret);
	if (frame->below != TRACE_NONE) {
		struct trace_frame *caller = &pool->frames[frame->below];

		caller->callees_ns += elapsed_ns;
		caller->children++;
		caller->descendants += 1 + frame->descendants;
	}
	trace_chain_pop(pool, chain);
}

bool trace_sums_is_interrupt(const struct trace_sums *sums, u32 node)
{
	return sums->more[node].kind == TRACE_IRQ || sums->more[node].kind == TRACE_SOFTIRQ;
}
