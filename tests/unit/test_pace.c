// SPDX-License-Identifier: GPL-2.0-only
/* kmod/pace.c: how often a counter interrupts, in bursts and in storms. */
#include "meter.h"
#include "pace.h"
#include "unit.h"

#define MS	1000000ull
#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/** The work of a counter of the kernel's own. */
struct sums {
	u64 overflows;
	u64 taken;
};

/* Events come every @apart_ps for @ns; the counter is set as kmod/overflows.c sets it. */
static struct sums run_storm(u64 apart_ps, u64 period, u64 claimed_ns, u64 ns)
{
	struct pace pace = { .claimed_ns = claimed_ns };
	struct sums sums = { 0 };
	struct meter meter;
	u64 events = meter_init(&meter, period, CPUPROBE_JITTER_GRID, 1, 0);

	while (events * apart_ps / 1000 < ns) {
		sums.overflows++;
		if (pace_admits(&pace, events * apart_ps / 1000, false)) {
			struct meter_step step = meter_sample(&meter, events, events);

			sums.taken += step.is_due;
			events += step.gap;
		} else {
			events += period << pace.skip;
		}
	}
	return sums;
}

/* Whatever comes, the interrupts are those that were claimed, and a good part of them takes samples. */
static void storm_costs_its_claim(void **state)
{
	static const u64 apart_ps[] = { 100, 333, 10000, 1000000 }, period[] = { 1, 3000, 100000 };
	static const u64 claimed_ns[] = { 50000, 200000, MS, 20 * MS };
	u64 a, p, c, ns, most;

	for (a = 0; a < NR(apart_ps); a++)
		for (p = 0; p < NR(period); p++)
			for (c = 0; c < NR(claimed_ns); c++) {
				struct sums sums;

				ns = 4000 * claimed_ns[c];
				most = PACE_BURST + ns / claimed_ns[c];
				sums = run_storm(apart_ps[a], period[p], claimed_ns[c], ns);
				assert_in_range(sums.overflows, 1, most + PACE_SKIP_MAX + 1);
				if (sums.overflows > most / 2)
					assert_in_range(sums.taken, most / 4, most);
				else
					assert_true(sums.taken >= sums.overflows / 2);
			}
}

/* At less than the claimed rate nothing is refused. */
static void slow_events_are_all_admitted(void **state)
{
	struct sums sums = run_storm(1000000, 1000, 999000, 1000 * MS);

	assert_int_equal(sums.taken, sums.overflows);
	assert_in_range(sums.taken, 999, 1000);
}

/* As many as the bucket holds; then one for each period that passes. */
static void burst_is_sampled_whole(void **state)
{
	struct pace pace = { .claimed_ns = MS };
	u32 i;

	for (i = 0; i <= PACE_BURST; i++)
		assert_true(pace_admits(&pace, 5 * MS, false));
	assert_int_equal(pace.skip, 0);
	assert_false(pace_admits(&pace, 5 * MS, false));
	assert_int_equal(pace.skip, 1);
	/* The refused one has been paid too. */
	assert_false(pace_admits(&pace, 6 * MS, false));
	assert_int_equal(pace.skip, 2);
	assert_true(pace_admits(&pace, 9 * MS, false));
	assert_int_equal(pace.skip, 1);
	for (i = 0; i < 100; i++)
		pace_admits(&pace, 9 * MS, false);
	assert_int_equal(pace.skip, PACE_SKIP_MAX);
}

/* Samples of the fast path are paid in advance, and those that were not taken are given back. */
static void fast_path_is_prepaid(void **state)
{
	struct pace pace = { .claimed_ns = MS };

	assert_true(pace_admits(&pace, 5 * MS, true));
	assert_int_equal(pace.prepaid, PACE_BURST - 1);
	assert_int_equal(pace.full_ns, (5 + PACE_BURST) * MS);
	/* 28 are taken by the fast path; then one takes the slow path. */
	pace.prepaid -= 28;
	assert_true(pace_admits(&pace, 6 * MS, true));
	assert_int_equal(pace.prepaid, 0);
	assert_int_equal(pace.full_ns, (5 + 29 + 1) * MS);
	/* The bucket is empty, after a long time too. */
	assert_true(pace_admits(&pace, 1000 * MS, true));
	assert_int_equal(pace.full_ns, (1000 + PACE_BURST) * MS);
}

static void rate_is_halved(void **state)
{
	struct pace pace = { .claimed_ns = CPUPROBE_PERIOD_MAX_NS / 4 };

	assert_true(pace_slow(&pace));
	assert_true(pace_slow(&pace));
	assert_int_equal(pace.claimed_ns, CPUPROBE_PERIOD_MAX_NS);
	assert_false(pace_slow(&pace));
	assert_int_equal(pace.claimed_ns, CPUPROBE_PERIOD_MAX_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(storm_costs_its_claim),
		cmocka_unit_test(slow_events_are_all_admitted),
		cmocka_unit_test(burst_is_sampled_whole),
		cmocka_unit_test(fast_path_is_prepaid),
		cmocka_unit_test(rate_is_halved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
