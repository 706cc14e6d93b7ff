/* SPDX-License-Identifier: GPL-2.0-only */
/* The timers of a session, one per sampled CPU, through start, stop and hotplug. */
#ifndef CPUPROBE_CLOCK_H
#define CPUPROBE_CLOCK_H

#include "session.h"

/* Expiry in hard irq also where the kernel would defer it (RT), and never on another CPU. */
#define CLOCK_MODE HRTIMER_MODE_ABS_PINNED_HARD

/** clock_setup() - register with CPU hotplug; module load. 0 or -errno. May sleep. */
int clock_setup(void);

/** clock_teardown() - the reverse; no session may be running. */
void clock_teardown(void);

/** clock_init_session() - before any clock_init() of the session. */
void clock_init_session(struct session *session);

/**
 * clock_settle() - wait until nobody is being woken any more; no handler runs or will. May sleep.
 * clock_stop() has done so.
 */
void clock_settle(struct cpu_sampler *sampler);

/** clock_init() - prepare one CPU's timer, grid and banks; nothing runs yet. */
void clock_init(struct cpu_sampler *sampler, struct session *session, u64 period_ns,
		u32 jitter, unsigned int cpu);

/**
 * clock_start() - start the timers of all sampled CPUs that are online; others
 * start when they come. CPUs that are not sampled are not disturbed, but by a session that leaves
 * CPUs asleep: see sleep_get(). May sleep. On failure no timer runs.
 */
int clock_start(struct session *session);

/**
 * clock_stop() - stop them all; when it returns no handler runs or will. May sleep. Waits for
 * nothing but handlers that run at this moment and, on sampled CPUs, interrupts to be on.
 */
void clock_stop(struct session *session);

/**
 * clock_hold_cpus() - until clock_release_cpus() no CPU's timers begin or cease to run, by
 * hotplug or otherwise. May sleep.
 */
void clock_hold_cpus(void);
void clock_release_cpus(void);

/** clock_is_up() - whether the timers of that CPU may run. Between the two. */
bool clock_is_up(unsigned int cpu);

/** clock_now_ns() - the clock that all grids refer to: CLOCK_MONOTONIC. Any context. */
static inline u64 clock_now_ns(void)
{
	return ktime_to_ns(ktime_get());
}

#endif
