/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timing of calls: what begins and ends, in which task or interrupt, and the sums by node.
 *
 * Each call is a struct open_call in a chain (chain.h). A call that begins finds its node, reads the
 * clock, and becomes the innermost of its chain. A call that ends is credited to its node in the table
 * of this CPU. A hook in the scheduler notes how long a task with an open call did not run.
 *
 * Softirqs, hard irqs, hard irqs in softirqs, and NMIs have chains of their own on each CPU. When the
 * outermost call of one of them ends, its time is taken out of the call that was interrupted, if that
 * is timed. On RT softirqs run in tasks and may be preempted: there they belong to the task's chain.
 */
#ifndef CPUPROBE_TIMING_H
#define CPUPROBE_TIMING_H

#include "chain.h"
#include "gate.h"
#include "levels.h"
#include "nodes.h"
#include "ticks.h"

/** Sums of one node on one CPU: struct cpuprobe_time with times in ticks. Interrupts add too. */
struct node_time {
	local_t calls;
	local_t ended;
	local_t recursive;
	local_t missed;
	local_t errors;
	local_t wall;
	local_t blocked;
	local_t preempted;
	local_t interrupted;
	local_t net;
	local_t children;
	local_t descendants;
	local_t least;		/* plus one; 0: none yet */
	local_t most;
	local_t bins[CPUPROBE_TIME_BINS];	/* of nanoseconds */
};

struct timing_cpu {
	struct gate_cpu gate;
	struct node_time *time;			/* by number of a node */
	/* the chain that was found last; it saves the search */
	const struct task_struct *task;		/* whose; NULL: none was found */
	struct chain *chain;
	const struct task_struct *leaving;	/* the scheduler switches from it, or did so last */
	struct chain interrupt[RANKS];
};

struct timing {
	struct gate gate;
	struct timing_cpu __percpu *cpu;
	struct nodes nodes;
	struct chains chains;
	u32 nr_functions;	/* those from this number on are the module's own */
	u32 no_room;		/* node of all calls without a node of their own */
	bool is_filtered;
	bool has_paths;		/* CPUPROBE_CALLS_PATHS */
	bool has_processes;	/* CPUPROBE_CALLS_PROCESSES */
	bool is_plain;		/* neither: a function has one node */
	bool is_simple;		/* and the calls of all tasks are timed, with the processor's counter */
	bool sees_switches;	/* the hook in the scheduler is in place */
	struct ticks ticks;
	/* ticks that a call costs: see struct cpuprobe_calls */
	u32 cost;
	u32 own;
};

/**
 * timing_allocate() - allocate the tables, with nodes for functions. May sleep.
 * @nr_functions, @nr_own: functions of the session, and of this module
 * @bytes: for each possible CPU: three quarters for nodes, a quarter for chains
 * -ENOMEM: timing_free() must still be called. -ENOSPC: too many functions for the table.
 */
int timing_allocate(struct timing *timing, u64 bytes, u32 nr_functions, u32 nr_own);

/** timing_forget() - forget the module's own calls, and nodes not of functions. The gate is shut. */
void timing_forget(struct timing *timing);

/** timing_choose() - how calls are timed. @flags: CPUPROBE_CALLS_*. The gate has its filter. */
void timing_choose(struct timing *timing, u32 flags);

/** timing_free() - free the tables; no hook may be in place. May sleep. */
void timing_free(struct timing *timing);

/**
 * timing_watch() - watch the scheduler. May sleep; interrupts every CPU. @timing stays until
 * timing_unwatch(). -EOPNOTSUPP: the kernel has no such tracepoint; -ENOMEM.
 */
int timing_watch(struct timing *timing);

/** timing_unwatch() - end it, and wait until no CPU runs the hook. May sleep. */
void timing_unwatch(struct timing *timing);

/**
 * timing_begin() - a call begins. Any context but preemptible; NMI too.
 * @call: memory until the call's end; NULL: that of the task's chain, for a system call
 * @type: enum cpuprobe_node_type
 * @what: number of the function or of the system call
 * False: the call is not timed.
 */
bool timing_begin(struct timing *timing, struct open_call *call, u32 type, u32 what);

/** timing_end() - a call ends. Context as timing_begin(). */
void timing_end(struct timing *timing, struct open_call *call);

/** timing_end_syscall() - the system call of the current task ends, if it is timed. As above. */
void timing_end_syscall(struct timing *timing, bool is_error);

/** timing_here() - the part of this CPU. Preemption off. */
static __always_inline struct timing_cpu *timing_here(struct timing *timing)
{
	return this_cpu_ptr(timing->cpu);
}

#endif
