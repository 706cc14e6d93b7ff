// SPDX-License-Identifier: GPL-2.0-only
/* kmod/grid.c: every period is taken, missed or pending, whatever delays samples. */
#include "grids.h"

/* Samples late by anything from zero to many periods: the account always adds up. */
static void account_holds(void **state)
{
	for (u32 jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		u64 now = 1000000007, taken = 0, missed = 0, begin = now;
		struct grid grid;

		grid_init(&grid, T, jitter, 42, jitter);
		grid_begin(&grid, now);
		for (int i = 0; i < 100000; i++) {
			u64 late = random_below(4) ? random_below(20000) :
				random_below(10) ? random_below(3 * T) : random_below(10000 * T);
			u64 peek = grid.expiry_ns + random_below(late + 1);

			assert_true(grid.expiry_ns >= now + GRID_FLOOR_NS);
			assert_int_equal(grid_pending(&grid, now), 0);
			/* seen by a harvest while the sample is due */
			assert_int_equal(grid_expected(&grid, grid.expiry_ns - 1), taken + missed);
			assert_int_equal(grid_expected(&grid, peek),
					 taken + missed + grid_pending(&grid, peek));
			/* or a little early, together with another timer */
			now = grid.expiry_ns + late -
				(late < 5000) * random_below(GRID_EARLY_NS + 1);
			missed += grid_advance(&grid, now);
			taken++;
			assert_int_equal(grid_expected(&grid, now), taken + missed);
			assert_int_equal(grid_pending(&grid, now), 0);
		}
		/*
		 * and agrees with the clock: the periods that have passed are counted exactly, or
		 * nearly so for a Poisson count
		 */
		if (jitter == CPUPROBE_JITTER_POISSON)
			assert_true(fabs((double)(taken + missed) * T / (now - begin) - 1) < 0.05);
		else
			assert_in_range(taken + missed, (now - begin) / T - 1,
					(now - begin) / T + 2);
	}
}

static void grid_can_begin_again(void **state)
{
	struct grid grid;
	u64 now = 5000000, due = 0;

	grid_init(&grid, T, CPUPROBE_JITTER_GRID, 3, 1);
	assert_int_equal(grid_expected(&grid, now), 0);
	for (int i = 0; i < 1000; i++) {
		if (i == 500) {
			due = 0;
			grid_init(&grid, T, CPUPROBE_JITTER_POISSON, 3, 1);
		}
		grid_begin(&grid, now);
		assert_int_equal(grid_expected(&grid, now), due);
		for (int k = 0; k < i % 7; k++) {
			due += grid_advance(&grid,
					    grid.expiry_ns - random_below(2) * GRID_EARLY_NS) + 1;
			now = grid.expiry_ns - T / 10;
		}
		now += random_below(5 * T);
		due += grid_end(&grid, now);
		assert_int_equal(grid_expected(&grid, now), due);
		assert_int_equal(grid_expected(&grid, now + 100 * T), due);
		assert_int_equal(grid_pending(&grid, now + 100 * T), 0);
		now += random_below(5 * T);
	}
}

static void slowing_keeps_the_account(void **state)
{
	for (u32 jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		u64 now = 99, done = 0;
		struct grid grid;

		grid_init(&grid, 50000, jitter, 9, 0);
		grid_begin(&grid, now);
		for (int i = 0; i < 3000; i++) {
			now = grid.expiry_ns + random_below(200000);
			done += grid_advance(&grid, now) + 1;
			assert_int_equal(grid_expected(&grid, now), done);
			if (i % 100 == 99) {
				grid_slow(&grid, now);
				assert_int_equal(grid_expected(&grid, now), done);
			}
		}
		assert_int_equal(grid.period_ns, 50000ULL << 14);
		assert_true(grid.period_ns * 2 > CPUPROBE_PERIOD_MAX_NS);
	}
}

/* A harvest may read and slow down the grid while a sample is late by several periods. */
static void slowing_keeps_expected_counts(void **state)
{
	for (u32 jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		u64 now = 99, told, done = 0;
		struct grid grid;

		grid_init(&grid, 50000, jitter, 21, 0);
		grid_begin(&grid, now);
		for (int i = 0; i < 3000; i++) {
			now = grid.expiry_ns + random_below(i % 3 ? 20000 : 8 * grid.period_ns);
			told = grid_expected(&grid, now);
			assert_int_equal(told, done + grid_pending(&grid, now));
			if (i % 50 == 49)
				assert_true(grid_slow(&grid, now) || grid_pending(&grid, now) > 1 ||
					    grid.period_ns * 2 > CPUPROBE_PERIOD_MAX_NS);
			assert_true(grid_expected(&grid, now) == told);
			assert_int_equal(told, done + grid_pending(&grid, now));
			now += random_below(3 * grid.period_ns);
			assert_true(grid_expected(&grid, now) >= told);
			done += grid_advance(&grid, now) + 1;
			assert_int_equal(grid_expected(&grid, now), done);
		}
		assert_true(grid.period_ns > 1000 * 50000ULL);
	}
}

/*
 * Handlers that take up to three of the shortest periods: the next instant is at least a floor
 * after the handler's end as long as the period has room for it, never outside of the period, and
 * the account adds up.
 */
static void postponing_keeps_the_account(void **state)
{
	for (u32 jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		u64 now = 1000000007, done = 0, postponed = 0;
		struct grid grid;

		grid_init(&grid, 50000, jitter, 7, jitter);
		grid_begin(&grid, now);
		for (int i = 0; i < 100000; i++) {
			u64 before;

			now = grid.expiry_ns > now ? grid.expiry_ns : now;
			now += random_below(5000);
			done += grid_advance(&grid, now) + 1;
			before = grid.expiry_ns;
			now += random_below(3) ? random_below(30000) : random_below(150000);
			grid_postpone(&grid, now);
			assert_true(grid.expiry_ns >= before);
			if (jitter == CPUPROBE_JITTER_POISSON || now + GRID_FLOOR_NS < grid.end_ns)
				assert_true(grid.expiry_ns >= now + GRID_FLOOR_NS);
			if (jitter != CPUPROBE_JITTER_POISSON)
				assert_true(grid.expiry_ns < grid.end_ns);
			postponed += grid.expiry_ns > before;
			assert_int_equal(grid_expected(&grid, now),
					 done + grid_pending(&grid, now));
		}
		assert_true(postponed > 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(account_holds), cmocka_unit_test(grid_can_begin_again),
		cmocka_unit_test(slowing_keeps_the_account),
		cmocka_unit_test(slowing_keeps_expected_counts),
		cmocka_unit_test(postponing_keeps_the_account),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
