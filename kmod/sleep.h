/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that idle without our timer: CPUPROBE_START_IDLE_SLEEP. While a CPU runs its idle task, the
 * timers of such sessions are off. The instants that pass are counted when the CPU stops idling,
 * at a harvest, or at the end: every sample there would have found the CPU idle. The instants come
 * from the same grid (grid.h), so shares and confidence intervals are those of real sampling.
 */
#ifndef CPUPROBE_SLEEP_H
#define CPUPROBE_SLEEP_H

#include "session.h"

/** Limit on such sessions at a time: each one adds work whenever a CPU begins or stops to idle. */
#define SLEEPERS_MAX	8

/**
 * sleep_get() - register the hooks that see CPUs begin and stop to idle, for one session.
 * The first session patches kernel code, which interrupts every CPU. May sleep.
 * @is_full: full access; the second half of SLEEPERS_MAX is reserved for full access
 * -EBUSY: no place is free; -EOPNOTSUPP: this kernel has no tracepoints.
 */
int sleep_get(bool is_full);

/** sleep_put() - undo sleep_get(), after all timers of the session have ended. May sleep. */
void sleep_put(void);

/**
 * sleep_join() - turn the timer off whenever this CPU idles from now on. Its CPU, interrupts off.
 * Returns whether this CPU idles now: the caller then must not arm the timer.
 */
bool sleep_join(struct cpu_sampler *sampler);

/**
 * sleep_leave() - undo sleep_join(), and count the instants that have passed. A timer that is off
 * stays off, an armed one stays armed. Its CPU, interrupts off.
 */
void sleep_leave(struct cpu_sampler *sampler);

/** sleep_is_asleep() - whether the sampler's timer is off for idle. Any context: a hint. */
static inline bool sleep_is_asleep(const struct cpu_sampler *sampler)
{
	return atomic_read(&sampler->sleep) != 0;
}

/**
 * sleep_settle() - count the instants until @now_ns, if the sampler is asleep. On its CPU with
 * interrupts off, or between sleep_borrow() and sleep_return().
 */
void sleep_settle(struct cpu_sampler *sampler, u64 now_ns);

/**
 * sleep_borrow() - become the writer of a sleeping sampler, without waking its CPU. The caller
 * keeps interrupts off until its work is done, and timers_hold_cpus() until sleep_return().
 * False: the sampler is not asleep.
 */
bool sleep_borrow(struct cpu_sampler *sampler);

/** sleep_return() - undo sleep_borrow(). Interrupts the CPU if it woke in between. May sleep. */
void sleep_return(struct cpu_sampler *sampler, unsigned int cpu);

#endif
