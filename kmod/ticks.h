/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of timed calls: the processor's counter, which is the cheapest to read. Sums are kept in
 * its ticks. The scheduler's clock takes its place if the kernel does not trust the counter: ticks are
 * nanoseconds then, and CPUs may differ by a tick of the kernel's.
 */
#ifndef CPUPROBE_TICKS_H
#define CPUPROBE_TICKS_H

#include <linux/clocksource.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>

#include "arch.h"

struct ticks {
	bool is_counter;
	u32 mult, shift;	/* nanoseconds of a tick: mult / 2^shift */
};

/** ticks_init() - choose the clock. */
static inline void ticks_init(struct ticks *ticks)
{
	u32 khz = arch_counter_khz();

	ticks->is_counter = khz;
	ticks->mult = 1;
	ticks->shift = 0;
	/* For times of up to ten minutes; longer ones lose nothing, since products have 96 bits. */
	if (khz)
		clocks_calc_mult_shift(&ticks->mult, &ticks->shift, khz, USEC_PER_SEC, 600);
}

/** ticks_is_stable() - whether all CPUs agree on the time; the kernel may find out later that they do not. */
static inline bool ticks_is_stable(const struct ticks *ticks)
{
	return ticks->is_counter && arch_counter_khz();
}

/** ticks_now() - read the clock. Any context. */
static __always_inline u64 ticks_now(const struct ticks *ticks)
{
	return likely(ticks->is_counter) ? arch_counter() : local_clock();
}

/** ticks_to_ns() - nanoseconds of a number of ticks. */
static __always_inline u64 ticks_to_ns(const struct ticks *ticks, u64 nr)
{
	/* The compiler would look for shifts of 64 and more. */
	return mul_u64_u32_shr(nr, ticks->mult, ticks->shift & 63);
}

#endif
