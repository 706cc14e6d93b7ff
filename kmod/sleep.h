/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that are left asleep: CPUPROBE_START_IDLE_SLEEP. While a CPU runs its idle task the timers
 * of such sessions are off, and the instants that pass are counted when the CPU stops idling, at
 * a harvest, or at the end: all that could have been found there is known without looking. The
 * instants are those of kmod/grid.h, so that shares and intervals are what sampling would give.
 */
#ifndef CPUPROBE_SLEEP_H
#define CPUPROBE_SLEEP_H

#include "session.h"

/** Sessions that may leave CPUs asleep at a time: each is looked at whenever a CPU idles. */
#define SLEEPERS_MAX	8

/**
 * sleep_get() - have the scheduler tell when CPUs begin and cease to idle; for one session.
 * The first one changes the code of all CPUs, which interrupts each of them. May sleep.
 * @is_full: full access; the second half of the places is for that
 * -EBUSY: SLEEPERS_MAX have; -EOPNOTSUPP: this kernel has no tracepoints.
 */
int sleep_get(bool is_full);

/** sleep_put() - the reverse, when none of the session's timers is left. May sleep. */
void sleep_put(void);

/**
 * sleep_join() - from now on the timer is off while this CPU idles. Its CPU, interrupts off.
 * Returns whether that begins at once, this CPU being idle: the timer then is not to be armed.
 */
bool sleep_join(struct cpu_sampler *sampler);

/**
 * sleep_leave() - no longer; what passed is counted. A timer that is off stays off, one that is
 * armed stays armed. Its CPU, interrupts off.
 */
void sleep_leave(struct cpu_sampler *sampler);

/** sleep_is_asleep() - whether its timer is off. Any context: a hint. */
static inline bool sleep_is_asleep(const struct cpu_sampler *sampler)
{
	return atomic_read(&sampler->sleep) != 0;
}

/**
 * sleep_settle() - count the instants until @now_ns, if it is asleep. Its CPU with interrupts
 * off, or between sleep_borrow() and sleep_return().
 */
void sleep_settle(struct cpu_sampler *sampler, u64 now_ns);

/**
 * sleep_borrow() - be the writer of a CPU that is asleep, without waking it. Interrupts off until
 * the work is done; timers_hold_cpus() until sleep_return(). False: it is not asleep.
 */
bool sleep_borrow(struct cpu_sampler *sampler);

/** sleep_return() - the reverse. Interrupts a CPU that has woken meanwhile. May sleep. */
void sleep_return(struct cpu_sampler *sampler, unsigned int cpu);

#endif
