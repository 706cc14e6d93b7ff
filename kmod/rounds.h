/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rounds of calls that measure the cost of a hook. The lower quartile counts, because a virtual machine
 * may lose the processor in any round. All sessions measure with the same functions of this module, so only one
 * at a time has hooks there: those of another one would be a part of its cost.
 */
#ifndef CPUPROBE_ROUNDS_H
#define CPUPROBE_ROUNDS_H

#include <linux/types.h>

#define ROUNDS		33
/* A cost of fewer nanoseconds a round is too inexact: a clock of such steps cannot measure it. */
#define ROUND_MIN_NS	64
/* Attempts, a tick apart. A late tick stops the clock of ticks.h, if the kernel does not trust the counter. */
#define ROUNDS_ATTEMPTS	32

/** rounds_begin() - before hooking a function of this module, wait until no other session has one hooked. -EINTR. */
int rounds_begin(void);

/** rounds_end() - after the last one is unhooked. */
void rounds_end(void);

/**
 * rounds_resting() - address of a function of this module that ftrace can hook and nobody calls. While it is in a filter
 * of ftrace, other functions can leave the filter: an empty one would let all functions through, and to remove an
 * ftrace_ops takes a wait for every CPU.
 */
unsigned long rounds_resting(void);

/**
 * rounds_measure() - measure, after rounds_begin(). If the clock did not move, try again a tick later.
 * @measure: opens the session's gate and shuts it. May sleep. Returns 0; -ERANGE: the clock did not move;
 *	-ENODEV: the calls were not seen
 * May sleep. Returns the last result of @measure.
 */
int rounds_measure(int (*measure)(void *context), void *context);

/** rounds_quartile() - the lower quartile of ROUNDS values, which are sorted. */
s64 rounds_quartile(s64 *value);

#endif
