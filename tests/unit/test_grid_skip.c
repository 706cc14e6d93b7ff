// SPDX-License-Identifier: GPL-2.0-only
/* kmod/grid.c: skipping the periods in which an idle CPU sleeps. */
#include "grids.h"

/*
 * A CPU wakes at random instants, some near, some far. At each, the account adds up, and the
 * instant of the current period has passed with the probability of the part of the period that has
 * passed, or is still to come, uniformly in the rest. The distribution is checked by where in the
 * period the CPU woke, in tenths.
 */
static void skipped_periods(void **state)
{
	double passed[10] = { 0 }, all[10] = { 0 }, frac[10] = { 0 }, rest[10] = { 0 };
	u64 now = 31337, done = 0;
	struct grid grid;

	grid_init(&grid, T, CPUPROBE_JITTER_GRID, 21, 2);
	grid_begin(&grid, now);
	assert_int_equal(grid_skip(&grid, grid.expiry_ns - 1), 0);
	for (int i = 0; i < 400000; i++) {
		u64 before = grid.expiry_ns, at;
		int tenth;

		now += i % 3 == 0 ? random_below(T / 3) : i % 3 == 1 ? random_below(3 * T) :
			random_below(1000 * T);
		if (now < grid.origin_ns)
			continue;
		/* Half of the stretches end busy: the pending sample is taken as any other. */
		if (i % 2 && now >= grid.expiry_ns) {
			done += grid_skip(&grid, grid.expiry_ns - 1);
			now = grid.expiry_ns + random_below(T / 2);
			done += grid_advance(&grid, now) + 1;
			assert_int_equal(grid_expected(&grid, now), done);
			continue;
		}
		done += grid_skip(&grid, now);
		assert_int_equal(grid_expected(&grid, now), done);
		assert_int_equal(grid_pending(&grid, now), 0);
		assert_true(grid.expiry_ns > now);
		if (now < before) {
			assert_int_equal(grid.expiry_ns, before);
			continue;
		}
		at = (now - grid.origin_ns) / T;
		assert_in_range(grid.index, at, at + 1);
		assert_int_equal(grid.end_ns, grid.origin_ns + (grid.index + 1) * T);
		assert_in_range(grid.expiry_ns, grid.end_ns - T, grid.end_ns - 1);
		/* An instant that was fixed before the wake-up is no evidence about the draw. */
		if (before >= grid.origin_ns + at * T)
			continue;
		at = now - grid.origin_ns - at * T;
		tenth = at * 10 / T;
		all[tenth]++;
		frac[tenth] += (double)at / T;
		passed[tenth] += grid.index * T + grid.origin_ns > now;
		rest[tenth] += grid.index * T + grid.origin_ns > now ? 0.5 :
			(double)(grid.expiry_ns - now) / (T - at);
	}
	for (int i = 0; i < 10; i++) {
		assert_true(all[i] > 5000);
		assert_true(fabs(passed[i] - frac[i]) < 6 * sqrt(0.25 * all[i]));
		assert_true(fabs(rest[i] / all[i] - 0.5) < 6 * sqrt(1.0 / 12 / all[i]));
	}
}

/* Without jitter, skipping equals sampling at every instant, to the nanosecond. */
static void skipping_equals_sampling(void **state)
{
	struct grid skipping, sampling;
	u64 now = 5000;

	grid_init(&skipping, T, CPUPROBE_JITTER_NONE, 8, 3);
	grid_init(&sampling, T, CPUPROBE_JITTER_NONE, 8, 3);
	grid_begin(&skipping, now);
	grid_begin(&sampling, now);
	for (int i = 0; i < 20000; i++) {
		u64 nr = 0;

		now += i % 100 ? random_below(3 * T) : 0;
		if (i % 100 == 0)	/* at the exact instant */
			now = sampling.expiry_ns;
		while (sampling.expiry_ns <= now) {
			assert_int_equal(grid_advance(&sampling, sampling.expiry_ns), 0);
			nr++;
		}
		assert_int_equal(grid_skip(&skipping, now), nr);
		assert_int_equal(skipping.expiry_ns, sampling.expiry_ns);
		assert_int_equal(skipping.end_ns, sampling.end_ns);
		assert_int_equal(skipping.index, sampling.index);
	}
}

/* Skips between ends, starts and slow-downs. */
static void skipping_keeps_the_account(void **state)
{
	u64 now = 99, done = 0;
	struct grid grid;

	grid_init(&grid, 50000, CPUPROBE_JITTER_GRID, 9, 0);
	for (int i = 0; i < 3000; i++) {
		if (i % 50 == 0) {
			done += grid_end(&grid, now);
			grid_begin(&grid, now);
		}
		now += random_below(i % 4 ? 100000 : 100000000);
		done += grid_skip(&grid, now);
		assert_int_equal(grid_expected(&grid, now), done);
		if (i % 200 == 99) {
			grid_slow(&grid, now);
			assert_int_equal(grid_expected(&grid, now), done);
		}
	}
	assert_true(grid.period_ns > 50000 * 1000ULL && done > 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skipped_periods), cmocka_unit_test(skipping_equals_sampling),
		cmocka_unit_test(skipping_keeps_the_account),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
