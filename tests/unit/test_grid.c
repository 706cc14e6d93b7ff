// SPDX-License-Identifier: GPL-2.0-only
/* The sampling instants: kmod/grid.c, the file that the kernel runs. */
#include "grids.h"

/* One sample at a uniform instant of every period: mean T/2, variance T^2/12, no period skipped. */
static void one_uniform_instant_per_period(void **state)
{
	double sum = 0, squares = 0;
	struct grid grid;
	int n = 200000;

	grid_init(&grid, T, CPUPROBE_JITTER_GRID, 1, 0);
	grid_begin(&grid, 7777);
	for (int i = 0; i < n; i++) {
		double at = grid.expiry_ns - (grid.origin_ns + i * T);

		assert_true(grid.expiry_ns >= grid.origin_ns + i * T);
		assert_true(grid.expiry_ns < grid.origin_ns + (i + 1) * T);
		sum += at / T;
		squares += at / T * at / T;
		assert_int_equal(grid_advance(&grid, grid.expiry_ns), 0);
	}
	/* Six standard errors: sqrt(1/12/n) and sqrt(4/45/n). */
	assert_true(fabs(sum / n - 0.5) < 6 * sqrt(1.0 / 12 / n));
	assert_true(fabs(squares / n - 1.0 / 3) < 6 * sqrt(4.0 / 45 / n));
}

/* Even the first instant is at least the floor after now, and no later than periods allow. */
static void first_instant_keeps_the_floor(void **state)
{
	const u64 period = CPUPROBE_PERIOD_MIN_NS, now = 123456789;
	struct grid grid;

	for (u32 jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		u64 last = jitter == CPUPROBE_JITTER_POISSON ? GRID_GAP_CAP * period :
			jitter == CPUPROBE_JITTER_NONE ? period : 2 * period;

		for (u64 seed = 0; seed < 20000; seed++) {
			grid_init(&grid, period, jitter, seed, 0);
			grid_begin(&grid, now);
			assert_in_range(grid.expiry_ns, now + GRID_FLOOR_NS,
					now + GRID_FLOOR_NS + last);
		}
	}
}

/* The first instant is uniform in its period like any other; without jitter it is the start. */
static void first_instant_is_uniform(void **state)
{
	const int n = 20000;
	struct grid grid;
	double sum = 0;

	for (int seed = 0; seed < n; seed++) {
		grid_init(&grid, T, CPUPROBE_JITTER_GRID, seed, 5);
		grid_begin(&grid, 1000);
		assert_int_equal(grid.end_ns, grid.origin_ns + T);
		assert_in_range(grid.expiry_ns, grid.origin_ns, grid.end_ns - 1);
		sum += (double)(grid.expiry_ns - grid.origin_ns) / T;
		grid_init(&grid, T, CPUPROBE_JITTER_NONE, seed, 5);
		grid_begin(&grid, 1000);
		assert_int_equal(grid.expiry_ns, grid.origin_ns);
	}
	/* Six standard errors. */
	assert_true(fabs(sum / n - 0.5) < 6 * sqrt(1.0 / 12 / n));
}

static void fixed_period(void **state)
{
	struct grid grid;

	grid_init(&grid, T, CPUPROBE_JITTER_NONE, 5, 0);
	grid_begin(&grid, 1);
	for (u64 i = 0; i < 1000; i++) {
		assert_int_equal(grid.expiry_ns, grid.origin_ns + i * T);
		grid_advance(&grid, grid.expiry_ns + 123);
	}
	/* A grid that was slowed down has no jitter either. */
	assert_true(grid_slow(&grid, grid.expiry_ns - 1));
	for (u64 i = 0; i < 1000; i++) {
		assert_int_equal(grid.expiry_ns, grid.origin_ns + i * 2 * T);
		grid_advance(&grid, grid.expiry_ns + 123);
	}
}

static void seeds_repeat_and_differ(void **state)
{
	struct grid a, b, other_cpu, other_seed;
	int same = 0;

	grid_init(&a, T, CPUPROBE_JITTER_GRID, 1, 0);
	grid_init(&b, T, CPUPROBE_JITTER_GRID, 1, 0);
	grid_init(&other_cpu, T, CPUPROBE_JITTER_GRID, 1, 1);
	grid_init(&other_seed, T, CPUPROBE_JITTER_GRID, 2, 0);
	grid_begin(&a, 0);
	grid_begin(&b, 0);
	grid_begin(&other_cpu, 0);
	grid_begin(&other_seed, 0);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(a.expiry_ns, b.expiry_ns);
		same += a.expiry_ns == other_cpu.expiry_ns;
		same += a.expiry_ns == other_seed.expiry_ns;
		grid_advance(&a, a.expiry_ns);
		grid_advance(&b, b.expiry_ns);
		grid_advance(&other_cpu, other_cpu.expiry_ns);
		grid_advance(&other_seed, other_seed.expiry_ns);
	}
	assert_in_range(same, 0, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_uniform_instant_per_period),
		cmocka_unit_test(first_instant_keeps_the_floor),
		cmocka_unit_test(first_instant_is_uniform), cmocka_unit_test(fixed_period),
		cmocka_unit_test(seeds_repeat_and_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
