// SPDX-License-Identifier: GPL-2.0-only
/* The cost of sampling, from pairs of times: see costs.h. */
#include <errno.h>
#include <math.h>

#include "sys/costs.h"

/** A series of numbers, for their mean and its interval. */
struct series {
	double sum, sum2;
	u64 nr;
};

static void add_number(struct series *series, double number)
{
	series->sum += number;
	series->sum2 += number * number;
	series->nr++;
}

static double compute_mean(const struct series *series, struct stat_interval *interval_ret)
{
	struct stat_mean mean = stat_mean_of(series->sum, series->sum2, series->nr);

	*interval_ret = stat_mean_interval(&mean);
	return mean.mean;
}

int cost_compute(struct cost *cost, const struct cost_round *rounds, size_t nr)
{
	struct series slowdown = { .nr = 0 }, sample = { .nr = 0 };
	u64 session_ns = 0;
	double busy;
	size_t i;

	cost->taken = cost->missed = 0;
	cost->work_seconds = 0;
	cost->nr_rounds = nr;
	for (i = 0; i < nr; i++) {
		const struct cost_round *round = &rounds[i];
		double added = round->sampled_seconds - round->plain_seconds;

		if (!round->taken)
			return -ENODATA;
		cost->work_seconds += round->plain_seconds / nr;
		cost->taken += round->taken;
		cost->missed += round->missed;
		session_ns += round->session_ns;
		add_number(&slowdown, added / round->plain_seconds);
		/* The session's samples per second, times the seconds of the work. */
		add_number(&sample, added / round->sampled_seconds * round->session_ns / round->taken);
	}
	cost->slowdown = compute_mean(&slowdown, &cost->slowdown_interval);
	cost->sample_ns = compute_mean(&sample, &cost->sample_interval);
	/* Samples take this share of the time, and the work gets the rest. */
	busy = (double)cost->claim_ns * cost->taken / session_ns;
	cost->claim = busy < 1 ? busy / (1 - busy) : NAN;
	return 0;
}

bool cost_is_shown(const struct cost *cost)
{
	return cost->slowdown_interval.lo > 0 || cost->slowdown_interval.hi < 0;
}
