/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions that sample events: on each CPU a counter of the kernel's, which overflows at the instants
 * of meter.h, takes the place of the timer.
 *
 * Software events arrive in any context with interrupts on or off, most events of a processor in an
 * interrupt or an NMI. The handler turns interrupts off where it can. An NMI may come while the banks are swapped:
 * overflows_hold() marks the sampler as held, and the handler then leaves everything as it is, so that the
 * period counts as missed.
 *
 * A counter serves one stretch in which its CPU is online. When the CPU goes offline the kernel drops the
 * counter: the account says so (CPUPROBE_ACCOUNT_UNCOUNTED). A counter that was made while its CPU came or went does not
 * begin. The first harvest after the CPU has come back makes another one, which goes on from the number of events of the
 * lost one. The callbacks of CPU hotplug cannot: the kernel takes the lock that they hold while it makes a counter.
 *
 * The kernel limits how often counters may interrupt, and then stops one until the next tick: its
 * events go uncounted until then, and the account says so (CPUPROBE_ACCOUNT_THROTTLED).
 */
#ifndef CPUPROBE_OVERFLOWS_H
#define CPUPROBE_OVERFLOWS_H

#include "session.h"

/** overflows_check() - check the fields of START for events. 0 or -errno with a reason. */
int overflows_check(const struct session *session, struct cpuprobe_start *start);

/**
 * overflows_init_sampler() - create the counter of a CPU, disabled. May sleep; neither timers_sem nor
 * the lock of CPU hotplug may be held. No counter, without an error, if the CPU is offline, or comes or goes.
 * -errno of the kernel: it cannot count this event.
 */
int overflows_init_sampler(struct cpu_sampler *sampler, const struct cpuprobe_start *start,
			  unsigned int cpu);

/**
 * overflows_release() - free the counters of a session's CPUs, as far as there are any. No handler runs afterwards. May
 * sleep, for a grace period of RCU after software events.
 */
void overflows_release(struct session *session);

/**
 * overflows_renew() - make another counter if the CPU has come back without one. Only while the session runs,
 * under its lock. May sleep; no lock of CPU hotplug may be held. Failing to make one is tried again at the next call.
 */
void overflows_renew(struct cpu_sampler *sampler, unsigned int cpu);

/** overflows_begin() - begin to count, unless the kernel has dropped the counter. May sleep; the CPU stays online. */
void overflows_begin(struct cpu_sampler *sampler);

/** overflows_leave() - note that the CPU goes offline: nothing is counted there until another counter takes over. */
void overflows_leave(struct cpu_sampler *sampler);

/** overflows_end() - end for good: a handler that still runs changes nothing any more. May sleep. */
void overflows_end(struct cpu_sampler *sampler);

/** overflows_hold() - keep NMIs off the banks until overflows_let_go(). On the CPU, interrupts off. */
static inline void overflows_hold(struct cpu_sampler *sampler)
{
	struct counter *counter = &sampler->counter;

	WRITE_ONCE(counter->is_held, true);
	/* The fast path looks at paid samples only. From here on the slow path pays none. */
	counter->held_prepaid = READ_ONCE(counter->pace.prepaid);
	WRITE_ONCE(counter->pace.prepaid, 0);
	barrier();
}

static inline void overflows_let_go(struct cpu_sampler *sampler)
{
	struct counter *counter = &sampler->counter;

	barrier();
	WRITE_ONCE(counter->pace.prepaid, counter->held_prepaid);
	WRITE_ONCE(counter->is_held, false);
}

/**
 * overflows_account() - fill in the account's fields that follow from the number of events. While
 * held, or while no handler can run.
 */
void overflows_account(struct cpu_sampler *sampler);

/** overflows_time() - fill in how long the counter was enabled and running. May sleep. */
void overflows_time(struct cpu_sampler *sampler);

#endif
