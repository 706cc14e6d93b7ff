/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between kernel versions, each with what changed and when. Nowhere else. */
#ifndef CPUPROBE_COMPAT_H
#define CPUPROBE_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/version.h>

/*
 * 6.13 added hrtimer_setup(), 6.15 removed hrtimer_init() (commits "hrtimers:
 * Introduce hrtimer_setup() to replace hrtimer_init()" and its follow-ups).
 */
static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

#endif
