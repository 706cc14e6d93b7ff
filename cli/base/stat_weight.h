/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intervals of shares whose samples have different weights: samples of several clocks, each of which
 * has the time between two of its samples as its weight. Pure. docs/statistics.md derives the formula.
 */
#ifndef STAT_WEIGHT_H
#define STAT_WEIGHT_H

#include "base/stat.h"

/**
 * Samples of one clock, or of one CPU. Their weights are equal: a share of all time divided by the
 * number of samples.
 */
struct stat_clock {
	double weight;		/* of one sample; those of all samples add up to 1 */
	double nr;		/* samples */
	double excess;		/* of these samples, as in stat.h */
};

/** Sums over all samples. All zero: none. */
struct stat_weights {
	double squares;		/* of the weights, each times 1 + excess */
	double most;		/* weight of the sample that tells least */
	double most_square;	/* its square times 1 + excess */
};

/** stat_square() - the square of a sample's weight, times 1 + excess. */
double stat_square(const struct stat_clock *clock);

/** stat_weights_add() - add the samples of a clock. */
void stat_weights_add(struct stat_weights *weights, const struct stat_clock *clock);

/**
 * stat_weighted_share() - 95% interval of a share: Wilson's, with the number of independent samples
 * that tell as much about this share.
 * @squares: the sum of stat_square() over the hits; 0..weights->squares
 */
struct stat_interval stat_weighted_share(const struct stat_weights *weights, double share,
					 double squares);

/**
 * stat_weights_excess() - the excess that is right for the share whose hits tell least, and too large
 * for all others. @nr: all samples
 */
double stat_weights_excess(const struct stat_weights *weights, double nr);

#endif
