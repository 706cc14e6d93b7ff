// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: keeps interrupts off for hold_us microseconds every period_ms milliseconds, by
 * local_irq_save(), with is_lock=1 by raw_spin_lock_irqsave(), or with is_softirq=1 in a timer's
 * function, mostly on top of idle; each in a function of its own. With is_open=1 the timer's function
 * leaves interrupts on: softirq work that samples can land in.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static unsigned long hold_us = 700;
module_param(hold_us, ulong, 0644);
MODULE_PARM_DESC(hold_us, "time with interrupts off");

static unsigned long period_ms = 20;
module_param(period_ms, ulong, 0644);
MODULE_PARM_DESC(period_ms, "time between two such intervals");

static bool is_lock;
module_param(is_lock, bool, 0644);
MODULE_PARM_DESC(is_lock, "hold a raw spinlock");

static bool is_softirq;
module_param(is_softirq, bool, 0444);
MODULE_PARM_DESC(is_softirq, "work in a softirq");

static bool is_open;
module_param(is_open, bool, 0444);
MODULE_PARM_DESC(is_open, "leave interrupts on in the softirq");

static struct task_struct *holder;
static struct timer_list timer;
/* A raw lock: on RT any other lock leaves interrupts on, and its holder may sleep. */
static DEFINE_RAW_SPINLOCK(held_lock);

/* Busy-wait by the clock: mdelay() depends on a calibration that emulators distort. */
static void hold(void)
{
	u64 until = ktime_get_ns() + hold_us * 1000;

	while (ktime_get_ns() < until)
		cpu_relax();
}

static noinline void irqs_off_by_hand(void)
{
	unsigned long flags;

	local_irq_save(flags);
	hold();
	local_irq_restore(flags);
	barrier();
}

static noinline void irqs_off_by_lock(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&held_lock, flags);
	hold();
	raw_spin_unlock_irqrestore(&held_lock, flags);
	barrier();
}

static void irqs_off_in_softirq(struct timer_list *self)
{
	unsigned long flags;

	local_irq_save(flags);
	hold();
	local_irq_restore(flags);
	mod_timer(self, jiffies + msecs_to_jiffies(period_ms));
}

static void busy_in_softirq(struct timer_list *self)
{
	hold();
	mod_timer(self, jiffies + msecs_to_jiffies(period_ms));
}

static int run(void *unused)
{
	while (!kthread_should_stop()) {
		if (READ_ONCE(is_lock))
			irqs_off_by_lock();
		else
			irqs_off_by_hand();
		msleep(READ_ONCE(period_ms));
	}
	return 0;
}

static int __init irqoff_init(void)
{
	timer_setup(&timer, is_open ? busy_in_softirq : irqs_off_in_softirq, 0);
	if (is_softirq) {
		mod_timer(&timer, jiffies + 1);
		return 0;
	}
	holder = kthread_run(run, NULL, "irqoff");
	return PTR_ERR_OR_ZERO(holder);
}

static void __exit irqoff_exit(void)
{
	if (holder)
		kthread_stop(holder);
	/* The timer's function re-arms the timer and may be running now. */
	while (timer_delete_sync(&timer))
		;
}

module_init(irqoff_init);
module_exit(irqoff_exit);
MODULE_DESCRIPTION("keeps interrupts off, for tests");
MODULE_LICENSE("GPL");
