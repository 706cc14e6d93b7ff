/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timing of calls: what begins and ends, in which task or interrupt, and the sums by node.
 *
 * Each call is a struct open_call in a chain (chain.h). A call that begins finds its node, reads the
 * clock, and becomes the innermost of its chain. A call that ends is credited to its node in the table
 * of this CPU. A hook in the scheduler notes how long a task with an open call did not run.
 *
 * Softirqs, hard irqs and NMIs have chains of their own on each CPU. When the outermost call of one
 * of them ends, its time is taken out of the call that was interrupted, if that is timed. On RT
 * softirqs run in tasks and may be preempted: there they belong to the task's chain.
 */
#ifndef CPUPROBE_TIMING_H
#define CPUPROBE_TIMING_H

#include "chain.h"
#include "gate.h"
#include "nodes.h"

/* Kinds of interrupt that have chains of their own. */
enum timing_level { LEVEL_SOFTIRQ, LEVEL_IRQ, LEVEL_NMI, LEVELS };

/** Sums of one node on one CPU; named as in struct cpuprobe_time. Interrupts add too. */
struct node_time {
	local_t calls;
	local_t ended;
	local_t recursive;
	local_t missed;
	local_t errors;
	local_t wall_ns;
	local_t blocked_ns;
	local_t preempted_ns;
	local_t interrupted_ns;
	local_t net_ns;
	local_t children;
	local_t descendants;
	local_t min_ns;		/* plus one; 0: none yet */
	local_t max_ns;
	local_t bins[CPUPROBE_TIME_BINS];
};

struct timing_cpu {
	struct gate_cpu gate;
	struct node_time *time;		/* by number of a node */
	struct chain level[LEVELS];
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
	bool sees_switches;	/* the hook in the scheduler is in place */
	/* cost of a call in nanoseconds: see struct cpuprobe_calls */
	u32 cost_ns;
	u32 own_ns;
};

/**
 * timing_allocate() - allocate the tables, with nodes for functions. May sleep.
 * @nr_functions, @nr_own: functions of the session, and of this module
 * @bytes: for each possible CPU: three quarters for nodes, a quarter for chains
 * -ENOMEM: timing_free() must still be called. -ENOSPC: too many functions for the table.
 */
int timing_allocate(struct timing *timing, u64 bytes, u32 nr_functions, u32 nr_own);

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
void timing_end(struct timing *timing, struct open_call *call, bool is_error);

/** timing_end_syscall() - the system call of the current task ends, if it is timed. As above. */
void timing_end_syscall(struct timing *timing, bool is_error);

/** timing_here() - the part of this CPU. Preemption off. */
static __always_inline struct timing_cpu *timing_here(struct timing *timing)
{
	return this_cpu_ptr(timing->cpu);
}

#endif
