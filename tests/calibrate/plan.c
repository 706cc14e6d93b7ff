// SPDX-License-Identifier: GPL-2.0-only
/* The simulations: see plan.h. */
#include <math.h>
#include <stdio.h>

#include "plan.h"
#include "bpf/comb.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define PERIOD_NS	1000000	/* the tool's default rate */

/* Passed as the length of a cycle: random busy and idle times, with a mean cycle of 3 periods. */
#define RANDOM		(-3.0)

static const double cycles[] = { 0.01, 0.1, 0.37, 1, 1.5, 2.7, 10, 100, RANDOM };
static const double shares[] = { 0.001, 0.01, 0.05, 0.26, 0.5, 0.74, 0.95, 0.99 };

/* A million samples take long: only workloads with nearly independent samples. */
static const double long_cycles[] = { 0.01, 0.37, 1, 1.5 };
static const double long_shares[] = { 0.001, 0.05, 0.5 };

/* For the secondary questions; the first is 1.5 cycles in a period. */
static const double some_cycles[] = { 1 / 1.5, 1, 1.5, 10, RANDOM };
static const double some_shares[] = { 0.05, 0.5, 0.74 };

/*
 * Cycles of programs that the comb samples, in periods: in step with the rate, with the draws of
 * periods and their mean gap, with the slowest and the fastest teeth, and in between.
 */
static const double comb_cycles[] = { 1, 4, 4.5, 5, 6, 10, 25, 50, 100, 200, 400, 1000, 3000 };
/* Cycles of a thread's running: in step with its event, with the ends of its range, and with the draws. */
static const double single_cycles[] = { 0.5, 0.9, 0.95, 1, 1.05, 1.1, 1.5, 2, 4, 10, 50, 100, 1000 };
static const double comb_shares[] = { 0.05, 0.25, 0.5 };

static const char *cycle_name(double cycle, char name[MATRIX_NAME_LEN])
{
	if (cycle == RANDOM)
		return "random";
	snprintf(name, MATRIX_NAME_LEN, "%.3g", cycle);
	return name;
}

static struct sim sim_of(double cycle, double share, uint64_t nr_samples)
{
	return (struct sim){
		.scheme = SIM_GRID, .period_ns = PERIOD_NS, .is_random = cycle == RANDOM,
		.cycle_periods = fabs(cycle), .busy_frac = share, .nr_samples = nr_samples,
	};
}

bool plan_is_common(const struct sim *sim)
{
	/* 100 samples of 5% or 95% count as common, whatever the rounding. */
	return sim->nr_samples * fmin(sim->busy_frac, 1 - sim->busy_frac) > 5 - 1e-6;
}

static void coverage_fill(struct matrix *matrix, uint64_t nr_samples, const double *cycle,
			  size_t nr_cycles, const double *share, size_t nr_shares)
{
	char name[MATRIX_NAME_LEN];
	double width;

	snprintf(matrix->corner, sizeof(matrix->corner), "%llu samples",
		 (unsigned long long)nr_samples);
	snprintf(matrix->last, sizeof(matrix->last), "Wilson");
	matrix->nr_rows = nr_shares;
	matrix->nr_columns = nr_cycles;
	for (size_t column = 0; column < nr_cycles; column++)
		snprintf(matrix->column[column], MATRIX_NAME_LEN, "%s",
			 cycle_name(cycle[column], name));
	for (size_t row = 0; row < nr_shares; row++) {
		for (size_t column = 0; column < nr_cycles; column++)
			matrix_cell(matrix, row, column)->sim =
				sim_of(cycle[column], share[row], nr_samples);
		snprintf(matrix->row[row], MATRIX_NAME_LEN, "%g%%%s", 100 * share[row],
			 plan_is_common(&matrix_cell(matrix, row, 0)->sim) ? "" : " *");
		cell_binomial(share[row], nr_samples, &matrix->number_last[row], &width);
	}
}

static void schemes_fill(struct matrix *matrix, bool is_quick)
{
	static const char *names[] = { "grid", "poisson", "none", "naive" };
	static const enum sim_scheme scheme[] = { SIM_GRID, SIM_POISSON, SIM_FIXED, SIM_NAIVE };
	uint64_t nr_samples = is_quick ? 1000 : 10000;
	char name[MATRIX_NAME_LEN];

	snprintf(matrix->corner, sizeof(matrix->corner), "cycle, busy; %llu samples",
		 (unsigned long long)nr_samples);
	matrix->nr_rows = NR(some_cycles) * NR(some_shares);
	matrix->nr_columns = NR(scheme);
	for (size_t column = 0; column < NR(scheme); column++)
		snprintf(matrix->column[column], MATRIX_NAME_LEN, "%s", names[column]);
	for (size_t row = 0; row < matrix->nr_rows; row++) {
		double cycle = some_cycles[row / NR(some_shares)];
		double share = some_shares[row % NR(some_shares)];

		snprintf(matrix->row[row], MATRIX_NAME_LEN, "%s, %g%%", cycle_name(cycle, name),
			 100 * share);
		for (size_t column = 0; column < NR(scheme); column++) {
			struct sim *sim = &matrix_cell(matrix, row, column)->sim;

			*sim = sim_of(cycle, share, nr_samples);
			sim->scheme = scheme[column];
		}
	}
}

static void stopping_fill(struct matrix *matrix)
{
	static const double share[] = { 0.01, 0.05, 0.26, 0.5 };
	char name[MATRIX_NAME_LEN];

	snprintf(matrix->corner, sizeof(matrix->corner), "cycle; until 0.5 points");
	matrix->nr_rows = NR(some_cycles);
	matrix->nr_columns = NR(share);
	for (size_t row = 0; row < NR(some_cycles); row++) {
		snprintf(matrix->row[row], MATRIX_NAME_LEN, "%s",
			 cycle_name(some_cycles[row], name));
		for (size_t column = 0; column < NR(share); column++) {
			struct sim *sim = &matrix_cell(matrix, row, column)->sim;

			snprintf(matrix->column[column], MATRIX_NAME_LEN, "%g%%",
				 100 * share[column]);
			*sim = sim_of(some_cycles[row], share[column], 1000000);
			sim->stop_half = 0.005;
		}
	}
}

static void rates_fill(struct matrix *matrix, bool is_quick)
{
	static const double cycle[] = { 1, 1.5, 2.7 };
	static const double share[] = { 0.05, 0.5 };
	static const uint64_t khz[] = { 1, 4, 10, 20 };
	size_t nr_sizes = is_quick ? 1 : 2;

	snprintf(matrix->corner, sizeof(matrix->corner), "rate; cycle, busy");
	matrix->nr_rows = NR(khz) * nr_sizes;
	matrix->nr_columns = NR(cycle) * NR(share);
	for (size_t row = 0; row < matrix->nr_rows; row++) {
		uint64_t nr_samples = row % nr_sizes ? 100000 : 10000;

		snprintf(matrix->row[row], MATRIX_NAME_LEN, "%llu kHz, %llu samples",
			 (unsigned long long)khz[row / nr_sizes], (unsigned long long)nr_samples);
		for (size_t column = 0; column < matrix->nr_columns; column++) {
			struct sim *sim = &matrix_cell(matrix, row, column)->sim;

			*sim = sim_of(cycle[column / NR(share)], share[column % NR(share)],
				      nr_samples);
			snprintf(matrix->column[column], MATRIX_NAME_LEN, "%g, %g%%",
				 sim->cycle_periods, 100 * sim->busy_frac);
			sim->period_ns = 1000000 / khz[row / nr_sizes];
		}
	}
}

static struct sim comb_of(double cycle, double share, uint64_t nr_samples)
{
	struct sim sim = sim_of(cycle, share, nr_samples);

	sim.scheme = SIM_COMB;
	sim.excess = COMB_EXCESS;
	return sim;
}

static void comb_fill(struct matrix *matrix, uint64_t seconds, const double *cycles_of, size_t nr_cycles)
{
	uint64_t nr_samples = seconds * 1000000000 / PERIOD_NS;

	snprintf(matrix->corner, sizeof(matrix->corner), "%llu s", (unsigned long long)seconds);
	matrix->nr_rows = NR(comb_shares);
	matrix->nr_columns = nr_cycles;
	for (size_t column = 0; column < nr_cycles; column++)
		snprintf(matrix->column[column], MATRIX_NAME_LEN, "%g", cycles_of[column]);
	for (size_t row = 0; row < NR(comb_shares); row++) {
		snprintf(matrix->row[row], MATRIX_NAME_LEN, "%g%%", 100 * comb_shares[row]);
		for (size_t column = 0; column < nr_cycles; column++)
			matrix_cell(matrix, row, column)->sim =
				comb_of(cycles_of[column], comb_shares[row], nr_samples);
	}
}

/* Programs in a thread that has one event of its own. */
static void single_fill(struct matrix *matrix, uint64_t seconds, double excess)
{
	comb_fill(matrix, seconds, single_cycles, NR(single_cycles));
	for (size_t i = 0; i < matrix->nr_rows * matrix->nr_columns; i++) {
		matrix->cell[i].sim.scheme = SIM_SINGLE;
		matrix->cell[i].sim.excess = excess;
	}
}

/* The worst programs for the comb compute half of the time, in step with several of its teeth. */
static void comb_others_fill(struct matrix *matrix, bool is_quick)
{
	static const struct { const char *name; uint64_t hz, seconds; double excess; } ways[] = {
		[PLAN_COMB_PLAIN] = { "1 kHz, 20 s, not wider", 1000, 20, 0 },
		{ "1 kHz, 2 s", 1000, 2, COMB_EXCESS }, { "100 Hz, 20 s", 100, 20, COMB_EXCESS },
		{ "250 Hz, 20 s", 250, 20, COMB_EXCESS }, { "4 kHz, 20 s", 4000, 20, COMB_EXCESS },
		{ "10 kHz, 20 s", 10000, 20, COMB_EXCESS },
	};
	static const double cycle[] = { 1, 4.5, 5, 5.5, 6, 6.5, 10, 25 };

	snprintf(matrix->corner, sizeof(matrix->corner), "half busy");
	matrix->nr_rows = is_quick ? 2 : NR(ways);
	matrix->nr_columns = NR(cycle);
	for (size_t row = 0; row < matrix->nr_rows; row++) {
		snprintf(matrix->row[row], MATRIX_NAME_LEN, "%s", ways[row].name);
		for (size_t column = 0; column < NR(cycle); column++) {
			struct sim *sim = &matrix_cell(matrix, row, column)->sim;

			snprintf(matrix->column[column], MATRIX_NAME_LEN, "%g", cycle[column]);
			*sim = comb_of(cycle[column], 0.5, ways[row].hz * ways[row].seconds);
			sim->period_ns = 1000000000 / ways[row].hz;
			sim->excess = ways[row].excess;
		}
	}
}

void plan_run(struct plan *plan, bool is_quick)
{
	uint64_t nr_samples = 100;

	for (plan->nr_coverage = 0; nr_samples <= (is_quick ? 10000 : 100000); nr_samples *= 10)
		coverage_fill(&plan->coverage[plan->nr_coverage++], nr_samples, cycles, NR(cycles),
			      shares, NR(shares));
	if (!is_quick)
		coverage_fill(&plan->coverage[plan->nr_coverage++], nr_samples, long_cycles,
			      NR(long_cycles), long_shares, NR(long_shares));
	schemes_fill(&plan->schemes, is_quick);
	stopping_fill(&plan->stopping);
	rates_fill(&plan->rates, is_quick);
	comb_fill(&plan->comb[plan->nr_comb++], 20, comb_cycles, NR(comb_cycles));
	if (!is_quick)
		comb_fill(&plan->comb[plan->nr_comb++], 60, comb_cycles, NR(comb_cycles));
	comb_others_fill(&plan->comb_others, is_quick);
	single_fill(&plan->single[plan->nr_single++], 20, COMB_SINGLE_EXCESS);
	if (!is_quick)
		single_fill(&plan->single[plan->nr_single++], 60, COMB_SINGLE_EXCESS);
	single_fill(&plan->single_plain, 20, 0);

	/* Far enough apart that no two cells share seeds. */
	for (size_t i = 0; i < plan->nr_coverage; i++)
		matrix_run(&plan->coverage[i], 1000 * (i + 1));
	matrix_run(&plan->schemes, 10000);
	matrix_run(&plan->stopping, 11000);
	matrix_run(&plan->rates, 12000);
	for (size_t i = 0; i < plan->nr_comb; i++)
		matrix_run(&plan->comb[i], 13000 + 1000 * i);
	matrix_run(&plan->comb_others, 15000);
	for (size_t i = 0; i < plan->nr_single; i++)
		matrix_run(&plan->single[i], 16000 + 1000 * i);
	matrix_run(&plan->single_plain, 18000);
}
