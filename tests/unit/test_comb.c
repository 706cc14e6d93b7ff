// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling instants of the comb: cli/bpf/comb.c. All seeds are fixed, so that nothing here fails
 * by chance.
 */
#include "unit.h"
#include "bpf/comb.h"

static void periods_keep_to_their_eighth(void **state)
{
	struct comb comb;
	unsigned int tooth, i;

	comb_init(&comb, 1, 1000000);
	for (tooth = 0; tooth < COMB_TEETH; tooth++) {
		u64 low = comb.tooth_ns * (0.5 + tooth / 8.0), high = comb.tooth_ns * (0.5 + (tooth + 1) / 8.0);
		u64 least = UINT64_MAX, most = 0;

		for (i = 0; i < 1000; i++) {
			u64 period = comb_draw_period(&comb, tooth);

			least = period < least ? period : least;
			most = period > most ? period : most;
		}
		assert_true(least >= low && most <= high);
		assert_true(least < low + (high - low) / 50 && most > high - (high - low) / 50);
	}
}

static void gaps_are_long_enough_for_slow_rates(void **state)
{
	struct comb comb;
	u64 most = 0;
	int i;

	comb_init(&comb, 2, 50000);
	assert_int_equal(comb.gap_ns, 1000000000);
	for (i = 0; i < 1000; i++) {
		u64 gap = comb_draw_gap(&comb);

		most = gap > most ? gap : most;
	}
	assert_true(most < 1000000000 && most > 995000000);
	comb_init(&comb, 2, 10000000);
	assert_int_equal(comb.gap_ns, 4000000000);
}

/* Samples of all teeth within @end_ns, each drawn again at its own random instants. */
static u64 count_samples(u64 seed, u64 period_ns, u64 end_ns)
{
	struct comb comb;
	unsigned int tooth;
	u64 sum = 0;

	comb_init(&comb, seed, period_ns);
	for (tooth = 0; tooth < COMB_TEETH; tooth++) {
		u64 now = 0;

		while (now < end_ns) {
			const struct comb_stretch stretch = { now, comb_draw_period(&comb, tooth) };

			now += comb_draw_gap(&comb);
			sum += comb_whole(&stretch, now);
		}
	}
	return sum;
}

static void rate_is_the_one_asked_for(void **state)
{
	static const u64 periods[] = { 50000, 100000, 1000000, 4000000, 10000000, 100000000 };
	size_t i;

	for (i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		double wanted = 2e7, got = count_samples(i, periods[i], periods[i] * 20000000);

		assert_true(got > wanted * 0.998 && got < wanted * 1.002);
	}
}

/* An event that is alone has periods within an eighth of the mean, and the same rate. */
static void a_single_tooth_has_the_rate_too(void **state)
{
	struct comb comb;
	double samples = 0, time = 0;
	int i;

	comb_init_single(&comb, 5, 1000000, 100000000);
	for (i = 0; i < 20000; i++) {
		const u64 period = comb_draw_period(&comb, 0), gap = comb_draw_gap(&comb);
		const struct comb_stretch stretch = { 0, period };

		assert_true(period >= 0.874999 * comb.tooth_ns && period <= 1.125 * comb.tooth_ns);
		assert_true(gap <= 100000000);
		samples += comb_whole(&stretch, gap);
		time += gap;
	}
	/* Four standard deviations of the mean are 0.2%. */
	assert_true(samples > 0.99 * time / 1e6 && samples < 1.01 * time / 1e6);
}

/* Events come one by one: all teeth together have a sample per @period of them. */
static void events_have_the_rate_too(void **state)
{
	static const u64 periods[] = { 1, 2, 3, 7, 101, 1000003 };
	const u64 end = 200000;
	size_t i;

	for (i = 0; i < 2 * sizeof(periods) / sizeof(periods[0]); i++) {
		const u64 period = periods[i / 2];
		double samples = 0, events = period * end;
		struct comb comb;
		unsigned int tooth;

		comb_init_events(&comb, i, period, i % 2 ? COMB_TEETH : 1);
		for (tooth = 0; tooth < comb.nr_teeth; tooth++) {
			double now = 0;

			while (now < events) {
				const u64 drawn = comb_draw_count(&comb, tooth);
				const u64 stay = comb_draw_stay(&comb);

				assert_true(drawn >= 1 && drawn <= 1 + 1.5 * comb.tooth_ns);
				assert_true(stay >= 50 * comb.tooth_ns && stay <= 2 + 150 * comb.tooth_ns);
				/* Periods of 1 are shorter than a tooth that is alone may have. */
				samples += stay / drawn;
				now += stay;
			}
		}
		if (period > 2 || i % 2)
			assert_true(samples > 0.985 * end && samples < 1.015 * end);
	}
}

static void whole_periods_are_counted(void **state)
{
	const struct comb_stretch stretch = { 1000, 100 };

	assert_int_equal(comb_whole(&stretch, 900), 0);
	assert_int_equal(comb_whole(&stretch, 1000), 0);
	assert_int_equal(comb_whole(&stretch, 1099), 0);
	assert_int_equal(comb_whole(&stretch, 1100), 1);
	assert_int_equal(comb_whole(&stretch, 1999), 9);
}

static void waits_are_spread(void **state)
{
	struct comb comb;
	double sum = 0;
	int i;

	comb_init(&comb, 3, 1000000);
	for (i = 0; i < 10000; i++) {
		u64 wait = comb_draw_wait(&comb, 8000000);

		assert_true(wait >= 1 && wait <= 8000000);
		sum += wait;
	}
	assert_true(sum / 10000 > 3900000 && sum / 10000 < 4100000);
}

static void seeds_repeat_the_draws(void **state)
{
	assert_int_equal(count_samples(7, 1000000, 5000000000), count_samples(7, 1000000, 5000000000));
	assert_int_not_equal(count_samples(7, 1000000, 50000000000),
			     count_samples(8, 1000000, 50000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(periods_keep_to_their_eighth),
		cmocka_unit_test(gaps_are_long_enough_for_slow_rates),
		cmocka_unit_test(rate_is_the_one_asked_for),
		cmocka_unit_test(a_single_tooth_has_the_rate_too),
		cmocka_unit_test(events_have_the_rate_too),
		cmocka_unit_test(whole_periods_are_counted),
		cmocka_unit_test(waits_are_spread),
		cmocka_unit_test(seeds_repeat_the_draws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
