// SPDX-License-Identifier: GPL-2.0-only
/* Timing of calls: see timing.h. */
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "identity.h"
#include "session.h"
#include "timing.h"
#include "tracepoints.h"

/* Bytes of a node, with what all CPUs share. */
#define NODE_BYTES	(sizeof(struct node_time) + sizeof(struct call_node) + 2 * sizeof(u32))

/* The chain of the current task; NULL: it has none. */
static struct chain *notrace chain_of_task(struct timing *timing)
{
	struct timing_cpu *here = timing_here(timing);

	return here->task == current ? here->chain : chains_find(&timing->chains, current);
}

/* The rank whose chain a call belongs to that begins now. */
static u32 notrace rank_of_call(const struct timing_cpu *here)
{
	bool is_softirq = preempt_count() & SOFTIRQ_OFFSET && !IS_ENABLED(CONFIG_PREEMPT_RT);

	switch (current_level()) {
	case LEVEL_NMI:
		return RANK_NMI;
	case LEVEL_IRQ:
		return is_softirq ? RANK_NESTED_IRQ : RANK_IRQ;
	default:
		return chain_rank(here->interrupt, is_softirq ? RANK_SOFTIRQ : RANKS);
	}
}

/* The chain that an interrupt has interrupted; NULL: none with a call. */
static struct chain *notrace interrupted_chain(struct timing *timing, u32 rank)
{
	struct chain *chain = chain_below(timing_here(timing)->interrupt, rank) ?: chain_of_task(timing);

	return chain && chain->innermost ? chain : NULL;
}

static void notrace leave_interrupt(struct timing *timing, u32 rank, u64 time)
{
	struct chain *chain = interrupted_chain(timing, rank);

	if (chain)
		chain_interrupted(chain, time);
}

/* The node of a call that no other call contains, in the tree of its process. */
static u32 notrace process_of_call(struct timing *timing, u32 rank)
{
	const struct task_struct *leader = identity_leader(current);
	bool is_released = !pid_alive(current);	/* the last calls of a thread: its leader may be gone */
	u32 node;

	if (rank != RANKS)
		return nodes_get(&timing->nodes, NODE_ROOT, CPUPROBE_NODE_INTERRUPTS, 0);
	node = nodes_get_process(&timing->nodes, task_tgid_nr(current), is_released ? 0 : leader->start_boottime);
	if (node && !is_released)
		nodes_name(&timing->nodes, node, leader->comm);
	return node;
}

/* Whether a function is hooked to measure the cost. */
static __always_inline bool is_own(const struct timing *timing, u32 type, u32 what)
{
	return type == CPUPROBE_NODE_FUNCTION && what >= timing->nr_functions;
}

/* Node 0 stands for no parent, and as an answer for no room. */
static noinline u32 notrace find_node(struct timing *timing, const struct open_call *outer, u32 rank,
				      u32 type, u32 what)
{
	u32 parent = 0;

	if (timing->has_paths && outer)
		parent = outer->node;
	else if (timing->has_processes)
		parent = process_of_call(timing, rank) ?: timing->no_room;
	if (parent == timing->no_room)
		return parent;
	if (!parent && type == CPUPROBE_NODE_FUNCTION)
		return what + 1;
	return nodes_get(&timing->nodes, parent, type, what) ?: timing->no_room;
}

static __always_inline u32 node_of_call(struct timing *timing, const struct open_call *outer,
					u32 rank, u32 type, u32 what)
{
	u32 node;

	if (timing->is_plain && type == CPUPROBE_NODE_FUNCTION)
		return what + 1;
	node = find_node(timing, outer, rank, type, what);
	/* The search is part of the cost, but calls of our own are found at one place. */
	return unlikely(is_own(timing, type, what)) ? what + 1 : node;
}

/* Keep the chain of a task at hand. NMIs read both at any time: there is no task with another's chain. */
static __always_inline void keep_chain(struct timing_cpu *here, const struct task_struct *task,
				       struct chain *chain)
{
	WRITE_ONCE(here->task, NULL);
	WRITE_ONCE(here->chain, chain);
	WRITE_ONCE(here->task, task);
}

/*
 * Whether the current task is dead, and being switched out for good. On arm64 without function_graph
 * __switch_to() can be hooked: it would never end, and its record would be another call's by then.
 */
static bool notrace is_past_end(const struct timing_cpu *here)
{
	return !IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) && here->leaving == current &&
		READ_ONCE(current->__state) == TASK_DEAD;
}

/*
 * Find or begin the chain of the current task. A task that is about to be switched out keeps no place
 * for calls that it has not made yet: it may be dead.
 */
static noinline struct chain *notrace find_chain(struct timing *timing, struct timing_cpu *here)
{
	struct chain *chain = is_past_end(here) ? NULL : chains_get(&timing->chains, current);

	if (chain && here->leaving != current)
		keep_chain(here, current, chain);
	else if (chain)	/* the scheduler's hook has run: see is_past_end(). It has noted why, if a call is open. */
		chain_switch_out(chain, ticks_now(&timing->ticks), chain->innermost && chain->is_preempted);
	return chain;
}

static __always_inline struct chain *chain_of_call(struct timing *timing, struct timing_cpu *here,
						   u32 rank)
{
	if (unlikely(rank != RANKS))
		return &here->interrupt[rank];
	return likely(here->task == current) ? here->chain : find_chain(timing, here);
}

static void notrace miss(struct timing *timing, u32 type, u32 what)
{
	u32 node = type == CPUPROBE_NODE_FUNCTION ? what + 1 : timing->no_room;

	local_inc(&timing_here(timing)->time[node].missed);
}

/* As timing_begin(), of any session and in any context. */
static noinline bool notrace begin_any(struct timing *timing, struct open_call *call, u32 type, u32 what)
{
	u64 entered = timing->has_paths ? ticks_now(&timing->ticks) : 0, begun;
	struct timing_cpu *here = timing_here(timing);
	u32 rank = rank_of_call(here);
	struct chain *chain;

	if (unlikely(gate_spend(&here->gate)))
		gate_judge(&timing->gate, &here->gate);
	if (timing->is_filtered && !gate_lets(&timing->gate, &here->gate) &&
	    !is_own(timing, type, what))
		return false;
	chain = chain_of_call(timing, here, rank);
	if (unlikely(!chain)) {
		miss(timing, type, what);
		return false;
	}
	if (!call)
		call = &chain->syscall;
	call->node = node_of_call(timing, chain->innermost, rank, type, what);
	chain_push(chain, call, what, entered);
	local_inc(&here->time[call->node].calls);
	begun = ticks_now(&timing->ticks);
	if (!timing->has_paths)
		call->entered = begun;
	chain_begin(call, begun);
	return true;
}

bool notrace timing_begin(struct timing *timing, struct open_call *call, u32 type, u32 what)
{
	struct timing_cpu *here = timing_here(timing);
	struct chain *chain;
	u64 begun;

	if (!likely(timing->is_simple && here->task == current && current_level() == LEVELS) ||
	    unlikely(here->interrupt[RANK_IRQ].innermost || gate_spend(&here->gate)))
		return begin_any(timing, call, type, what);
	chain = here->chain;
	call->node = what + 1;
	local_inc(&here->time[what + 1].calls);
	chain_push(chain, call, what, 0);
	begun = arch_counter();
	call->entered = begun;
	chain_begin(call, begun);
	return true;
}

/* The largest and the smallest: an interrupt may count at the same time, so try again. */
static void notrace extend_range(struct node_time *sums, long time)
{
	long old = local_read(&sums->most);

	while (time > old) {
		long found = local_cmpxchg(&sums->most, old, time);

		if (found == old)
			break;
		old = found;
	}
	old = local_read(&sums->least);
	while (!old || time + 1 < old) {
		long found = local_cmpxchg(&sums->least, old, time + 1);

		if (found == old)
			break;
		old = found;
	}
}

/* Count the time of a call that no other call of its function contains. @rest: without the cost */
static __always_inline void credit_outermost(const struct timing *timing, struct node_time *sums, u64 wall,
					     u64 rest)
{
	u32 bin = fls64(ticks_to_ns(&timing->ticks, rest));

	local_add(wall, &sums->wall);
	local_inc(&sums->bins[min_t(u32, bin, CPUPROBE_TIME_BINS - 1)]);
	extend_range(sums, rest);
}

/* Count a call that was interrupted, switched out or made other timed calls. */
static void notrace credit_mixed(const struct timing *timing, struct node_time *sums,
				 struct open_call *call, u64 wall)
{
	const struct away *away = &call->away;

	chain_mix(call);
	local_add(chain_net(call, wall), &sums->net);
	local_add(call->children, &sums->children);
	if (!timing->has_paths && chain_recurs(call)) {
		local_inc(&sums->recursive);
		return;
	}
	local_add(away->blocked, &sums->blocked);
	local_add(away->preempted, &sums->preempted);
	local_add(away->interrupted, &sums->interrupted);
	local_add(call->descendants, &sums->descendants);
	credit_outermost(timing, sums, wall,
			 chain_less(wall, timing->own + call->descendants * timing->cost));
}

static __always_inline void credit_simple(const struct timing *timing, struct node_time *sums, u64 wall)
{
	local_add(wall, &sums->net);
	credit_outermost(timing, sums, wall, chain_less(wall, timing->own));
}

/*
 * The outermost call of an interrupt has ended, or of a task whose chain is not kept. The context does
 * not say which: irq_exit_rcu() begins in the interrupt and ends in the task.
 */
static noinline void notrace end_chain(struct timing *timing, struct chain *chain, u64 time)
{
	if (chains_have(&timing->chains, chain))
		chains_leave(&timing->chains, chain);
	else
		leave_interrupt(timing, chain - timing_here(timing)->interrupt, time);
}

/* As timing_end(), of any session and in any context. */
static noinline void notrace end_any(struct timing *timing, struct open_call *call, u64 now)
{
	struct timing_cpu *here = timing_here(timing);
	struct node_time *sums = &here->time[call->node];
	struct chain *chain = call->chain;

	local_inc(&sums->ended);
	if (chain_is_simple(call) && !chain_may_recur(call))
		credit_simple(timing, sums, chain_wall(call, now));
	else
		credit_mixed(timing, sums, call, chain_wall(call, now));
	if (timing->has_paths || call->outer)
		now = ticks_now(&timing->ticks);
	chain_pop(call, now);
	if ((chain != here->chain || here->task != current) && !chain->innermost)
		end_chain(timing, chain, now - call->entered);
}

static noinline void notrace end_unusual(struct timing *timing, struct open_call *call)
{
	end_any(timing, call, ticks_now(&timing->ticks));
}

void notrace timing_end(struct timing *timing, struct open_call *call)
{
	struct timing_cpu *here = timing_here(timing);
	struct node_time *sums;
	u64 now;

	if (unlikely(!timing->is_simple)) {
		end_unusual(timing, call);
		return;
	}
	now = arch_counter();
	if (!likely(here->task == current && here->chain == call->chain && chain_is_simple(call)) ||
	    chain_may_recur(call)) {
		end_any(timing, call, now);
		return;
	}
	sums = &here->time[call->node];
	local_inc(&sums->ended);
	credit_simple(timing, sums, chain_wall(call, now));
	/* The outer call has not run until now. */
	chain_pop(call, call->outer ? arch_counter() : now);
}

void notrace timing_end_syscall(struct timing *timing, bool is_error)
{
	struct chain *chain = chain_of_task(timing);

	if (!chain || chain->innermost != &chain->syscall)
		return;
	if (is_error)
		local_inc(&timing_here(timing)->time[chain->syscall.node].errors);
	timing_end(timing, &chain->syscall);
}

/* A task outside of timed calls gives its place back, and one that is dead, whose calls stay open. */
static void notrace switch_out(struct timing *timing, struct task_struct *task, struct chain *chain,
			       u64 now, bool is_preempted)
{
	if (!chain->innermost || unlikely(READ_ONCE(task->__state) == TASK_DEAD))
		chains_leave(&timing->chains, chain);
	else
		chain_switch_out(chain, now, is_preempted);
}

/* Run queue locked, interrupts off. */
static void notrace on_switch(void *data, bool is_preempted, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct timing *timing = data;
	struct timing_cpu *here;
	struct chain *chain;
	u64 now;

	if (!gate_is_open(&timing->gate))
		return;
	now = ticks_now(&timing->ticks);
	here = timing_here(timing);
	chain = chain_of_task(timing);
	if (chain)
		switch_out(timing, prev, chain, now, is_preempted || !prev_state);
	here->leaving = prev;
	chain = chains_find(&timing->chains, next);
	keep_chain(here, chain ? next : NULL, chain);
	if (chain)
		chain_switch_in(chain, now);
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

void timing_choose(struct timing *timing, u32 flags)
{
	ticks_init(&timing->ticks);
	timing->has_paths = flags & CPUPROBE_CALLS_PATHS;
	timing->has_processes = flags & CPUPROBE_CALLS_PROCESSES;
	timing->is_plain = !timing->has_paths && !timing->has_processes;
	timing->is_filtered = !filter_is_everybody(&timing->gate.filter);
	timing->is_simple = timing->is_plain && !timing->is_filtered && timing->ticks.is_counter &&
		!(flags & CPUPROBE_CALLS_SYSCALLS);
}

void timing_forget(struct timing *timing)
{
	u32 first_own = timing->nr_functions + 1;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct timing_cpu *here = per_cpu_ptr(timing->cpu, cpu);

		memset(&here->time[first_own], 0, (timing->no_room - first_own) * sizeof(*here->time));
		local_set(&here->gate.others, 0);
		here->task = NULL;
	}
	nodes_forget(&timing->nodes, timing->no_room);
	chains_forget(&timing->chains);
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
