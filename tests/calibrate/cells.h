/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many runs of each of many simulations, on all processors. A run's seed is made of its cell's
 * number and the run's own number, and sums are taken in the order of the runs: the results depend
 * neither on the number of processors nor on the order in which they finish.
 */
#ifndef CELLS_H
#define CELLS_H

#include <stddef.h>

#include "sim.h"

#define CELL_RUNS	5000

struct cell {
	struct sim sim;
	uint32_t number;	/* cells with equal numbers have equal seeds */
	/* Results: means over the runs. */
	double covered_frac;	/* runs whose interval contains their true share */
	double width_frac;	/* width of the interval, as a share */
	double nr_samples;
};

/** cells_run() - run each of @nr cells CELL_RUNS times. Returns 0 or -errno. */
int cells_run(struct cell *cells, size_t nr);

/**
 * cell_binomial() - coverage and width of Wilson's interval for @n independent samples of @share.
 *
 * The values are exact: sums over the binomial distribution, for 0 < @share < 1. They follow from
 * the interval's definition, not from the tool's code, which they serve to judge.
 * @covered_ret: probability that the interval contains @share: that the hits are at most 1.96
 * 	standard errors away, with the standard error taken at @share
 * @width_ret: mean width
 */
void cell_binomial(double share, uint64_t n, double *covered_ret, double *width_ret);

#endif
