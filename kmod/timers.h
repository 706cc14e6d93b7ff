/* SPDX-License-Identifier: GPL-2.0-only */
/* The timers of a session, one per sampled CPU, through start, stop and hotplug. */
#ifndef CPUPROBE_TIMERS_H
#define CPUPROBE_TIMERS_H

#include "session.h"

/** timers_setup() - register with CPU hotplug. Module load. 0 or -errno. May sleep. */
int timers_setup(void);

/** timers_teardown() - undo timers_setup(); no session may be running. */
void timers_teardown(void);

/** timers_init_session() - prepare wake-ups; before any timers_init_sampler() of the session. */
void timers_init_session(struct session *session);

/**
 * timers_settle() - wait until all wake-ups are done. No handler may run any more. May sleep. Not
 * needed after timers_stop().
 */
void timers_settle(struct cpu_sampler *sampler);

/** timers_init_sampler() - prepare one CPU's timer, grid and banks; the timer is not armed. */
void timers_init_sampler(struct cpu_sampler *sampler, struct session *session, u64 period_ns,
		u32 jitter, unsigned int cpu);

/**
 * timers_start() - start the timers of all sampled CPUs that are online; the others start when
 * their CPUs come online. CPUs that are not sampled are not disturbed, except by a session with
 * CPUPROBE_START_IDLE_SLEEP: see sleep_get(). May sleep. On failure no timer runs. -ENXIO: to sample by NMI
 * takes two CPUs that are online. -EBUSY: too many sessions that sleep, or that sample by NMI.
 */
int timers_start(struct session *session);

/**
 * timers_stop() - stop all timers of a session; no handler runs after the return. May sleep. Waits
 * only for handlers that run at this moment and for sampled CPUs to enable interrupts.
 */
void timers_stop(struct session *session);

/**
 * timers_hold_cpus() - until timers_release_cpus(), no timer starts or stops, by CPU hotplug or
 * otherwise. May sleep.
 */
void timers_hold_cpus(void);
void timers_release_cpus(void);

/** timers_is_up() - whether the timers of a CPU may run. Between timers_hold_cpus() and timers_release_cpus(). */
bool timers_is_up(unsigned int cpu);

/**
 * timers_time_up() - the number of the time for which a CPU is up now: a CPU that has gone and come back has another one.
 * 0: it is not up. Between timers_hold_cpus() and timers_release_cpus().
 */
u32 timers_time_up(unsigned int cpu);

#endif
