/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all handlers of the timer do: all take the same steps in the same order: look at the clock
 * and set the next instant, find out who runs where, count. What few samples need is out of line,
 * so that the way of the others is short and saves few registers: `make bench` shows every step.
 * Hard irq on the CPU sampled.
 */
#ifndef CPUPROBE_SAMPLE_H
#define CPUPROBE_SAMPLE_H

#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <asm/irq_regs.h>

#include "arch.h"
#include "guard.h"
#include "now.h"
#include "session.h"

/* How many samples of stacks there are to one that is timed; a power of two. */
#define STACKS_PER_TIMED	16

/** One sample; it lives in registers. */
struct sample {
	struct task_struct *task;
	struct pt_regs *regs;
	u64 now_ns;		/* when the handler began */
	s64 late_ns;		/* behind its programmed instant */
	unsigned long mode;	/* enum cpuprobe_mode */
};

/** Registers of a sample that no interrupt brought: in the kernel, at address 0. */
extern struct pt_regs sample_no_regs;

static __always_inline unsigned long mode_of(const struct task_struct *task, struct pt_regs *regs)
{
	if (user_mode(regs))
		return CPUPROBE_MODE_USER;
	if (in_serving_softirq())
		return CPUPROBE_MODE_SOFTIRQ;
	return unlikely(task->flags & PF_VCPU) ? CPUPROBE_MODE_GUEST : CPUPROBE_MODE_KERNEL;
}

/*
 * Expire at @time, or a little before it together with another timer. What
 * hrtimer_set_expires_range_ns() does, without its call to guard against an overflow that
 * cannot be here.
 */
static __always_inline void set_expiry(struct hrtimer *timer, ktime_t time)
{
	timer->node.expires = time;
	timer->_softexpires = time - GRID_EARLY_NS;
}

/*
 * The registers that the interrupt has saved. Timers may also be served without one, with
 * interrupts off: 6.1 does when a CPU goes offline. The place is then unknown.
 */
static __always_inline struct pt_regs *irq_regs(void)
{
	struct pt_regs *regs = get_irq_regs();

	return likely(regs) ? regs : &sample_no_regs;
}

/* Periods have passed without a sample before this one, whose place they are charged to. */
void sample_missed(struct cpu_sampler *sampler, u64 missed);

static __always_inline struct sample begin_sample(struct cpu_sampler *sampler)
{
	u64 now_ns = clock_ns();
	struct sample sample = {
		.now_ns = now_ns, .late_ns = now_ns - sampler->grid.expiry_ns
	};
	u64 missed = grid_advance(&sampler->grid, now_ns);

	if (unlikely(missed))
		sample_missed(sampler, missed);
	set_expiry(&sampler->timer, ns_to_ktime(sampler->grid.expiry_ns));
	sample.task = current;
	sample.regs = irq_regs();
	sample.mode = mode_of(sample.task, sample.regs);
	return sample;
}

/*
 * The end of a handler that takes long: the next instant must not have passed when the timer is
 * armed. Returns the time that the handler took.
 */
static inline u64 end_long_sample(struct cpu_sampler *sampler, const struct sample *sample)
{
	u64 now_ns = clock_ns(), took_ns = now_ns - sample->now_ns;
	struct bank *bank = sampler->active;

	grid_postpone(&sampler->grid, now_ns);
	set_expiry(&sampler->timer, ns_to_ktime(sampler->grid.expiry_ns));
	bank->timed++;
	bank->handler_ns += took_ns;
	bank->clipped_ns += min(took_ns, GUARD_CLIP * READ_ONCE(sampler->handler_limit_ns));
	return took_ns;
}

/*
 * The same for a handler that rarely takes as long as it may: when the next instant is nearer than
 * that, or else at random once in so many samples. To read the clock costs a fortieth of a short
 * stack.
 */
static inline void end_stack_sample(struct cpu_sampler *sampler, const struct sample *sample)
{
	u64 near_ns = READ_ONCE(sampler->handler_limit_ns) + GRID_FLOOR_NS;

	if (sampler->grid.expiry_ns - sample->now_ns < near_ns ||
	    !(sampler->grid.random >> 32 & (STACKS_PER_TIMED - 1)))
		end_long_sample(sampler, sample);
}

/* What is left of every sample but its place. Returns whether it is deferred. */
static __always_inline bool count_sample(const struct session *session, struct bank *bank,
					 const struct sample *sample)
{
	WRITE_ONCE(bank->taken, bank->taken + 1);
	bank->late_ns += sample->late_ns;
	if (unlikely(sample->late_ns > bank->late_max_ns))
		bank->late_max_ns = sample->late_ns;
	if (likely(sample->late_ns <= (s64)session->deferred_ns))
		return false;
	bank->deferred++;
	return true;
}

/* Whether a deferred sample is to be left out; it is then accounted for here. */
static inline bool is_excluded(const struct session *session, struct bank *bank)
{
	bank->excluded += session->excludes_deferred;
	return session->excludes_deferred;
}

/*
 * Idle's lateness is the time it takes to wake up: nothing kept the sample waiting. Softirq work
 * on top of it is another matter.
 */
static __always_inline bool has_woken_idle(const struct task_struct *task, unsigned long mode)
{
	return is_idle_task(task) && mode != CPUPROBE_MODE_SOFTIRQ;
}

#endif
