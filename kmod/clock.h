/* SPDX-License-Identifier: GPL-2.0-only */
/* The timers of a session, one per sampled CPU, through start, stop and hotplug. */
#ifndef CPUPROBE_CLOCK_H
#define CPUPROBE_CLOCK_H

#include "session.h"

/* Expiry in hard irq also where the kernel would defer it (RT), and never on another CPU. */
#define CLOCK_MODE HRTIMER_MODE_ABS_PINNED_HARD

/** clock_setup() - register with CPU hotplug; module load. 0 or -errno. */
int clock_setup(void);

/** clock_teardown() - the reverse; no session may be running. */
void clock_teardown(void);

/** clock_init() - prepare one CPU's timer, grid and banks; nothing runs yet. */
void clock_init(struct cpu_sampler *sampler, struct session *session, u64 period_ns,
		u32 jitter, unsigned int cpu);

/**
 * clock_start() - start the timers of all sampled CPUs that are online; others
 * start when they come. May sleep. On failure no timer runs.
 */
int clock_start(struct session *session);

/** clock_stop() - stop them all; when it returns no handler runs or will. May sleep. */
void clock_stop(struct session *session);

/** clock_now_ns() - the clock that all grids refer to: CLOCK_MONOTONIC. Any context. */
static inline u64 clock_now_ns(void)
{
	return ktime_to_ns(ktime_get());
}

#endif
