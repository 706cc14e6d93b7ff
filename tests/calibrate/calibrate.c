// SPDX-License-Identifier: GPL-2.0-only
/*
 * calibrate [quick]: do 95% intervals hold the truth in 95% of runs? Simulates runs whose
 * truth is known exactly, on the module's own instants and with the tool's own intervals,
 * prints a report and exits with 1 if the intervals do not hold.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan.h"
#include "bpf/comb.h"

/* Promised limits: of coverage, and of the width relative to that of independent samples. */
#define MEAN_MIN	0.945
#define COMMON_MIN	0.925
#define WIDTH_MAX	1.05
/* Standard errors allowed for chance where Wilson's own coverage is the yardstick. */
#define RARE_ERRORS	4

/** Summary of some cells. */
struct finding {
	size_t nr;
	double covered_sum;
	double covered_lowest;		/* where hits and misses are common */
	double width_highest;		/* relative to independent samples */
};

static bool has_failed;

/* Report the cell that breaks a promise. */
static void require(bool is_kept, const struct matrix *matrix, size_t row, size_t column,
		    const char *what, double value, double limit)
{
	if (is_kept)
		return;
	has_failed = true;
	fprintf(stderr, "calibrate: %s: row %s, column %s: %s %.4f, limit %.4f\n", matrix->corner,
		matrix->row[row], matrix->column[column], what, value, limit);
}

static void judge_cell(const struct matrix *matrix, size_t row, size_t column,
		       struct finding *finding)
{
	const struct cell *cell = &matrix->cell[row * matrix->nr_columns + column];
	double covered, width, limit, width_limit;

	cell_binomial(cell->sim.busy_frac, cell->sim.nr_samples, &covered, &width);
	width = cell->width_frac / width;
	limit = COMMON_MIN;
	width_limit = WIDTH_MAX * sqrt(1 + cell->sim.excess);
	if (plan_is_common(&cell->sim))
		finding->covered_lowest = fmin(finding->covered_lowest, cell->covered_frac);
	else
		limit = covered - RARE_ERRORS * sqrt(covered * (1 - covered) / CELL_RUNS);
	finding->nr++;
	finding->covered_sum += cell->covered_frac;
	finding->width_highest = fmax(finding->width_highest, width);
	require(cell->covered_frac >= limit, matrix, row, column, "coverage", cell->covered_frac,
		limit);
	require(width <= width_limit, matrix, row, column, "relative width", width, width_limit);
}

/* All cells of one workload, at every share and number of samples. */
static struct finding judge_load(const struct matrix *matrices, size_t nr, const char *load)
{
	struct finding finding = { .covered_lowest = 1 };

	for (size_t i = 0; i < nr; i++) {
		const struct matrix *matrix = &matrices[i];

		for (size_t column = 0; column < matrix->nr_columns; column++)
			for (size_t row = 0; row < matrix->nr_rows; row++)
				if (!strcmp(matrix->column[column], load))
					judge_cell(matrix, row, column, &finding);
	}
	return finding;
}

static void print_finding(const char *name, const struct finding *finding)
{
	printf("| %s | %zu | %.2f | %.1f | %.3f |\n", name, finding->nr,
	       100 * finding->covered_sum / finding->nr, 100 * finding->covered_lowest,
	       finding->width_highest);
}

static void judge_coverage(const struct matrix *matrices, size_t nr)
{
	struct finding all = { .covered_lowest = 1 };

	puts("\n| cycle | cells | mean | lowest | widest |\n| --- | ---: | ---: | ---: | ---: |");
	for (size_t column = 0; column < matrices[0].nr_columns; column++) {
		const char *load = matrices[0].column[column];
		struct finding finding = judge_load(matrices, nr, load);

		all.nr += finding.nr;
		all.covered_sum += finding.covered_sum;
		all.covered_lowest = fmin(all.covered_lowest, finding.covered_lowest);
		all.width_highest = fmax(all.width_highest, finding.width_highest);
		print_finding(load, &finding);
	}
	print_finding("all", &all);
	if (all.covered_sum / all.nr >= MEAN_MIN)
		return;
	has_failed = true;
	fprintf(stderr, "calibrate: all cells: mean coverage %.4f, limit %.4f\n",
		all.covered_sum / all.nr, MEAN_MIN);
}

/*
 * The simulation itself is tested: it must see these two schemes fail. A workload that is busy half
 * of the time and in lockstep with a fixed period gives all or nothing; naive gaps agree too often
 * with 1.5 cycles in a period.
 */
static void judge_schemes(const struct matrix *schemes)
{
	enum { HALF_OF_FIRST = 1, HALF_IN_STEP = 4 };
	const struct cell *naive = &schemes->cell[HALF_OF_FIRST * schemes->nr_columns + SIM_NAIVE];
	const struct cell *fixed = &schemes->cell[HALF_IN_STEP * schemes->nr_columns + SIM_FIXED];

	require(naive->covered_frac < COMMON_MIN, schemes, HALF_OF_FIRST, SIM_NAIVE,
		"no failure seen: coverage", naive->covered_frac, COMMON_MIN);
	require(fixed->covered_frac < 0.5, schemes, HALF_IN_STEP, SIM_FIXED,
		"no failure seen: coverage", fixed->covered_frac, 0.5);
}

static void print_head(void)
{
	printf("# Do the intervals hold?\n\n"
"Made by `make calibrate`; nothing here is typed by hand. A 95%% interval promises to hold the\n"
"truth in 95 of 100 runs. Here runs are simulated whose truth is known exactly: the instants of\n"
"the samples come from the module's own `kmod/grid.c`, the intervals from the tool's own\n"
"`cli/base/stat.c`, both compiled unchanged. Each figure is the percentage of %d runs whose\n"
"interval held the truth; chance moves it by 0.3 points (one standard error at 95%%).\n\n"
"One CPU, 1,000 samples a second, each taken at its very instant. The workload is busy for a\n"
"fixed share of each of its cycles, whose length is given in sampling periods: at 1 it is in\n"
"step with the grid, at 0.01 it comes and goes 100 times between samples, at 100 it lasts.\n"
"Each run starts at another point of its cycle. *Random*: busy and idle times\n"
"are exponential, 3 periods a cycle on average. The truth of a run is the share of busy time\n"
"in the time sampled in that very run, not the share in the long run. Samples that come late,\n"
"are missed or lost, and what the profiler itself costs, are not simulated.\n", CELL_RUNS);
}

static void print_coverage(const struct plan *plan)
{
	printf("\n## Coverage\n\n"
"Shares in rows, cycles in columns. If fewer than 5 hits or 5 misses are expected (*), one\n"
"hit more or less decides, and coverage of 95%% cannot be reached; *Wilson* is what the interval\n"
"does with independent samples, summed exactly over the binomial distribution. Only some\n"
"cells of a million samples are simulated, because they take long.\n");
	for (size_t i = 0; i < plan->nr_coverage; i++)
		matrix_print(&plan->coverage[i]);
	printf("\n"
"All these cells together; *lowest* without those of a starred row; *widest*: mean width of a\n"
"cell's intervals relative to that under independent samples. One instant in each\n"
"period never errs more than independent samples, and less where cycles are longer than\n"
"periods: there the intervals are wider than they need be. `make calibrate` fails unless the\n"
"mean is at least %g%%, no unstarred cell below %g%%, no starred one more than %d standard\n"
"errors below *Wilson*, and none wider than %g.\n",
	       100 * MEAN_MIN, 100 * COMMON_MIN, RARE_ERRORS, WIDTH_MAX);
}

static void print_others(const struct plan *plan)
{
	printf("\n## Other ways to place samples\n\n"
"The table compares `-jitter grid`, the default, with `poisson`, `none` and *naive*. Many profilers\n"
"do as *naive* does: they draw each gap uniformly from half a period to one and a half. With a fixed\n"
"period, every sample or none hits a workload in lockstep with the timer. With naive gaps, intervals\n"
"hold less often for some cycles, worst for one of 0.667 periods. `make calibrate` fails unless it\n"
"finds both errors.\n");
	matrix_print(&plan->schemes);
	printf("\n## Stopping when the interval is narrow enough\n\n"
"Runs that look at their interval every %d samples and end when it is no wider than 0.5 points\n"
"to either side. *Samples* is how many they took on average.\n", SIM_LOOK);
	matrix_print(&plan->stopping);
	matrix_print_samples(&plan->stopping);
	printf("\n## High rates\n\n"
"Two instants are never closer than 10 µs: if they would be, the second one is moved to that\n"
"distance. This delays one sample in 20,000 at 1 kHz, in 1,250 at 4 kHz, in 200 at 10 kHz and in 50\n"
"at 20 kHz, always from the beginning of a period. If a workload is in lockstep with the grid (its\n"
"cycle is a period or a simple multiple of it), its count is then too low or too high. With many\n"
"samples the error exceeds the interval. These figures are reported; no check depends on them.\n");
	matrix_print(&plan->rates);
}

static void print_comb(const struct plan *plan)
{
	printf("\n## Without the module\n\n"
"The clock of `-engine bpf` is a comb of eight events for each CPU. Its instants come from the tool's\n"
"own `cli/bpf/comb.c`, compiled unchanged, at 1,000 samples a second. They are not independent: the\n"
"variance of a count is at most %.3f times the binomial one, and the tool's intervals are %.3f times as\n"
"wide as those of independent samples (statistics.md derives the factor). The workload computes for a\n"
"fixed share of each of its cycles; cycles are in milliseconds. Runs last 20 s and 60 s.\n",
	       1 + COMB_EXCESS, sqrt(1 + COMB_EXCESS));
	for (size_t i = 0; i < plan->nr_comb; i++)
		matrix_print(&plan->comb[i]);
	printf("\n"
"All these cells together, with the limits of mean and lowest coverage above. None may be %g times\n"
"wider than the factor.\n", WIDTH_MAX);
}

/* The simulation must see that some intervals of independent samples do not hold. */
static void require_failure(const char *clock, const struct cell *cell, size_t nr)
{
	double lowest = 1;

	while (nr--)
		lowest = fmin(lowest, cell++->covered_frac);
	if (lowest < COMMON_MIN)
		return;
	has_failed = true;
	fprintf(stderr, "calibrate: no failure of %s seen: coverage %.4f, limit %.4f\n", clock, lowest,
		COMMON_MIN);
}

/* The simulation must see that the comb needs wider intervals. */
static void print_comb_others(const struct plan *plan)
{
	const struct matrix *matrix = &plan->comb_others;

	printf("\n"
"The comb is worst for programs that compute half of the time, in cycles of 4.4 to 6.6 periods. The table\n"
"has cycles in periods, at other rates and durations, and what intervals of independent samples would\n"
"do. `make calibrate` fails unless it finds that those hold too rarely; no check depends on the others.\n");
	matrix_print(matrix);
	require_failure("the comb", &matrix->cell[PLAN_COMB_PLAIN * matrix->nr_columns], matrix->nr_columns);
}

static void print_single(const struct plan *plan)
{
	const struct matrix *plain = &plan->single_plain;

	printf("\n## Without any right\n\n"
"The clock of `-engine perf` is one event for each thread, whose period is drawn from 7/8 to 9/8 of the mean,\n"
"and again after up to 100 ms of running, by the same `cli/bpf/comb.c`. Here one thread runs all the time, which is\n"
"the worst case: threads have independent clocks. Cycles are in milliseconds of its running. The variance of a\n"
"count is at most %.3f times the binomial one, and intervals are %.3f times as wide.\n",
	       1 + COMB_SINGLE_EXCESS, sqrt(1 + COMB_SINGLE_EXCESS));
	for (size_t i = 0; i < plan->nr_single; i++)
		matrix_print(&plan->single[i]);
	printf("\nAll these cells together, with the same limits.\n");
	judge_coverage(plan->single, plan->nr_single);
	printf("\nIntervals of independent samples would hold too rarely, as `make calibrate` must find:\n");
	matrix_print(plain);
	require_failure("the clock of a thread", plain->cell, plain->nr_rows * plain->nr_columns);
}

int main(int argc, char **argv)
{
	static struct plan plan;
	bool is_quick = argc == 2 && !strcmp(argv[1], "quick");

	if (argc > 1 && !is_quick) {
		fprintf(stderr, "usage: calibrate [quick]\n");
		return 2;
	}
	plan_run(&plan, is_quick);
	print_head();
	print_coverage(&plan);
	judge_coverage(plan.coverage, plan.nr_coverage);
	judge_schemes(&plan.schemes);
	print_others(&plan);
	print_comb(&plan);
	judge_coverage(plan.comb, plan.nr_comb);
	print_comb_others(&plan);
	print_single(&plan);
	return has_failed;
}
