/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of the calls of a trace: a node for each function, system call and interrupt that occurs. They are
 * those of timed calls (times/time_counts.h), and more that only a trace can tell. Pure.
 */
#ifndef TRACE_SUMS_H
#define TRACE_SUMS_H

#include "times/time_counts.h"
#include "trace/trace_data.h"
#include "trace/trace_chain.h"

/* Module of interrupts in call_counts; no module of the kernel is called so. */
#define TRACE_INTERRUPTS "(interrupts)"

enum trace_kind {
	TRACE_FUNCTION,		/* number of a traced function */
	TRACE_SYSCALL,		/* number of a system call */
	TRACE_IRQ,		/* as in enum cpuprobe_event_type */
	TRACE_SOFTIRQ,
	TRACE_OLDER,		/* calls that began before the trace; number of the function */
	TRACE_OLDER_SYSCALL,
};

/** How a call ended. */
enum trace_how {
	TRACE_ENDED,
	TRACE_UNWOUND,		/* the stack was unwound past it: no exit */
	TRACE_OPEN,		/* it did not: the thread or the trace ended */
};

/** More about a node than its struct time_node has. Calls in @calls = ended + cut + unwound + open. */
struct trace_more {
	u32 kind;		/* enum trace_kind */
	u32 number;
	u64 cut;		/* calls that ended, but events are missing */
	u64 unwound;
	u64 open;
	u64 tails;		/* calls that share the return of their caller */
	/* sums and extremes over the calls with a duration, without the cost of tracing */
	u64 elapsed_ns;		/* as min_ns and max_ns of the node: outermost calls */
	u64 net_ns, net_min_ns, net_max_ns;
};

struct trace_sums {
	const struct trace *trace;
	struct time_counts *counts;	/* the nodes; their wall_ns is complete, see add_times() in trace_sums.c */
	struct trace_more *more;	/* by node */
	u32 nr_more;
	u32 *node_of;			/* by function: its node plus one */
	u32 *position_of;		/* by function of the trace's names: in those of the counts */
	struct intern index;		/* nodes by kind and number, of those that are no functions */
};

/**
 * A call that has ended, or will not be followed further; times without the cost of tracing. The cost of a call's
 * own hooks is taken off if it has a duration, as in the sums of its node, which these times add up to.
 */
struct trace_call {
	u32 node;
	u32 item;
	enum trace_how how;
	u8 flags;			/* TRACE_FRAME_* */
	u64 began_ns, wall_ns;		/* as measured */
	u64 elapsed_ns, net_ns;
	u64 blocked_ns, preempted_ns;	/* when its thread was not on a CPU */
};

/** trace_sums_init() - no nodes yet. -ENOMEM: call trace_sums_deinit() all the same. */
int trace_sums_init(struct trace_sums *sums, const struct trace *trace);

void trace_sums_deinit(struct trace_sums *sums);

/** trace_sums_node() - find or add a node. TRACE_NONE: out of memory. */
u32 trace_sums_node(struct trace_sums *sums, enum trace_kind kind, u32 number);

/** trace_sums_begin() - count a call that begins, in its node. */
void trace_sums_begin(struct trace_sums *sums, const struct trace_frame *frame);

/**
 * trace_sums_end() - count the innermost call of a chain, and remove it; fills in @call_ret.
 * @now_ns: time of the trace
 */
void trace_sums_end(struct trace_sums *sums, struct trace_pool *pool, struct trace_chain *chain, u64 now_ns,
		    enum trace_how how, struct trace_call *call_ret);


/** trace_sums_is_interrupt() - whether a node is an interrupt or softirq. */
bool trace_sums_is_interrupt(const struct trace_sums *sums, u32 node);

#endif
