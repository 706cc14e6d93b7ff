/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock and the mode of all timers. */
#ifndef CPUPROBE_NOW_H
#define CPUPROBE_NOW_H

#include <linux/hrtimer.h>

/* HARD: expire in hard irq on RT too. PINNED: never on another CPU. */
#define TIMER_MODE HRTIMER_MODE_ABS_PINNED_HARD

/** clock_ns() - read the clock of all grids, CLOCK_MONOTONIC. Any context. */
static inline u64 clock_ns(void)
{
	return ktime_to_ns(ktime_get());
}

#endif
