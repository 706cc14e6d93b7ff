/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A simulated CPU with one workload, sampled. The instants come from kmod/grid.c, used as
 * kmod/timers.c and kmod/sample.h use it, or from cli/bpf/comb.c, used as cli/bpf/teeth.c uses it;
 * each sample starts exactly at its instant. The comb of one tooth alone is that of cli/rings/own_threads.c, whose
 * time is a thread's running. All functions are pure.
 */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stdint.h>

/** Sampling schemes. The first three are the module's own and have its numbers. */
enum sim_scheme { SIM_GRID, SIM_POISSON, SIM_FIXED, SIM_NAIVE, SIM_COMB, SIM_SINGLE };

struct sim {
	enum sim_scheme scheme;		/* naive: gaps uniform in half a period to one and a half */
	uint64_t period_ns;
	bool is_random;			/* busy and idle times are exponential, else fixed */
	double cycle_periods;		/* mean length of a busy and an idle time, in periods */
	double busy_frac;		/* share of each cycle, or of the mean cycle */
	uint64_t nr_samples;		/* at least 1; comb, single: that many periods */
	double excess;			/* of the samples: widens the intervals */
	double stop_half;		/* stop early at an interval of this half-width; 0: never */
};

/** Samples between two checks of the half-width. */
#define SIM_LOOK	1000

struct sim_result {
	uint64_t nr_samples;
	uint64_t hits;			/* samples that found the workload busy */
	double busy_frac;		/* true busy share of the sampled time of this run */
};

/**
 * sim_run() - one run of @sim.
 *
 * The sampled time extends from the grid's origin to the end of the last sample's period; without a
 * grid (Poisson, naive) from the start to the last sample. A comb is sampled for a fixed time, whose
 * end no sample marks; its busy times must not be random, and it never stops early.
 * @seed: different seeds give independent runs
 */
struct sim_result sim_run(const struct sim *sim, uint64_t seed);

#endif
