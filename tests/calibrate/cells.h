/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many runs of each of many simulations, on all processors. A run's seed is made of its cell's
 * number and its own, and sums are taken in the order of the runs: results depend neither on
 * the number of processors nor on who was first.
 */
#ifndef CELLS_H
#define CELLS_H

#include <stddef.h>

#include "sim.h"

#define CELL_RUNS	5000

struct cell {
	struct sim sim;
	uint32_t number;	/* two cells of one number have the same seeds */
	/* What comes out: means over the runs. */
	double covered_frac;	/* runs whose interval holds their true share */
	double width_frac;	/* of the interval, as a share */
	double nr_samples;
};

/** cells_run() - run each of @nr cells CELL_RUNS times. Returns 0 or -errno. */
int cells_run(struct cell *cells, size_t nr);

/**
 * cell_binomial() - what Wilson's interval does with @n independent samples of the share @share.
 *
 * Exact: sums over the binomial distribution, for 0 < @share < 1. From the interval's definition,
 * not by the tool's code, which is measured by it.
 * @covered_ret: probability that the interval holds @share: that the hits are at most 1.96 standard
 *	errors away, the error taken at @share
 * @width_ret: its mean width
 */
void cell_binomial(double share, uint64_t n, double *covered_ret, double *width_ret);

#endif
