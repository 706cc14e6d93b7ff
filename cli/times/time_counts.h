/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timed calls: nodes with their sums over all CPUs. A node is a function, a system call, a process or
 * what found no room; its parent is the node that it was called in. The names are those of the run's
 * struct call_counts. Belongs to one run, measured or saved. Pure.
 */
#ifndef TIME_COUNTS_H
#define TIME_COUNTS_H

#include "calls/call_counts.h"

/* Module of system calls in call_counts; no module of the kernel is called so. */
#define TIMES_SYSCALLS	"(system calls)"

/** Sums of a node, as in struct cpuprobe_time. */
struct time_sums {
	u64 calls, ended, recursive, missed, errors;
	u64 wall_ns, blocked_ns, preempted_ns, interrupted_ns, net_ns;
	u64 children, descendants;
	u64 min_ns, max_ns;
	u64 bins[CPUPROBE_TIME_BINS];
};

struct time_node {
	u32 parent;		/* position in nodes, before its own; CALLS_NONE: none */
	u32 type;		/* enum cpuprobe_node_type */
	u32 function;		/* position in the functions of the calls, or CALLS_NONE */
	u32 pid;		/* of a process */
	char comm[16];
	struct time_sums sums;
};

/** Properties of a run that times calls. */
struct time_totals {
	u32 flags;		/* CPUPROBE_CALLS_* */
	u32 cost_ps, own_ps, seen_ps;
};

struct time_counts {
	struct call_counts *calls;	/* functions and totals; no arcs */
	struct time_totals totals;
	struct time_node *nodes;
	u32 nr_nodes;
};

/** time_counts_create() - no nodes yet. @calls: now belongs to the counts. NULL: out of memory. */
struct time_counts *time_counts_create(struct call_counts *calls);

/** time_counts_destroy() - NULL is allowed. */
void time_counts_destroy(struct time_counts *counts);

/** time_counts_add_node() - append a node without calls. -ENOMEM. */
int time_counts_add_node(struct time_counts *counts, const struct time_node *node);

/** time_sums_add() - add sums of the same node, or of one that is shown with it. */
void time_sums_add(struct time_sums *sums, const struct time_sums *other);

/** time_counts_add() - add the sums of one CPU to a node. */
void time_counts_add(struct time_node *node, const struct cpuprobe_time *time);

/**
 * time_counts_merge() - add the times of an earlier part of the same run. Costs and names of processes
 * stay those of the later part, if it has them. -ENOMEM: some of them were added.
 */
int time_counts_merge(struct time_counts *counts, const struct time_counts *from);

/** time_counts_name() - name of a node's function, process or other. */
const char *time_counts_name(const struct time_counts *counts, const struct time_node *node);

/** time_is_root() - whether a node has no calls of its own: a process, or interrupts. */
bool time_is_root(const struct time_node *node);

/* Times in nanoseconds without the cost of timing, of a node; never below 0. */

/** time_wall_ns() - from the begin to the end of all outermost calls. */
double time_wall_ns(const struct time_counts *counts, const struct time_node *node);

/** time_on_ns() - the part of it in which they ran. */
double time_on_ns(const struct time_counts *counts, const struct time_node *node);

/** time_net_ns() - the part of that without timed callees. */
double time_net_ns(const struct time_counts *counts, const struct time_node *node);

/** time_outermost() - calls that ended and that no call of the same function contained. */
u64 time_outermost(const struct time_node *node);

#endif
