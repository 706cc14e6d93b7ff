// SPDX-License-Identifier: GPL-2.0-only
/*
 * The baseline of `make bench`: a timer that interrupts the CPU at a fixed period and only counts
 * its interrupts. The timer is re-armed in the common way, by hrtimer_forward_now(), or, with
 * is_bare=1, by one addition, the cheapest possible way.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>

#include "compat.h"

static unsigned long period_ns = 1000000;
module_param(period_ns, ulong, 0444);
MODULE_PARM_DESC(period_ns, "time between two interrupts, in nanoseconds");

static bool is_bare;
module_param(is_bare, bool, 0444);
MODULE_PARM_DESC(is_bare, "do not look at the clock");

static unsigned long fired;
module_param(fired, ulong, 0444);
MODULE_PARM_DESC(fired, "interrupts so far");

static struct hrtimer timer;

static enum hrtimer_restart empty_fire(struct hrtimer *self)
{
	fired++;
	hrtimer_forward_now(self, period_ns);
	return HRTIMER_RESTART;
}

static enum hrtimer_restart bare_fire(struct hrtimer *self)
{
	fired++;
	hrtimer_add_expires_ns(self, period_ns);
	return HRTIMER_RESTART;
}

static int __init empty_init(void)
{
	compat_hrtimer_setup(&timer, is_bare ? bare_fire : empty_fire, CLOCK_MONOTONIC,
			     HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&timer, ktime_add_ns(ktime_get(), period_ns), HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

static void __exit empty_exit(void)
{
	hrtimer_cancel(&timer);
}

module_init(empty_init);
module_exit(empty_exit);
MODULE_DESCRIPTION("an empty timer, to compare with");
MODULE_LICENSE("GPL");
