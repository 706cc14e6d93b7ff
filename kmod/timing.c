// SPDX-License-Identifier: GPL-2.0-only
/* Timing of calls: see timing.h. */
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include "session.h"
#include "timing.h"
#include "tracepoints.h"

/* Bytes of a node, with what all CPUs share. */
#define NODE_BYTES	(sizeof(struct node_time) + sizeof(struct call_node) + 2 * sizeof(u32))

/* The kind of interrupt that runs, or LEVELS: a task. */
static __always_inline u32 current_level(void)
{
	u32 count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return LEVELS;
	if (count & NMI_MASK)
		return LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return LEVEL_IRQ;
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? LEVELS : LEVEL_SOFTIRQ;
}

/* The innermost call that this one, of an interrupt, has interrupted; NULL: none is timed. */
static struct chain *notrace interrupted_chain(struct timing *timing, u32 level)
{
	u32 count = preempt_count();
	struct chain *irq = &timing_here(timing)->level[LEVEL_IRQ];
	struct chain *softirq = &timing_here(timing)->level[LEVEL_SOFTIRQ], *task;

	if (level > LEVEL_IRQ && count & HARDIRQ_MASK && irq->innermost)
		return irq;
	if (level > LEVEL_SOFTIRQ && count & SOFTIRQ_OFFSET && softirq->innermost)
		return softirq;
	task = chains_find(&timing->chains, current);
	return task && task->innermost ? task : NULL;
}

static void notrace leave_interrupt(struct timing *timing, u32 level, u64 ns)
{
	struct chain *chain = interrupted_chain(timing, level);

	/* One instruction: the interrupted handler may be at the same sum. */
	if (chain)
		local_add(ns, (local_t *)&chain->away.interrupted_ns);
}

/* The node of a call that no other call contains, in the tree of its process. */
static u32 notrace process_of_call(struct timing *timing, u32 level)
{
	u32 node;

	if (level != LEVELS)
		return nodes_get(&timing->nodes, NODE_ROOT, CPUPROBE_NODE_INTERRUPTS, 0);
	node = nodes_get(&timing->nodes, NODE_ROOT, CPUPROBE_NODE_PROCESS, task_tgid_nr(current));
	if (node)
		nodes_name(&timing->nodes, node, current->group_leader->comm);
	return node;
}

/* Whether a function is hooked to measure the cost. */
static __always_inline bool is_own(const struct timing *timing, u32 type, u32 what)
{
	return type == CPUPROBE_NODE_FUNCTION && what >= timing->nr_functions;
}

/* Node 0 stands for no parent, and as an answer for no room. */
static u32 notrace node_of_call(struct timing *timing, const struct open_call *outer, u32 level,
				u32 type, u32 what)
{
	u32 parent = 0;

	if (timing->has_paths && outer)
		parent = outer->node;
	else if (timing->has_processes)
		parent = process_of_call(timing, level) ?: timing->no_room;
	if (parent == timing->no_room)
		return parent;
	if (!parent && type == CPUPROBE_NODE_FUNCTION)
		return what + 1;
	return nodes_get(&timing->nodes, parent, type, what) ?: timing->no_room;
}

static __always_inline struct chain *chain_of_call(struct timing *timing, u32 level)
{
	if (likely(level == LEVELS))
		return chains_get(&timing->chains, current);
	return &timing_here(timing)->level[level];
}

static void notrace miss(struct timing *timing, u32 type, u32 what)
{
	u32 node = type == CPUPROBE_NODE_FUNCTION ? what + 1 : timing->no_room;

	local_inc(&timing_here(timing)->time[node].missed);
}

bool notrace timing_begin(struct timing *timing, struct open_call *call, u32 type, u32 what)
{
	u64 entered_ns = timing->has_paths ? ktime_get_mono_fast_ns() : 0;
	struct timing_cpu *here = timing_here(timing);
	u32 level = current_level();
	struct chain *chain;

	if (unlikely(gate_spend(&here->gate)))
		gate_judge(&timing->gate, &here->gate);
	if (timing->is_filtered && !gate_lets(&timing->gate, &here->gate) &&
	    !is_own(timing, type, what))
		return false;
	chain = chain_of_call(timing, level);
	if (unlikely(!chain)) {
		miss(timing, type, what);
		return false;
	}
	if (!call)
		call = &chain->syscall;
	call->node = node_of_call(timing, chain->innermost, level, type, what);
	/* The search for a node is part of the cost, but calls of our own are found at one place. */
	if (unlikely(is_own(timing, type, what)))
		call->node = what + 1;
	chain_push(chain, call, what, entered_ns);
	local_inc(&here->time[call->node].calls);
	call->begun_ns = ktime_get_mono_fast_ns();
	if (!timing->has_paths)
		call->entered_ns = call->begun_ns;
	return true;
}

/* The largest and the smallest: an interrupt may count at the same time, so try again. */
static void notrace extend_range(struct node_time *sums, long ns)
{
	long old = local_read(&sums->max_ns);

	while (ns > old) {
		long found = local_cmpxchg(&sums->max_ns, old, ns);

		if (found == old)
			break;
		old = found;
	}
	old = local_read(&sums->min_ns);
	while (!old || ns + 1 < old) {
		long found = local_cmpxchg(&sums->min_ns, old, ns + 1);

		if (found == old)
			break;
		old = found;
	}
}

/* A call's time without the cost of timing it and its timed callees. */
static long notrace corrected_ns(const struct timing *timing, const struct open_call *call,
				 u64 wall_ns)
{
	u64 cost_ns = timing->own_ns + call->descendants * timing->cost_ns;

	return wall_ns > cost_ns ? wall_ns - cost_ns : 0;
}

/* Sums over calls that no call of the same function contains. */
static void notrace credit_outermost(const struct timing *timing, struct node_time *sums,
				     const struct open_call *call, const struct call_time *time)
{
	long ns = corrected_ns(timing, call, time->wall_ns);

	local_add(time->wall_ns, &sums->wall_ns);
	if (unlikely(time->away.blocked_ns))
		local_add(time->away.blocked_ns, &sums->blocked_ns);
	if (unlikely(time->away.preempted_ns))
		local_add(time->away.preempted_ns, &sums->preempted_ns);
	if (unlikely(time->away.interrupted_ns))
		local_add(time->away.interrupted_ns, &sums->interrupted_ns);
	local_add(call->descendants, &sums->descendants);
	local_inc(&sums->bins[min_t(u32, fls64(ns), CPUPROBE_TIME_BINS - 1)]);
	extend_range(sums, ns);
}

static void notrace credit(const struct timing *timing, struct node_time *sums,
			   const struct open_call *call, const struct call_time *time)
{
	local_inc(&sums->ended);
	local_add(time->net_ns, &sums->net_ns);
	local_add(call->children, &sums->children);
	if (unlikely(time->is_recursive && !timing->has_paths))
		local_inc(&sums->recursive);
	else
		credit_outermost(timing, sums, call, time);
}

/* The outermost call of a chain has ended. */
static void notrace end_chain(struct timing *timing, struct chain *chain, u64 wall_ns)
{
	u32 level = current_level();

	if (likely(level == LEVELS))
		chains_leave(&timing->chains, chain);
	else
		leave_interrupt(timing, level, wall_ns);
}

void notrace timing_end(struct timing *timing, struct open_call *call, bool is_error)
{
	u64 now_ns = ktime_get_mono_fast_ns(), left_ns = now_ns;
	struct node_time *sums = &timing_here(timing)->time[call->node];
	struct chain *chain = call->chain;
	struct call_time time;

	chain_measure(call, now_ns, &time);
	credit(timing, sums, call, &time);
	if (unlikely(is_error))
		local_inc(&sums->errors);
	if (timing->has_paths)
		left_ns = ktime_get_mono_fast_ns();
	chain_pop(call, left_ns);
	if (!chain->innermost)
		end_chain(timing, chain, left_ns - call->entered_ns);
}

void notrace timing_end_syscall(struct timing *timing, bool is_error)
{
	struct chain *chain = chains_find(&timing->chains, current);

	if (chain && chain->innermost == &chain->syscall)
		timing_end(timing, &chain->syscall, is_error);
}

/* Run queue locked, interrupts off. A task that is dead leaves its calls open. */
static void notrace switch_out(struct timing *timing, struct task_struct *task, u64 now_ns,
			       bool is_preempted)
{
	struct chain *chain = chains_find(&timing->chains, task);

	if (likely(!chain))
		return;
	if (unlikely(READ_ONCE(task->__state) == TASK_DEAD))
		chains_leave(&timing->chains, chain);
	else
		chain_switch_out(chain, now_ns, is_preempted);
}

static void notrace on_switch(void *data, bool is_preempted, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct timing *timing = data;
	struct chain *chain;
	u64 now_ns;

	if (!gate_is_open(&timing->gate))
		return;
	now_ns = ktime_get_mono_fast_ns();
	switch_out(timing, prev, now_ns, is_preempted || !prev_state);
	chain = chains_find(&timing->chains, next);
	if (chain)
		chain_switch_in(chain, now_ns);
}

int timing_watch(struct timing *timing)
{
	int error = tracepoints_register("sched_switch", on_switch, timing);

	timing->sees_switches = !error;
	return error;
}

void timing_unwatch(struct timing *timing)
{
	if (!timing->sees_switches)
		return;
	tracepoints_unregister("sched_switch", on_switch, timing);
	timing->sees_switches = false;
}

static int allocate_nodes(struct timing *timing, u32 nr_max)
{
	struct call_node *node = __vmalloc(array_size(nr_max + 1, sizeof(*node)),
				      SESSION_GFP | __GFP_ZERO);
	u32 *place = __vmalloc(array_size(nodes_places(nr_max), sizeof(*place)),
			       SESSION_GFP | __GFP_ZERO);

	nodes_init(&timing->nodes, node, place, nr_max);
	return node && place ? 0 : -ENOMEM;
}

static int allocate_chains(struct timing *timing, u64 bytes)
{
	u64 nr = max_t(u64, div64_u64(bytes, sizeof(struct chain) + sizeof(long)), CHAINS_SEARCH);
	unsigned long *task;
	struct chain *chain;

	nr = rounddown_pow_of_two(nr);
	task = __vmalloc(nr * sizeof(*task), SESSION_GFP | __GFP_ZERO);
	chain = __vmalloc(nr * sizeof(*chain), SESSION_GFP | __GFP_ZERO);
	chains_init(&timing->chains, task, chain, nr);
	return task && chain ? 0 : -ENOMEM;
}

static int allocate_cpus(struct timing *timing, u32 nr_max)
{
	unsigned int cpu;

	timing->cpu = alloc_percpu_gfp(struct timing_cpu, SESSION_GFP);
	if (!timing->cpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct node_time *time = __vmalloc(array_size(nr_max + 1, sizeof(*time)),
						   SESSION_GFP | __GFP_ZERO);

		if (!time)
			return -ENOMEM;
		per_cpu_ptr(timing->cpu, cpu)->time = time;
	}
	return 0;
}

int timing_allocate(struct timing *timing, u64 bytes, u32 nr_functions, u32 nr_own)
{
	u32 nr_max = div64_u64(bytes / 4 * 3, NODE_BYTES), i;
	int error;

	/* The node for all that find no room, and one more. */
	if (nr_functions + nr_own + 2 > nr_max)
		return -ENOSPC;
	error = allocate_nodes(timing, nr_max) ?: allocate_cpus(timing, nr_max) ?:
		allocate_chains(timing, bytes / 4 * num_possible_cpus());
	if (error)
		return error;
	for (i = 0; i < nr_functions + nr_own; i++)
		nodes_append(&timing->nodes, CPUPROBE_NODE_FUNCTION, i);
	timing->nr_functions = nr_functions;
	timing->no_room = nodes_append(&timing->nodes, CPUPROBE_NODE_NO_ROOM, 0);
	return 0;
}

void timing_free(struct timing *timing)
{
	unsigned int cpu;

	vfree(timing->nodes.node);
	vfree(timing->nodes.place);
	vfree(timing->chains.task);
	vfree(timing->chains.chain);
	if (timing->cpu)
		for_each_possible_cpu(cpu)
			vfree(per_cpu_ptr(timing->cpu, cpu)->time);
	free_percpu(timing->cpu);
	timing->cpu = NULL;
}
