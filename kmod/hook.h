/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks on kernel functions, by ftrace, that count calls.
 *
 * The handler runs before the first instruction of a hooked function, in any context, NMI included.
 * It takes no lock, allocates nothing, and its loops are bounded. A gate ends counting at once;
 * removing the hooks waits for every CPU: only a worker does that.
 */
#ifndef CPUPROBE_HOOK_H
#define CPUPROBE_HOOK_H

#include <linux/ftrace.h>
#include <linux/percpu.h>

#include "arcs.h"
#include "gate.h"

/** Counts of one CPU. */
struct hook_cpu {
	struct gate_cpu gate;
	struct arcs arcs;
};

struct hook {
	struct ftrace_ops ops;
	struct gate gate;
	struct hook_cpu __percpu *cpu;
	bool is_attached;
};

/**
 * hook_allocate() - allocate the tables of all possible CPUs. May sleep.
 * @table_bytes: memory of each CPU's table
 * -ENOMEM: hook_free() must still be called.
 */
int hook_allocate(struct hook *hook, u64 table_bytes);

/** hook_free() - free the tables. No hook may be in place. May sleep. */
void hook_free(struct hook *hook);

/**
 * hook_attach() - hook functions; nothing is counted yet. Interrupts every CPU. May sleep.
 * @ips: places of hooks, as hook_choose() leaves them; at least one
 * @is_filtered: look at the gate's filter
 * -ENODEV: ftrace is off; -EINVAL: a module with some of the places has been unloaded since; -ENOMEM.
 */
int hook_attach(struct hook *hook, unsigned long *ips, u32 nr, bool is_filtered);

/** hook_remove() - remove one hook of several, at @ip. Interrupts every CPU. May sleep. -ENOMEM. */
int hook_remove(struct hook *hook, unsigned long ip);

/**
 * hook_detach() - remove the hooks, if there are any, and wait until no CPU runs the handler. May sleep
 * long.
 */
void hook_detach(struct hook *hook);

/** hook_begin() - begin counting; the gate's cost and budget are known. Any context. */
void hook_begin(struct hook *hook);

/**
 * hook_choose() - ask ftrace which functions it can hook. May sleep.
 * @function: @nr functions; sets the state of each
 * @ips: room for @nr places of hooks
 * Returns the number of places.
 */
u32 hook_choose(struct cpuprobe_function *function, u32 nr, unsigned long *ips);

/** hook_cost_ps() - cost of a call as measured before; 0: not yet. @is_filtered: hook_attach() */
u64 hook_cost_ps(bool is_filtered);

/**
 * hook_measure() - measure the cost of a call, which hook_cost_ps() returns afterwards.
 * @trial: hook_attach() has hooked hook_own() and nothing else that is called; it has begun and has ended afterwards
 * @is_filtered: as it was attached
 * May sleep. -ENODEV: no call was counted; -ERANGE: the clock is too coarse.
 */
int hook_measure(struct hook *trial, bool is_filtered);

/** hook_own() - the function of this module that hook_measure() calls. */
unsigned long hook_own(void);

#endif
