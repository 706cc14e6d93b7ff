/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rates of a run, which 'probe rate' changes. At a lower rate each sample counts for more time. Plain
 * data, a part of the receipt.
 */
#ifndef RECEIPT_RATES_H
#define RECEIPT_RATES_H

#include <stdbool.h>

#include "types.h"

/**
 * All 0: no samples yet. A period is that which was asked for, or a multiple of it where the module has halved the rate of
 * a CPU; one without samples is not among them.
 */
struct receipt_rates {
	u32 nr_changes;		/* of the rate that was asked for */
	u32 reserved;
	u64 least_ns;		/* shortest and longest period */
	u64 most_ns;
	double taken;		/* samples */
	double taken_ns;	/* sum of their periods */
};

/** receipt_clean_rates() - make numbers of a file valid. */
void receipt_clean_rates(struct receipt_rates *rates);

/** receipt_add_rate() - add @taken samples with a period. */
void receipt_add_rate(struct receipt_rates *rates, u64 period_ns, u64 taken);

/** receipt_join_rates() - add the samples of @more, but not its changes. */
void receipt_join_rates(struct receipt_rates *rates, const struct receipt_rates *more);

/** receipt_rates_vary() - whether samples have different periods. */
static inline bool receipt_rates_vary(const struct receipt_rates *rates)
{
	return rates->least_ns < rates->most_ns;
}

/**
 * receipt_rates_excess() - excess (stat.h) of all samples together; @excess: of those of one rate. It is that of the
 * rows that only the slowest rate has seen, the least known ones: docs/statistics.md, Samples of several clocks.
 */
double receipt_rates_excess(const struct receipt_rates *rates, double excess);

/** receipt_rates_mean_ns() - mean period of the samples; @period_ns if there are none. */
u64 receipt_rates_mean_ns(const struct receipt_rates *rates, u64 period_ns);

/**
 * receipt_rates_bound() - the most that receipt_rates_excess() can be when samples with @period_ns come too;
 * @excess: of those of one rate.
 */
double receipt_rates_bound(const struct receipt_rates *rates, u64 period_ns, double excess);

#endif
