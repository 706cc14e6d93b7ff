// SPDX-License-Identifier: GPL-2.0-only
/* kmod/grid.c: instants with exponential gaps. */
#include "grids.h"

/* Exponential gaps above the floor: mean T, standard deviation T - floor, P(rest > x) = e^-x. */
static void poisson_gaps(void **state)
{
	double sum = 0, squares = 0, above_one = 0, above_three = 0, floor_ns = GRID_FLOOR_NS;
	u64 before = 1000;
	struct grid grid;
	int n = 400000;

	grid_init(&grid, T, CPUPROBE_JITTER_POISSON, 11, 0);
	grid_begin(&grid, before);
	for (int i = 0; i < n; i++) {
		double gap = grid.expiry_ns - before, rest = (gap - floor_ns) / (T - floor_ns);

		assert_true(gap >= floor_ns && gap <= floor_ns + GRID_GAP_CAP * (double)T);
		sum += gap / T;
		squares += rest * rest;
		above_one += rest > 1;
		above_three += rest > 3;
		before = grid.expiry_ns;
		assert_int_equal(grid_advance(&grid, before), 0);
	}
	assert_true(fabs(sum / n - 1) < 6 / sqrt(n));
	assert_true(fabs(squares / n - 2) < 6 * sqrt(20.0 / n));
	assert_true(fabs(above_one / n - exp(-1)) < 6 * sqrt(0.25 / n));
	assert_true(fabs(above_three / n - exp(-3)) < 6 * sqrt(0.05 / n));
}

/* The state of a generator that draws @wanted next, as its upper half, and @low below it. */
static u64 state_before(u32 wanted, u32 low)
{
	u64 factor = 0xd1342543de82ef95ULL, inverse = factor;

	/* Newton's iteration doubles the correct bits of the factor's inverse. */
	for (int i = 0; i < 6; i++)
		inverse *= 2 - factor * inverse;
	return (((u64)wanted << 32 | low) - 1) * inverse;
}

/* The logarithm is exact to 2^-13 for draws of every size; GRID_GAP_CAP bounds the longest gap. */
static void gaps_are_logarithms(void **state)
{
	const double rest_ns = T - GRID_FLOOR_NS;
	struct grid grid;

	grid_init(&grid, T, CPUPROBE_JITTER_POISSON, 11, 0);
	for (u64 draw = 1; draw <= 1ULL << 32; draw += draw / 100 + 1) {
		double expected = fmin(-log(draw / 4294967296.0) * rest_ns, GRID_GAP_CAP * T);

		grid.random = state_before(draw - 1, 12345);
		grid_begin(&grid, 5000);
		assert_true(fabs(grid.expiry_ns - 5000.0 - GRID_FLOOR_NS - expected) < T / 8192.0);
	}
	grid.random = state_before(0, 0);
	grid_begin(&grid, 5000);
	assert_int_equal(grid.expiry_ns, 5000 + GRID_FLOOR_NS + GRID_GAP_CAP * T);
}

/* A wait of less than a period misses none; a longer wait misses one for each full period. */
static void poisson_waits(void **state)
{
	struct grid grid;

	for (u64 late = 0; late < 5 * T; late += T / 4) {
		u64 now, missed = late / T;

		grid_init(&grid, T, CPUPROBE_JITTER_POISSON, late, 0);
		grid_begin(&grid, 1000);
		now = grid.expiry_ns + late;
		assert_int_equal(grid_advance(&grid, now), missed);
		assert_int_equal(grid_waited_ns(&grid, missed, now), (missed + 1) * T);
		assert_int_equal(grid_expected(&grid, now), missed + 1);
		assert_true(grid.expiry_ns >= now + GRID_FLOOR_NS);
	}
}

/* After a wait of 20 periods arrivals start anew: the mean next gap over seeds is one period. */
static void poisson_forgets_a_wait(void **state)
{
	const int n = 20000;
	struct grid grid;
	double sum = 0;

	for (int seed = 0; seed < n; seed++) {
		u64 now;

		grid_init(&grid, T, CPUPROBE_JITTER_POISSON, seed, 0);
		grid_begin(&grid, 1000);
		now = grid.expiry_ns + 20 * T;
		assert_int_equal(grid_advance(&grid, now), 20);
		sum += (double)(grid.expiry_ns - now) / T;
	}
	/* Six standard errors: a correct generator fails for one in 500 million seeds. */
	assert_true(fabs(sum / n - 1) < 6 / sqrt(n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poisson_gaps), cmocka_unit_test(gaps_are_logarithms),
		cmocka_unit_test(poisson_waits), cmocka_unit_test(poisson_forgets_a_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
