// SPDX-License-Identifier: GPL-2.0-only
/* The rates of a run that 'probe rate' has changed: see receipt_rates.h. */
#include <math.h>

#include "run/receipt_rates.h"

void receipt_clean_rates(struct receipt_rates *rates)
{
	/* NAN compares as false. */
	if (!rates->least_ns || rates->least_ns > rates->most_ns || !(rates->taken > 0) ||
	    !(rates->taken_ns >= rates->taken * rates->least_ns * 0.999) ||
	    !(rates->taken_ns <= rates->taken * rates->most_ns * 1.001))
		*rates = (struct receipt_rates){ 0 };
}

void receipt_join_rates(struct receipt_rates *rates, const struct receipt_rates *more)
{
	if (!rates->least_ns || more->least_ns < rates->least_ns)
		rates->least_ns = more->least_ns;
	if (more->most_ns > rates->most_ns)
		rates->most_ns = more->most_ns;
	rates->taken += more->taken;
	rates->taken_ns += more->taken_ns;
}

void receipt_add_rate(struct receipt_rates *rates, u64 period_ns, u64 taken)
{
	const struct receipt_rates more = {
		.least_ns = period_ns, .most_ns = period_ns, .taken = taken, .taken_ns = (double)taken * period_ns,
	};

	if (taken)
		receipt_join_rates(rates, &more);
}

double receipt_rates_excess(const struct receipt_rates *rates, double excess)
{
	return rates->taken_ns > 0 ?
		fmax((1 + excess) * rates->most_ns * rates->taken / rates->taken_ns - 1, excess) : excess;
}

u64 receipt_rates_mean_ns(const struct receipt_rates *rates, u64 period_ns)
{
	return rates->taken > 0 ? (u64)llround(rates->taken_ns / rates->taken) : period_ns;
}

double receipt_rates_bound(const struct receipt_rates *rates, u64 period_ns, double excess)
{
	struct receipt_rates all = *rates;

	receipt_add_rate(&all, period_ns, 1);
	return (1 + excess) * all.most_ns / all.least_ns - 1;
}
