// SPDX-License-Identifier: GPL-2.0-only
/* The instants of sampling: kmod/grid.c, the file the kernel runs. */
#include <math.h>

#include "unit.h"
#include "grid.h"

#define T 1000000ULL

static uint64_t lcg = 12345;

static uint64_t random_below(uint64_t limit)
{
	lcg = lcg * 6364136223846793005ULL + 1442695040888963407ULL;
	return (lcg >> 33) % limit;
}

/* One sample at a uniform instant of every period: mean T/2, variance T^2/12, none skipped. */
static void one_uniform_instant_per_period(void **state)
{
	double sum = 0, squares = 0;
	struct grid grid;
	int n = 200000;

	(void)state;
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

/* Not even the first instant is nearer to now than the floor, nor farther than periods allow. */
static void first_instant_keeps_the_floor(void **state)
{
	const uint64_t period = CPUPROBE_PERIOD_MIN_NS, now = 123456789;
	struct grid grid;

	(void)state;
	for (uint32_t jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		uint64_t last = jitter == CPUPROBE_JITTER_POISSON ? GRID_GAP_CAP * period :
			jitter == CPUPROBE_JITTER_NONE ? period : 2 * period;

		for (uint64_t seed = 0; seed < 20000; seed++) {
			grid_init(&grid, period, jitter, seed, 0);
			grid_begin(&grid, now);
			assert_in_range(grid.expiry_ns, now + GRID_FLOOR_NS,
					now + GRID_FLOOR_NS + last);
		}
	}
}

/* The first instant is as uniform in its period as any other; without jitter it is the start. */
static void first_instant_is_uniform(void **state)
{
	const int n = 20000;
	struct grid grid;
	double sum = 0;

	(void)state;
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

/* Samples late by anything from nothing to many periods: the account always holds. */
static void account_holds(void **state)
{
	(void)state;
	for (uint32_t jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		uint64_t now = 1000000007, taken = 0, missed = 0, begin = now;
		struct grid grid;

		grid_init(&grid, T, jitter, 42, jitter);
		grid_begin(&grid, now);
		for (int i = 0; i < 100000; i++) {
			uint64_t late = random_below(4) ? random_below(20000) :
				random_below(10) ? random_below(3 * T) : random_below(10000 * T);
			uint64_t peek = grid.expiry_ns + random_below(late + 1);

			assert_true(grid.expiry_ns >= now + GRID_FLOOR_NS);
			assert_int_equal(grid_pending(&grid, now), 0);
			/* seen from afar while the sample is on its way */
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
		 * and the clock agrees: as many as periods have passed, a Poisson count nearly so
		 */
		if (jitter == CPUPROBE_JITTER_POISSON)
			assert_true(fabs((double)(taken + missed) * T / (now - begin) - 1) < 0.05);
		else
			assert_in_range(taken + missed, (now - begin) / T - 1,
					(now - begin) / T + 2);
	}
}

static void end_and_begin_again(void **state)
{
	struct grid grid;
	uint64_t now = 5000000, due = 0;

	(void)state;
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
	for (uint32_t jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		uint64_t now = 99, done = 0;
		struct grid grid;

		(void)state;
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

/* A harvest may look, and slow the grid down, when a sample is late by several periods. */
static void slowing_takes_nothing_back(void **state)
{
	for (uint32_t jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		uint64_t now = 99, told, done = 0;
		struct grid grid;

		(void)state;
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

/* Exponential gaps above the floor: mean T, standard deviation T - floor, P(rest > x) = e^-x. */
static void poisson_gaps(void **state)
{
	double sum = 0, squares = 0, above_one = 0, above_three = 0, floor_ns = GRID_FLOOR_NS;
	uint64_t before = 1000;
	struct grid grid;
	int n = 400000;

	(void)state;
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
static uint64_t state_before(uint32_t wanted, uint32_t low)
{
	uint64_t factor = 0xd1342543de82ef95ULL, inverse = factor;

	/* Newton's iteration doubles the right bits of the factor's inverse. */
	for (int i = 0; i < 6; i++)
		inverse *= 2 - factor * inverse;
	return (((uint64_t)wanted << 32 | low) - 1) * inverse;
}

/* The logarithm to 2^-13, of draws of every size; the largest is cut to so many periods. */
static void gaps_are_logarithms(void **state)
{
	const double rest_ns = T - GRID_FLOOR_NS;
	struct grid grid;

	(void)state;
	grid_init(&grid, T, CPUPROBE_JITTER_POISSON, 11, 0);
	for (uint64_t draw = 1; draw <= 1ULL << 32; draw += draw / 100 + 1) {
		double expected = fmin(-log(draw / 4294967296.0) * rest_ns, GRID_GAP_CAP * T);

		grid.random = state_before(draw - 1, 12345);
		grid_begin(&grid, 5000);
		assert_true(fabs(grid.expiry_ns - 5000.0 - GRID_FLOOR_NS - expected) < T / 8192.0);
	}
	grid.random = state_before(0, 0);
	grid_begin(&grid, 5000);
	assert_int_equal(grid.expiry_ns, 5000 + GRID_FLOOR_NS + GRID_GAP_CAP * T);
}

/* A wait of less than a period misses none; of more, one for each. Waiting is told in periods. */
static void poisson_waits(void **state)
{
	struct grid grid;

	(void)state;
	for (uint64_t late = 0; late < 5 * T; late += T / 4) {
		uint64_t now, missed = late / T;

		grid_init(&grid, T, CPUPROBE_JITTER_POISSON, late, 0);
		grid_begin(&grid, 1000);
		now = grid.expiry_ns + late;
		assert_int_equal(grid_advance(&grid, now), missed);
		assert_int_equal(grid_waited_ns(&grid, missed, now), (missed + 1) * T);
		assert_int_equal(grid_expected(&grid, now), missed + 1);
		assert_true(grid.expiry_ns >= now + GRID_FLOOR_NS);
	}
}

/* After a wait of 20 periods arrivals begin anew: the mean next gap over seeds is one period. */
static void poisson_forgets_a_wait(void **state)
{
	const int n = 20000;
	struct grid grid;
	double sum = 0;

	(void)state;
	for (int seed = 0; seed < n; seed++) {
		uint64_t now;

		grid_init(&grid, T, CPUPROBE_JITTER_POISSON, seed, 0);
		grid_begin(&grid, 1000);
		now = grid.expiry_ns + 20 * T;
		assert_int_equal(grid_advance(&grid, now), 20);
		sum += (double)(grid.expiry_ns - now) / T;
	}
	/* Six standard errors: an honest generator fails once in 500 million seeds of the test. */
	assert_true(fabs(sum / n - 1) < 6 / sqrt(n));
}

/*
 * A CPU that wakes at random instants, some near, some far: at each, the account holds, and the
 * instant of the period that it wakes in has passed as often as that part of the period has,
 * or is still to come, uniformly in the rest. All that skipping draws is judged by where in a
 * period it stopped, in tenths.
 */
static void skipped_periods(void **state)
{
	double passed[10] = { 0 }, all[10] = { 0 }, frac[10] = { 0 }, rest[10] = { 0 };
	uint64_t now = 31337, done = 0;
	struct grid grid;

	(void)state;
	grid_init(&grid, T, CPUPROBE_JITTER_GRID, 21, 2);
	grid_begin(&grid, now);
	assert_int_equal(grid_skip(&grid, grid.expiry_ns - 1), 0);
	for (int i = 0; i < 400000; i++) {
		uint64_t before = grid.expiry_ns, at;
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
		/*
		 * Where the period's own instant was known before, it says nothing about drawing.
		 */
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

/* Without jitter skipping is what sampling at every instant is, to the nanosecond. */
static void skipping_is_sampling(void **state)
{
	struct grid skipping, sampling;
	uint64_t now = 5000;

	(void)state;
	grid_init(&skipping, T, CPUPROBE_JITTER_NONE, 8, 3);
	grid_init(&sampling, T, CPUPROBE_JITTER_NONE, 8, 3);
	grid_begin(&skipping, now);
	grid_begin(&sampling, now);
	for (int i = 0; i < 20000; i++) {
		uint64_t nr = 0;

		now += i % 100 ? random_below(3 * T) : 0;
		if (i % 100 == 0)	/* at the very instant */
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

/* Skips between ends, beginnings and slowing down. */
static void skipping_keeps_the_account(void **state)
{
	uint64_t now = 99, done = 0;
	struct grid grid;

	(void)state;
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

/*
 * Handlers that take anything up to three of the shortest periods: the next instant is at least a
 * floor after their end as long as its period has room, never out of it, and the account holds.
 */
static void postponing_keeps_the_account(void **state)
{
	(void)state;
	for (uint32_t jitter = 0; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		uint64_t now = 1000000007, done = 0, postponed = 0;
		struct grid grid;

		grid_init(&grid, 50000, jitter, 7, jitter);
		grid_begin(&grid, now);
		for (int i = 0; i < 100000; i++) {
			uint64_t before;

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
			assert_int_equal(grid_expected(&grid, now), done + grid_pending(&grid, now));
		}
		assert_true(postponed > 1000);
	}
}

static void fixed_period(void **state)
{
	struct grid grid;

	(void)state;
	grid_init(&grid, T, CPUPROBE_JITTER_NONE, 5, 0);
	grid_begin(&grid, 1);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(grid.expiry_ns, grid.origin_ns + i * T);
		grid_advance(&grid, grid.expiry_ns + 123);
	}
	/* Slowed down it has no jitter either. */
	assert_true(grid_slow(&grid, grid.expiry_ns - 1));
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(grid.expiry_ns, grid.origin_ns + i * 2 * T);
		grid_advance(&grid, grid.expiry_ns + 123);
	}
}

static void seeds_repeat_and_differ(void **state)
{
	struct grid a, b, other_cpu, other_seed;
	int same = 0;

	(void)state;
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
		cmocka_unit_test(first_instant_is_uniform), cmocka_unit_test(gaps_are_logarithms),
		cmocka_unit_test(poisson_waits),
		cmocka_unit_test(poisson_forgets_a_wait),
		cmocka_unit_test(account_holds), cmocka_unit_test(end_and_begin_again),
		cmocka_unit_test(slowing_keeps_the_account),
		cmocka_unit_test(slowing_takes_nothing_back), cmocka_unit_test(poisson_gaps),
		cmocka_unit_test(skipped_periods),
		cmocka_unit_test(skipping_is_sampling),
		cmocka_unit_test(skipping_keeps_the_account),
		cmocka_unit_test(postponing_keeps_the_account), cmocka_unit_test(fixed_period),
		cmocka_unit_test(seeds_repeat_and_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
