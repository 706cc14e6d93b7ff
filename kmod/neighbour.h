/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions that sample by NMI: the timer of each sampled CPU runs on another CPU of the session, its
 * sender, and sends the sampled CPU an NMI at each instant of its grid. So a sample lands where the CPU is,
 * also in code that keeps interrupts off. See credit.h for whose an NMI is.
 *
 * These write:
 *  - The grid of a CPU and what its sender counts: the sender's timer, and the swap of the banks on the sampled
 *    CPU, under a raw spinlock that no NMI takes.
 *  - The active bank: NMIs of its CPU. While the banks are swapped the sampler is held (overflows.h): an NMI
 *    that comes then takes no sample, and its period counts as missed.
 *  - The list of samplers of a CPU: that CPU with interrupts off, or any while the CPU is offline, under
 *    timers_sem. So after a sampler has left the list, no NMI uses it.
 *
 * An NMI serves all sessions that have sent one: they merge, but none loses its sample.
 *
 * Sender and sampled CPU come and go by hotplug, and each CPU's sender is the next one in a ring of those that are
 * there. The last CPU of a session that is online has none: until another one comes it is not sampled, and the next
 * account says so.
 */
#ifndef CPUPROBE_NEIGHBOUR_H
#define CPUPROBE_NEIGHBOUR_H

#include "session.h"

/** neighbour_check() - check the flag of START. 0 or -errno with a reason. */
int neighbour_check(const struct session *session, struct cpuprobe_start *start);

/** neighbour_init_sampler() - prepare to sample @cpu; no NMI is sent yet. */
void neighbour_init_sampler(struct cpu_sampler *sampler, unsigned int cpu);

/** cpuprobe_fire_nmi() - the timer's function: hard irq on the sender. */
enum hrtimer_restart cpuprobe_fire_nmi(struct hrtimer *timer);

/**
 * neighbour_get() - get the machine ready for a session that samples by NMI, until neighbour_put(). Not
 * under timers_sem. May sleep. -EBUSY: too many such sessions; or what the kernel says.
 */
int neighbour_get(void);
void neighbour_put(void);

/** neighbour_teardown() - after the last session, before the module is unloaded. May sleep. */
void neighbour_teardown(void);

/** neighbour_has_two() - whether two of the session's CPUs are among @up. */
bool neighbour_has_two(const struct session *session, const struct cpumask *up);

/*
 * The next functions: under timers_sem, in process context. @up: CPUs whose timers may run. CPUs that are
 * not in the session are not disturbed.
 */

/** neighbour_begin() - begin to sample @cpu, if there is a sender. */
void neighbour_begin(struct session *session, unsigned int cpu, const struct cpumask *up);

/** neighbour_end() - end sampling @cpu: afterwards no handler runs, and nobody sends. */
void neighbour_end(struct session *session, unsigned int cpu);

/** neighbour_come() - @cpu has come online and is among @up: sample it, and let it send. */
void neighbour_come(struct session *session, unsigned int cpu, const struct cpumask *up);

/** neighbour_go() - @cpu goes offline and is not among @up any more. */
void neighbour_go(struct session *session, unsigned int cpu, const struct cpumask *up);

/**
 * neighbour_lock() - keep the sender from changing the grid until neighbour_unlock(). Interrupts off, on the
 * sampled CPU; or while nobody sends.
 */
static inline void neighbour_lock(struct cpu_sampler *sampler)
{
	raw_spin_lock(&sampler->neighbour.lock);
}

static inline void neighbour_unlock(struct cpu_sampler *sampler)
{
	raw_spin_unlock(&sampler->neighbour.lock);
}

/**
 * neighbour_account() - fill in the account's fields that follow from the clock and from what was sent, and
 * the missed periods of its bank. Between neighbour_lock() and neighbour_unlock(), while held.
 */
void neighbour_account(struct cpu_sampler *sampler, struct bank *bank, u64 now_ns);

#endif
