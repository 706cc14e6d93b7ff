// SPDX-License-Identifier: GPL-2.0-only
/* A simulated CPU with one workload, sampled: see sim.h. */
#include <assert.h>

#include "grid.h"
#include "load.h"
#include "sim.h"
#include "base/stat.h"
#include "bpf/comb.h"

static_assert((int)SIM_GRID == (int)CPUPROBE_JITTER_GRID, "the module's number");
static_assert((int)SIM_POISSON == (int)CPUPROBE_JITTER_POISSON, "the module's number");
static_assert((int)SIM_FIXED == (int)CPUPROBE_JITTER_NONE, "the module's number");

/* Naive scheme, not the module's: independent gaps, uniform in 0.5 to 1.5 periods. */
static void naive_advance(struct grid *grid)
{
	grid->expiry_ns += grid->period_ns / 2 + grid_random_below(grid, grid->period_ns);
}

/* Take @nr samples; returns how many found the workload busy. */
static uint64_t sample(struct grid *grid, struct load *load, uint64_t nr, bool is_naive)
{
	uint64_t hits = 0;

	if (is_naive) {
		while (nr--) {
			hits += load_is_busy(load, grid->expiry_ns);
			naive_advance(grid);
		}
		return hits;
	}
	while (nr--) {
		hits += load_is_busy(load, grid->expiry_ns);
		grid_advance(grid, grid->expiry_ns);
	}
	return hits;
}

static bool is_enough(const struct sim *sim, const struct sim_result *result)
{
	struct stat_interval interval = stat_wilson(result->hits, result->nr_samples, sim->excess);

	return sim->stop_half > 0 && (interval.hi - interval.lo) / 2 <= sim->stop_half;
}

/* One period of a tooth: all samples before @end_ns. */
static void sample_stretch(struct load *load, const struct comb_stretch *stretch, uint64_t end_ns,
			   struct sim_result *result)
{
	uint64_t nr = comb_whole(stretch, end_ns), at = stretch->began_ns;

	result->nr_samples += nr;
	while (nr--)
		result->hits += load_is_busy(load, at += stretch->period_ns);
}

/* A tooth from its start; each period lasts for a gap. */
static void sample_tooth(struct comb *comb, unsigned int tooth, struct load *load, uint64_t end_ns,
			 struct sim_result *result)
{
	struct comb_stretch stretch = { 0, comb_draw_period(comb, tooth) };
	uint64_t until_ns;

	for (until_ns = comb_draw_gap(comb); stretch.began_ns < end_ns;) {
		sample_stretch(load, &stretch, until_ns < end_ns ? until_ns : end_ns, result);
		stretch = (struct comb_stretch){ until_ns, comb_draw_period(comb, tooth) };
		until_ns += comb_draw_gap(comb);
	}
}

static struct sim_result run_comb(const struct sim *sim, uint64_t seed)
{
	uint64_t random = seed, end_ns = sim->nr_samples * sim->period_ns;
	struct sim_result result = { 0 };
	unsigned int tooth;
	struct comb comb;
	struct load load;

	assert(!sim->is_random);
	if (sim->scheme == SIM_COMB)
		comb_init(&comb, random_next(&random), sim->period_ns);
	else
		comb_init_single(&comb, random_next(&random), sim->period_ns, comb_single_gap(sim->period_ns));
	load_init(&load, sim, 0, random_next(&random));
	/* The teeth are independent, and so are draws in any order. */
	for (tooth = 0; tooth < comb.nr_teeth; tooth++)
		sample_tooth(&comb, tooth, &load, end_ns, &result);
	result.busy_frac = load_busy_frac(&load, 0, end_ns);
	return result;
}

struct sim_result sim_run(const struct sim *sim, uint64_t seed)
{
	bool is_naive = sim->scheme == SIM_NAIVE;
	bool has_grid = sim->scheme == SIM_GRID || sim->scheme == SIM_FIXED;
	uint64_t random = seed, now_ns = random_next(&random) >> 20, begin_ns, end_ns = 0;
	struct sim_result result = { 0 };
	struct grid grid;
	struct load load;

	if (sim->scheme == SIM_COMB || sim->scheme == SIM_SINGLE)
		return run_comb(sim, seed);
	grid_init(&grid, sim->period_ns, is_naive ? SIM_FIXED : sim->scheme,
		  random_next(&random), 0);
	grid_begin(&grid, now_ns);
	begin_ns = has_grid ? grid.origin_ns : now_ns;
	if (is_naive) {
		grid.expiry_ns = begin_ns;
		naive_advance(&grid);
	}
	load_init(&load, sim, begin_ns, random_next(&random));
	do {
		uint64_t nr = sim->nr_samples - result.nr_samples;

		/* All but the last sample, which ends the sampled time if there is no grid. */
		nr = nr < SIM_LOOK ? nr : SIM_LOOK;
		result.hits += sample(&grid, &load, nr - 1, is_naive);
		end_ns = grid.expiry_ns;
		result.hits += sample(&grid, &load, 1, is_naive);
		result.nr_samples += nr;
	} while (result.nr_samples < sim->nr_samples && !is_enough(sim, &result));
	if (has_grid)
		end_ns = grid.origin_ns + result.nr_samples * sim->period_ns;
	result.busy_frac = load_busy_frac(&load, begin_ns, end_ns);
	return result;
}
