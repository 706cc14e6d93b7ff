/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The handlers of counters, for the kinds that have one of their own: the fast path of a sample of an event. It
 * serves a counter of the processor that overflows as planned, and neither reads the clock nor calls a function. All
 * other overflows take the slow path, and so does one in many, to hold the session to its rate and to
 * measure its cost. `make bench` shows the cost of a sample.
 */
#ifndef CPUPROBE_OVERFLOW_H
#define CPUPROBE_OVERFLOW_H

#include <linux/perf_event.h>

#include "sample.h"

/* The kernel's own mark of a counter that it has stopped (MAX_INTERRUPTS in its events/core.c). */
#define INTERRUPTS_THROTTLED	(~0ULL)

/** overflow_slow_path() - handle any overflow, with the kind's count(). Any context, interrupts on or off. */
void overflow_slow_path(struct cpu_sampler *sampler, struct perf_event *event, struct pt_regs *regs);

/** overflow_mode() - sample_mode() of an event, most of which happen in user mode. */
static __always_inline unsigned long overflow_mode(const struct task_struct *task, struct pt_regs *regs)
{
	return likely(user_mode(regs)) ? CPUPROBE_MODE_USER : sample_mode(task, regs);
}

/** overflow_is_left_out() - whether an overflow has interrupted the mode that its event leaves out. */
static __always_inline bool overflow_is_left_out(const struct counter *counter, struct pt_regs *regs)
{
	return unlikely(counter->left_out) &&
		counter->left_out & (user_mode(regs) ? CPUPROBE_EVENT_NO_USER : CPUPROBE_EVENT_NO_KERNEL);
}

/**
 * overflow_begin() - set the distance to the overflow after the next one. Hard irq or NMI.
 * False: the slow path has dealt with the overflow; else the caller counts a sample.
 *
 * While the sampler is held, no sample is paid. The handler of a counter of the processor is not interrupted by
 * itself: it need not hold the sampler.
 */
static __always_inline bool overflow_begin(struct cpu_sampler *sampler, struct perf_event *event,
					   struct pt_regs *regs)
{
	struct counter *counter = &sampler->counter;
	u64 next = local64_read(&event->count) + local64_read(&event->hw.period_left);

	if (unlikely(!counter->pace.prepaid || overflow_is_left_out(counter, regs) ||
		     event->hw.interrupts == INTERRUPTS_THROTTLED || !meter_is_planned(&counter->meter, next))) {
		overflow_slow_path(sampler, event, regs);
		return false;
	}
	counter->pace.prepaid--;
	event->hw.sample_period = meter_sample_planned(&counter->meter, next);
	return true;
}

#endif
