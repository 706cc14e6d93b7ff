/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that times calls: the hooks, and the copy of its times. Functions are hooked by
 * kretprobes, system calls by the tracepoints of their beginning and end.
 */
#ifndef CPUPROBE_TIMED_CALLS_H
#define CPUPROBE_TIMED_CALLS_H

#include "returns.h"
#include "timing.h"

/* Functions of this module that are hooked to measure the cost, after those of the session. */
#define OWN_FUNCTIONS	2

/** Cost of timing a call, in picoseconds: see struct cpuprobe_calls. */
struct timing_cost {
	u32 cost_ps;
	u32 own_ps;
	u32 seen_ps;
};

struct timed_calls {
	struct timing timing;
	struct returns returns;		/* the last functions are those of this module */
	u32 nr;				/* without these */
	u32 type;			/* CPUPROBE_NODE_FUNCTION or _SYSCALL */
	bool sees_begin, sees_end;	/* hooks of system calls are in place */
	struct timing_cost cost;	/* see timed_calls_prepare() */
};

/**
 * timed_calls_prepare() - allocate memory and measure @calls->cost. May sleep; interrupts every CPU.
 * @flags: CPUPROBE_CALLS_*
 * @nr: number of functions
 * On failure timed_calls_detach() and timed_calls_free() must still be called. -ENOMEM; -ENOSPC: the
 * table has no room for so many functions; -ENODEV: the kernel lacks hooks; -ERANGE: the clock is too
 * coarse.
 */
int timed_calls_prepare(struct timed_calls *calls, u32 flags, u32 nr, u64 table_bytes);

/**
 * timed_calls_attach() - hook functions, or system calls; nothing is timed yet. May sleep long.
 * @function: sets the state of each
 * Returns the number of hooks; -EINTR, -ENODEV, -ENOMEM.
 */
int timed_calls_attach(struct timed_calls *calls, struct cpuprobe_function *function);

/** timed_calls_begin() - begin timing; the gate's budget and cost are known. */
void timed_calls_begin(struct timed_calls *calls);

/** timed_calls_detach() - remove the hooks, if there are any, and wait for CPUs. May sleep long. */
void timed_calls_detach(struct timed_calls *calls);

/** timed_calls_free() - free all memory. No hook may be in place. May sleep. */
void timed_calls_free(struct timed_calls *calls);

/**
 * timed_calls_copy() - CPUPROBE_IOC_TIMES for a CPU that exists. May sleep. -EFAULT, -ENOSPC.
 */
int timed_calls_copy(struct timed_calls *calls, struct cpuprobe_times *request);

/**
 * timing_measure() - measure @calls->cost. The functions of this module are hooked, the
 * gate is closed; afterwards it is closed again, and nothing is counted. May sleep. -ENODEV: calls
 * were not timed; -ERANGE: the clock is too coarse.
 */
int timing_measure(struct timed_calls *calls);

/** timing_own() - address of a function of this module: 0: calls the other one. */
unsigned long timing_own(u32 i);

#endif
