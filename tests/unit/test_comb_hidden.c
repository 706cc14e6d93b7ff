// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that hide from samplers cannot hide from the comb: the ten of tests/guest/truth_hidden.sh, in
 * exact virtual time. Each is sampled at the rate that it is in step with. The events are driven as
 * cli/bpf/teeth.c drives them. All seeds are fixed, so that nothing here fails by chance.
 */
#include <math.h>
#include <stdbool.h>

#include "unit.h"
#include "base/stat.h"
#include "bpf/comb.h"

#define NR_SEEDS	1000
#define WINDOW_NS	3000000000ULL	/* as long as the windows in the guest */
#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/** Computes from @start_ns after each tick of its clock on for @busy_ns. */
struct program {
	u64 rate_hz;
	u64 start_ns;
	u64 busy_ns;
};

static const struct program programs[] = {
	{ 250, 200000, 3000000 }, { 250, 1000000, 2000000 }, { 250, 2600000, 1000000 },
	{ 250, 2500000, 2000000 }, { 250, 3300000, 1200000 }, { 250, 3900000, 800000 },
	{ 100, 1000000, 4000000 }, { 300, 500000, 2000000 }, { 1000, 200000, 600000 },
	{ 1000, 900000, 300000 },
};

/** Samples of a window. */
struct seen {
	u64 hits;
	u64 samples;
};

static u64 period_of(const struct program *program)
{
	return 1000000000 / program->rate_hz;
}

static bool is_busy(const struct program *program, u64 at_ns)
{
	u64 period_ns = period_of(program);

	return (at_ns + period_ns - program->start_ns) % period_ns < program->busy_ns;
}

/* All samples of a period that lasts until @until_ns. */
static void see_stretch(const struct program *program, const struct comb_stretch *stretch, u64 until_ns,
			struct seen *seen)
{
	u64 nr = comb_whole(stretch, until_ns), i;

	for (i = 1; i <= nr; i++)
		seen->hits += is_busy(program, stretch->began_ns + i * stretch->period_ns);
	seen->samples += nr;
}

static struct seen see_with_comb(const struct program *program, u64 seed)
{
	struct seen seen = { 0, 0 };
	unsigned int tooth;
	struct comb comb;

	comb_init(&comb, seed, period_of(program));
	for (tooth = 0; tooth < COMB_TEETH; tooth++) {
		struct comb_stretch stretch = { 0, comb_draw_period(&comb, tooth) };
		u64 until_ns;

		for (until_ns = comb_draw_gap(&comb); stretch.began_ns < WINDOW_NS;) {
			see_stretch(program, &stretch, until_ns < WINDOW_NS ? until_ns : WINDOW_NS, &seen);
			stretch = (struct comb_stretch){ until_ns, comb_draw_period(&comb, tooth) };
			until_ns += comb_draw_gap(&comb);
		}
	}
	return seen;
}

static double truth_of(const struct program *program)
{
	return (double)program->busy_ns / period_of(program);
}

/* As -jitter none: one event with a fixed period, from a moment of the seed's choice on. */
static struct seen see_with_fixed_period(const struct program *program, u64 seed)
{
	const struct comb_stretch stretch = { seed * 654321 % period_of(program), period_of(program) };
	struct seen seen = { 0, 0 };

	see_stretch(program, &stretch, WINDOW_NS, &seen);
	return seen;
}

static bool holds(const struct program *program, const struct seen *seen, double excess)
{
	struct stat_interval interval = stat_wilson(seen->hits, seen->samples, excess);
	double truth = truth_of(program);

	return interval.lo <= truth && truth <= interval.hi;
}

/* An interval that held in 95% of windows would hold in less than 930 of 1,000 once in 500 cases. */
static void intervals_hold(void **state)
{
	size_t i;
	u64 seed;

	for (i = 0; i < NR(programs); i++) {
		u64 nr_held = 0;

		for (seed = 1; seed <= NR_SEEDS; seed++) {
			struct seen seen = see_with_comb(&programs[i], seed);

			assert_true(seen.samples > WINDOW_NS / period_of(&programs[i]) * 0.8);
			nr_held += holds(&programs[i], &seen, COMB_EXCESS);
		}
		print_message("program %zu: %llu of %d hold\n", i + 1, nr_held, NR_SEEDS);
		assert_true(nr_held >= 930);
	}
}

/* The rule of the guest test: of the windows with the seeds 1 to 10, at most 3 miss. */
static void each_window_is_judged_as_in_the_guest(void **state)
{
	u64 nr_held = 0;
	size_t i;

	for (i = 0; i < NR(programs); i++) {
		struct seen seen = see_with_comb(&programs[i], i + 1);

		nr_held += holds(&programs[i], &seen, COMB_EXCESS);
	}
	assert_true(nr_held >= 7);
}

/* The same programs hide from a fixed period, or seem to compute all the time. */
static void a_fixed_period_is_wrong(void **state)
{
	size_t i;
	u64 seed;

	for (i = 0; i < NR(programs); i++)
		for (seed = 1; seed <= 10; seed++) {
			struct seen seen = see_with_fixed_period(&programs[i], seed);
			double share = (double)seen.hits / seen.samples;

			assert_true(fabs(share - truth_of(&programs[i])) > 0.1);
			assert_false(holds(&programs[i], &seen, COMB_EXCESS));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold),
		cmocka_unit_test(each_window_is_judged_as_in_the_guest),
		cmocka_unit_test(a_fixed_period_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
