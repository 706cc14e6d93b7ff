/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU, one workload on it, sampled. The instants come from kmod/grid.c, used as
 * kmod/clock.c and kmod/sampler.c use it, each sample starting at its very instant.
 * Pure functions of what they are given.
 */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stdint.h>

/** Where samples are taken. The first three are the module's own and have its numbers. */
enum sim_scheme { SIM_GRID, SIM_POISSON, SIM_FIXED, SIM_NAIVE };

struct sim {
	enum sim_scheme scheme;		/* naive: gaps uniform in half a period to one and a half */
	uint64_t period_ns;
	bool is_random;			/* busy and idle times are exponential, else fixed */
	double cycle_periods;		/* mean length of a busy and an idle time, in periods */
	double busy_frac;		/* of each cycle, or of time in the long run if random */
	uint64_t nr_samples;		/* at least 1 */
	double stop_half;		/* stop earlier, at an interval this half-wide; 0: never */
};

/** Samples between two looks at the half-width. */
#define SIM_LOOK	1000

struct sim_result {
	uint64_t nr_samples;
	uint64_t hits;			/* samples that found the workload busy */
	double busy_frac;		/* the truth: of the time sampled in this very run */
};

/**
 * sim_run() - one run of @sim.
 *
 * The time sampled goes from the grid's origin to the end of the last sample's period; without
 * a grid (Poisson, naive) from the start to the last sample.
 * @seed: two seeds, two unrelated runs
 */
struct sim_result sim_run(const struct sim *sim, uint64_t seed);

#endif
