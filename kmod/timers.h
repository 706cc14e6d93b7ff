/* SPDX-License-Identifier: GPL-2.0-only */
/* The timers of a session, one per sampled CPU, through start, stop and hotplug. */
#ifndef CPUPROBE_TIMERS_H
#define CPUPROBE_TIMERS_H

#include "session.h"

/** timers_setup() - register with CPU hotplug; module load. 0 or -errno. May sleep. */
int timers_setup(void);

/** timers_teardown() - the reverse; no session may be running. */
void timers_teardown(void);

/** timers_init_session() - before any timers_init() of the session. */
void timers_init_session(struct session *session);

/**
 * timers_settle() - wait until nobody is being woken any more; no handler runs or will. May sleep.
 * timers_stop() has done so.
 */
void timers_settle(struct cpu_sampler *sampler);

/** timers_init() - prepare one CPU's timer, grid and banks; nothing runs yet. */
void timers_init(struct cpu_sampler *sampler, struct session *session, u64 period_ns,
		u32 jitter, unsigned int cpu);

/**
 * timers_start() - start the timers of all sampled CPUs that are online; others
 * start when they come. CPUs that are not sampled are not disturbed, but by a session that leaves
 * CPUs asleep: see sleep_get(). May sleep. On failure no timer runs.
 */
int timers_start(struct session *session);

/**
 * timers_stop() - stop them all; when it returns no handler runs or will. May sleep. Waits for
 * nothing but handlers that run at this moment and, on sampled CPUs, interrupts to be on.
 */
void timers_stop(struct session *session);

/**
 * timers_hold_cpus() - until timers_release_cpus() no CPU's timers begin or cease to run, by
 * hotplug or otherwise. May sleep.
 */
void timers_hold_cpus(void);
void timers_release_cpus(void);

/** timers_is_up() - whether the timers of that CPU may run. Between the two. */
bool timers_is_up(unsigned int cpu);

#endif
