// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: a thread on one CPU that keeps interrupts off for off_us microseconds, then leaves them on for on_us,
 * and so on, each in a function of its own. The parameters off_ns and on_ns say how long it has done so.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>

static unsigned int cpu = 1;
module_param(cpu, uint, 0444);
MODULE_PARM_DESC(cpu, "where the thread runs");

static unsigned long off_us = 512;
module_param(off_us, ulong, 0444);
MODULE_PARM_DESC(off_us, "time with interrupts off");

static unsigned long on_us = 504;
module_param(on_us, ulong, 0444);
MODULE_PARM_DESC(on_us, "time with interrupts on");

static unsigned long off_ns;
module_param(off_ns, ulong, 0444);
MODULE_PARM_DESC(off_ns, "sum of the times with interrupts off");

static unsigned long on_ns;
module_param(on_ns, ulong, 0444);
MODULE_PARM_DESC(on_ns, "sum of the times with interrupts on");

static struct task_struct *thread;

/* Busy-wait by the clock, read rarely: samples are to land here, not in the clock's code. */
static __always_inline unsigned long spend(unsigned long us)
{
	u64 began = ktime_get_ns(), now = began;
	unsigned int i;

	while (now - began < us * 1000) {
		for (i = 0; i < 2000; i++)
			barrier();
		now = ktime_get_ns();
	}
	return now - began;
}

static noinline void shade_off(void)
{
	unsigned long flags, spent;

	local_irq_save(flags);
	spent = spend(off_us);
	WRITE_ONCE(off_ns, off_ns + spent);
	local_irq_restore(flags);
}

static noinline void shade_on(void)
{
	WRITE_ONCE(on_ns, on_ns + spend(on_us));
}

static int run(void *unused)
{
	while (!kthread_should_stop()) {
		shade_off();
		shade_on();
		cond_resched();
	}
	return 0;
}

static int __init shade_init(void)
{
	thread = kthread_create(run, NULL, "shade");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, cpu);
	wake_up_process(thread);
	return 0;
}

static void __exit shade_exit(void)
{
	kthread_stop(thread);
}

module_init(shade_init);
module_exit(shade_exit);
MODULE_DESCRIPTION("keeps interrupts off for a known share of time, for tests");
MODULE_LICENSE("GPL");
