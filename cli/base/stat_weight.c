// SPDX-License-Identifier: GPL-2.0-only
/* Intervals of shares of weighted samples: see stat_weight.h. */
#include <math.h>

#include "base/stat_weight.h"

double stat_square(const struct stat_clock *clock)
{
	return clock->weight * clock->weight * (1 + clock->excess);
}

void stat_weights_add(struct stat_weights *weights, const struct stat_clock *clock)
{
	double square = stat_square(clock);

	weights->squares += square * clock->nr;
	/* Compares weight times 1 + excess: the variance of a share per share. */
	if (!(weights->most > 0) || square / clock->weight > weights->most_square / weights->most) {
		weights->most = clock->weight;
		weights->most_square = square;
	}
}

struct stat_interval stat_weighted_share(const struct stat_weights *weights, double share,
					 double squares)
{
	double variance, per_sample;

	if (!(weights->most > 0))
		return (struct stat_interval){ 0, 1 };
	share = fmin(fmax(share, 0), 1);
	/* The sum of w^2 (1 + e) (x - share)^2, where x is 1 for a hit and 0 for other samples. */
	variance = squares * (1 - 2 * share) + weights->squares * share * share;
	/* One hit more, of the clock that tells least: without hits, nothing else is known. */
	per_sample = (fmax(variance, 0) + weights->most_square) /
		(share * (1 - share) + weights->most);
	return stat_wilson_share(share, 1, per_sample - 1);
}

double stat_weights_excess(const struct stat_weights *weights, double nr)
{
	return weights->most > 0 ? fmax(nr * weights->most_square / weights->most - 1, 0) : 0;
}
