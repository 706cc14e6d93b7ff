// SPDX-License-Identifier: GPL-2.0-only
/* The simulations: see plan.h. */
#include <math.h>
#include <stdio.h>

#include "plan.h"

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

	/* Far enough apart that no two cells share seeds. */
	for (size_t i = 0; i < plan->nr_coverage; i++)
		matrix_run(&plan->coverage[i], 1000 * (i + 1));
	matrix_run(&plan->schemes, 10000);
	matrix_run(&plan->stopping, 11000);
	matrix_run(&plan->rates, 12000);
}
