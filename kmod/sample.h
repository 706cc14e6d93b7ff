/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The common part of all timer handlers. Each handler takes the same steps in the same order: read
 * the clock and set the next instant, find out which task runs where, count. Code that few samples
 * need is out of line, so that the fast path is short and saves few registers; `make bench` shows
 * its cost. Hard irq on the sampled CPU.
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

/* One in this many samples of stacks is timed; a power of two. */
#define STACKS_PER_TIMED	16

/* A gap of at least this length is attributed to a stalled host, not to overload. */
#define LOST_TIME_NS	100000000

/** One sample; the compiler keeps it in registers. */
struct sample {
	struct task_struct *task;
	struct pt_regs *regs;
	u64 now_ns;		/* when the handler began */
	s64 late_ns;		/* delay after the programmed instant */
	unsigned long mode;	/* enum cpuprobe_mode */
};

/** Registers of a sample without an interrupt: kernel mode, address 0. */
extern struct pt_regs sample_no_regs;

static __always_inline unsigned long sample_mode(const struct task_struct *task,
						 struct pt_regs *regs)
{
	if (user_mode(regs))
		return CPUPROBE_MODE_USER;
	if (in_serving_softirq())
		return CPUPROBE_MODE_SOFTIRQ;
	return unlikely(task->flags & PF_VCPU) ? CPUPROBE_MODE_GUEST : CPUPROBE_MODE_KERNEL;
}

/*
 * Expire at @time, or up to GRID_EARLY_NS before, together with another timer. Does the same as
 * hrtimer_set_expires_range_ns(), without its overflow check, which is not needed here.
 */
static __always_inline void set_expiry(struct hrtimer *timer, ktime_t time)
{
	timer->node.expires = time;
	timer->_softexpires = time - GRID_EARLY_NS;
}

/*
 * The registers that the interrupt has saved. The kernel may also run timers outside an interrupt,
 * with interrupts off: 6.1 does when a CPU goes offline. Then the address is unknown.
 */
static __always_inline struct pt_regs *irq_regs(void)
{
	struct pt_regs *regs = get_irq_regs();

	return likely(regs) ? regs : &sample_no_regs;
}

/* Account for periods missed before this sample; they will be charged to its record. */
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
	sample.mode = sample_mode(sample.task, sample.regs);
	return sample;
}

/*
 * End a handler that takes long: postpone the next instant, which must not have passed when the
 * timer is armed. Returns the time that the handler took.
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
 * end_long_sample() for a handler that rarely takes long: only if the next instant is within the
 * handler's limit, or at random for one in STACKS_PER_TIMED samples. Reading the clock costs a
 * fortieth of a short stack.
 */
static inline void end_stack_sample(struct cpu_sampler *sampler, const struct sample *sample)
{
	u64 near_ns = READ_ONCE(sampler->handler_limit_ns) + GRID_FLOOR_NS;

	if (sampler->grid.expiry_ns - sample->now_ns < near_ns ||
	    !(sampler->grid.random >> 32 & (STACKS_PER_TIMED - 1)))
		end_long_sample(sampler, sample);
}

/* Count a sample in the bank, except its record or place. Returns whether it is deferred. */
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

/* Whether to leave out a deferred sample; if so, counts it as excluded. */
static inline bool is_excluded(const struct session *session, struct bank *bank)
{
	bank->excluded += session->excludes_deferred;
	return session->excludes_deferred;
}

/*
 * Whether the sample woke an idle CPU. Its lateness is wake-up latency: no code delayed the sample.
 * Softirq work on top of idle does delay samples.
 */
static __always_inline bool has_woken_idle(const struct task_struct *task, unsigned long mode)
{
	return is_idle_task(task) && mode != CPUPROBE_MODE_SOFTIRQ;
}

/* Whether an NMI has interrupted a hard irq. An NMI counts as one, too. */
static inline bool is_above_irq(void)
{
	return hardirq_count() > HARDIRQ_OFFSET;
}

/*
 * Whether the sample, taken by an NMI, found code that keeps interrupts off. An idle CPU does not: some wait
 * with interrupts off, and are woken by one.
 */
static inline bool sample_is_irqs_off(const struct sample *sample)
{
	return arch_is_irqs_off(sample->regs) &&
		(!has_woken_idle(sample->task, sample->mode) || is_above_irq());
}

#endif
