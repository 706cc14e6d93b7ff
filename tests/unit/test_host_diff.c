// SPDX-License-Identifier: GPL-2.0-only
/* Sets of hosts compared: cli/sys/host_diff.c, stat_one_mean() of cli/base/stat.c. By simulation. */
#include <math.h>

#include "unit.h"
#include "chance.h"
#include "sys/diff_view.h"
#include "sys/host_diff.h"

#define NR_PAIRS	2000	/* simulated comparisons of a case */
#define HOSTS_MAX	12

/* The sum of twelve: mean 0, variance 1. */
static double normal(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += chance_uniform();
	return sum;
}

static const char *name_host(u32 i)
{
	static const char *const names[HOSTS_MAX] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
						      "l" };

	return names[i];
}

static void add(struct host_diff *diff, int side, u32 host, const char *name, double share, u64 n, double weight)
{
	struct diff run = { .taken = { n }, .excess = { 0 } };
	const struct diff_side counts = { .share = share, .hits = llround(share * n) };
	const struct diff_key key = { .name = name, .object = "" };

	if (share > 0)
		assert_int_equal(diff_add_key(&run, 0, &key, &counts), 0);
	assert_int_equal(host_diff_add(diff, side, host, &run, weight), 0);
	diff_deinit(&run);
}

static void add_hosts(struct host_diff *diff, u32 nr_a, u32 nr_b, u32 first_b)
{
	for (u32 i = 0; i < nr_a; i++)
		assert_int_equal(host_diff_add_host(diff, 0, name_host(i)), i);
	for (u32 i = 0; i < nr_b; i++)
		assert_int_equal(host_diff_add_host(diff, 1, name_host(first_b + i)), i);
}

/* W. S. Gosset's t from printed tables: 12.706, 4.303, 2.776, 2.262, 2.042. */
static void one_mean_is_students(void **state)
{
	static const struct { u64 nr; double t; } table[] = {
		{ 2, 12.7062 }, { 3, 4.3027 }, { 5, 2.7764 }, { 10, 2.2622 }, { 31, 2.0423 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct stat_mean mean = { .mean = 3, .variance = 4.0 * table[i].nr, .nr = table[i].nr };
		const struct stat_mean edge = { .mean = 2 * table[i].t, .variance = mean.variance,
						.nr = table[i].nr };
		struct stat_difference found = stat_one_mean(&mean);

		assert_true(fabs(found.difference - 3) < 1e-12);
		assert_true(fabs(found.interval.hi - 3 - 2 * table[i].t) < 2e-4);
		assert_true(fabs(3 - found.interval.lo - 2 * table[i].t) < 2e-4);
		assert_true(fabs(stat_one_mean(&edge).p - 0.05) < 1e-4);
	}
	assert_true(stat_one_mean(&(struct stat_mean){ .mean = 1, .nr = 1 }).p == 1);
	assert_true(stat_one_mean(&(struct stat_mean){ .mean = 1, .nr = 5 }).p == 0);
	assert_true(stat_one_mean(&(struct stat_mean){ .mean = 0, .nr = 5 }).p == 1);
}

/* Shares 10, 20, 30% before, 11, 22, 33% after: differences 1, 2, 3 of pairs, whose error is 1/sqrt(3). */
static void pairs_are_compared(void **state)
{
	const u64 n = 100000000;

	for (int declines = 0; declines < 2; declines++) {
		struct host_diff diff = { .nr_hosts = { 0, 0 } };
		const struct diff_row *row;

		/* The hosts of the other set are in the reverse order. */
		add_hosts(&diff, 3, 0, 0);
		for (u32 i = 0; i < 3; i++)
			assert_int_equal(host_diff_add_host(&diff, 1, name_host(2 - i)), i);
		for (u32 i = 0; i < 3; i++) {
			add(&diff, 0, i, "web", 0.1 * (i + 1), n, 5);
			add(&diff, 1, 2 - i, "web", 0.11 * (i + 1), n, 7);
		}
		assert_int_equal(host_diff_finish(&diff, declines), 0);
		assert_int_equal(diff.diff.nr, 1);
		row = &diff.diff.row[0];
		assert_true(diff.is_paired == !declines);
		assert_true(fabs(row->side[0].share - 0.2) < 1e-12 && fabs(row->side[1].share - 0.22) < 1e-12);
		assert_true(fabs(row->found.difference - 0.02) < 1e-12);
		if (declines)
			assert_true(row->found.interval.hi - row->found.interval.lo > 0.4);
		else
			assert_true(fabs(row->found.interval.hi - 0.02 - 4.3027 * 0.01 / sqrt(3)) < 1e-5);
		assert_int_equal(row->side[1].hits, 66000000);
		host_diff_deinit(&diff);
	}
}

/* Runs of a host are averaged by their time; a row that a host does not have is 0 there. */
static void hosts_are_the_unit(void **state)
{
	struct host_diff diff = { .nr_hosts = { 0, 0 } };
	const struct diff_row *row;
	char *text;

	add_hosts(&diff, 2, 3, 0);
	add(&diff, 0, 0, "web", 0.4, 1000000, 1);
	add(&diff, 0, 0, "web", 0.8, 1000000, 3);
	add(&diff, 0, 1, "web", 0, 1000000, 1);
	for (u32 i = 0; i < 3; i++)
		add(&diff, 1, i, i ? "new" : "web", 0.3, 1000000, 1);
	assert_int_equal(host_diff_finish(&diff, false), 0);
	assert_false(diff.is_paired);
	assert_int_equal(diff.diff.nr, 2);
	row = &diff.diff.row[strcmp(diff.diff.row[0].name, "web") != 0];
	assert_true(fabs(row->side[0].share - 0.35) < 1e-12 && fabs(row->side[1].share - 0.1) < 1e-12);
	row = &diff.diff.row[!strcmp(diff.diff.row[0].name, "web")];
	assert_true(row->side[0].share == 0 && fabs(row->side[1].share - 0.2) < 1e-12 && !row->is_in[0]);
	text = WRITTEN(out, diff_view_hosts(out, &diff.diff, 200);
		       diff_view_chance(out, 40, 200));
	assert_string_equal(text, "A: 2 hosts before, 3000000 samples. B: 3 hosts after, 3000000 samples. The hosts "
			    "are not compared in pairs.\nShares are means over hosts. Intervals are for one row "
			    "each: of 40 shown, 2 on average miss the true difference by chance.\n");
	free(text);
	host_diff_deinit(&diff);
}

/* Hosts that happen to agree do not make the interval narrower than their samples allow. */
static void sampling_is_a_floor(void **state)
{
	for (int declines = 0; declines < 2; declines++) {
		struct host_diff diff = { .nr_hosts = { 0, 0 } };
		const struct diff_row *row;

		add_hosts(&diff, 2, 2, 0);
		for (u32 i = 0; i < 2; i++) {
			add(&diff, 0, i, "web", 0.1, 100, 3);
			add(&diff, 1, i, "web", 0.11, 100, 3);
		}
		assert_int_equal(host_diff_finish(&diff, declines), 0);
		row = &diff.diff.row[0];
		assert_true(row->found.p > 0.3 && row->found.interval.lo < 0 && row->found.interval.hi > 0.1);
		host_diff_deinit(&diff);
	}
	/* Rows with too few samples in both sets are dropped. */
	for (u64 least = 42; least < 44; least++) {
		struct host_diff diff = { .nr_hosts = { 0, 0 }, .diff.least_hits = least };

		add_hosts(&diff, 2, 2, 0);
		for (u32 i = 0; i < 2; i++) {
			add(&diff, 0, i, "small", 0.01, 100, 1);
			add(&diff, 0, i, "web", 0.1, 100, 1);
			add(&diff, 1, i, "web", 0.11, 100, 1);
		}
		assert_int_equal(host_diff_finish(&diff, false), 0);
		assert_int_equal(diff.diff.nr_dropped, least == 42 ? 1 : 2);
		/* Each host has two runs before, of equal time: one with 10%, one without. */
		if (diff.diff.nr)
			assert_true(fabs(diff.diff.row[0].side[0].share - 0.05) < 1e-12);
		host_diff_deinit(&diff);
	}
}

/* Hosts that agree have the variance of their samples, of each set its own. A weight is only a unit. */
static void each_set_has_its_own_floor(void **state)
{
	/* (20 + 1.92) / (200 + 3.84) before, and the share 0.5 has its centre in itself; for p 400 + 20 of 1,000 */
	const double share = stat_centre(0.1, 200, 0);
	const struct stat_mean a = { .mean = 0.1, .variance = share * (1 - share) / 100, .nr = 2 };
	const struct stat_mean b = { .mean = 0.5, .variance = 0.5 * 0.5 / 400, .nr = 2 };
	const struct stat_mean common_a = { .mean = 0.1, .variance = 0.42 * 0.58 / 100, .nr = 2 };
	const struct stat_mean common_b = { .mean = 0.5, .variance = 0.42 * 0.58 / 400, .nr = 2 };
	const struct stat_difference wanted = stat_welch(&a, &b), by_chance = stat_welch(&common_a, &common_b);

	for (int weight = 1; weight <= 3; weight++) {
		struct host_diff diff = { .nr_hosts = { 0, 0 } };
		const struct diff_row *row;

		add_hosts(&diff, 2, 2, 2);
		for (u32 i = 0; i < 2; i++) {
			add(&diff, 0, i, "web", 0.1, 100, weight);
			add(&diff, 1, i, "web", 0.5, 400, weight);
		}
		assert_int_equal(host_diff_finish(&diff, false), 0);
		row = &diff.diff.row[0];
		assert_true(fabs(row->found.interval.lo - wanted.interval.lo) < 1e-9);
		assert_true(fabs(row->found.interval.hi - wanted.interval.hi) < 1e-9);
		assert_true(fabs(row->found.p - by_chance.p) < 1e-9);
		host_diff_deinit(&diff);
	}
}

/* A set of few samples in which the row is missing says little, in pairs as well. */
static void a_missing_row_varies(void **state)
{
	for (int declines = 0; declines < 2; declines++) {
		struct host_diff diff = { .nr_hosts = { 0, 0 } };
		const struct diff_row *row;

		add_hosts(&diff, 4, 4, 0);
		for (u32 i = 0; i < 4; i++) {
			add(&diff, 0, i, "web", 0.1, 200, 1);
			add(&diff, 1, i, "rare", 0.003, 20000, 1);
		}
		assert_int_equal(host_diff_finish(&diff, declines), 0);
		for (row = diff.diff.row; strcmp(row->name, "rare"); row++)
			;
		assert_true(row->found.p > 0.1 && row->found.interval.lo < 0);
		assert_true(row->found.interval.hi > 0.003 && row->found.interval.hi < 0.02);
		host_diff_deinit(&diff);
	}
}

/** Hosts whose shares vary. */
struct sets {
	u32 nr_a, nr_b, first_b;
	double share, growth;
	double host_sd;		/* of a host's share, the same before and after, relative */
	double change_sd;	/* of its change, relative to the share */
	u64 n, n_step;		/* samples of host i: n + i n_step */
};

static double simulate(const struct sets *sets)
{
	int held = 0;

	for (int pair = 0; pair < NR_PAIRS; pair++) {
		struct host_diff diff = { .nr_hosts = { 0, 0 } };
		double host[2 * HOSTS_MAX], truth = sets->share * sets->growth;
		struct stat_interval in;

		add_hosts(&diff, sets->nr_a, sets->nr_b, sets->first_b);
		for (u32 i = 0; i < 2 * HOSTS_MAX; i++)
			host[i] = sets->share * fmax(1 + sets->host_sd * normal(), 0);
		for (u32 i = 0; i < sets->nr_a + sets->nr_b; i++) {
			bool is_b = i >= sets->nr_a;
			u32 at = is_b ? i - sets->nr_a : i, who = at + (is_b ? sets->first_b : 0);
			u64 n = sets->n + who * sets->n_step;
			double p = host[who] + (is_b ? sets->share *
						(sets->growth + sets->change_sd * normal()) : 0);

			p = fmin(fmax(p, 0), 1);
			add(&diff, is_b, at, "web", (double)chance_binomial(n, p) / n, n, 1);
		}
		assert_int_equal(host_diff_finish(&diff, false), 0);
		if (diff.diff.nr) {
			in = diff.diff.row[0].found.interval;
			held += in.lo <= truth && truth <= in.hi;
		} else {
			held += truth == 0;
		}
		host_diff_deinit(&diff);
	}
	return (double)held / NR_PAIRS;
}

/* The mean over all cases is at least 94%; no case is below 91%. The seed is fixed. */
static void intervals_hold(void **state)
{
	static const struct sets cases[] = {
		{ 10, 10, 0, 0.1, 0.2, 0.3, 0.1, 200, 0 },		/* pairs */
		{ 3, 3, 0, 0.1, 0, 0.3, 0.1, 200, 50 },
		{ 10, 10, 0, 0.02, 0, 0.2, 0, 300, 0 },
		{ 10, 10, 1, 0.1, 0.2, 0.3, 0.1, 200, 0 },	/* not the same hosts */
		{ 3, 9, 3, 0.1, 0.2, 0.3, 0.1, 200, 50 },
		{ 5, 5, 6, 0.5, 0.1, 0.1, 0, 100, 100 },
		{ 2, 2, 5, 0.2, 0, 0.2, 0, 200, 0 },
	};
	const size_t nr = sizeof(cases) / sizeof(cases[0]);
	double mean = 0, least = 1;

	for (size_t i = 0; i < nr; i++) {
		double held = simulate(&cases[i]);

		print_message("case %zu: %.1f%%\n", i, 100 * held);
		mean += held / nr;
		least = fmin(least, held);
	}
	print_message("mean %.2f%%, least %.2f%%\n", 100 * mean, 100 * least);
	assert_true(mean >= 0.94 && least >= 0.91);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_mean_is_students),
		cmocka_unit_test(pairs_are_compared),
		cmocka_unit_test(hosts_are_the_unit),
		cmocka_unit_test(sampling_is_a_floor),
		cmocka_unit_test(each_set_has_its_own_floor), cmocka_unit_test(a_missing_row_varies),
		cmocka_unit_test(intervals_hold),
	};

	chance_seed(815);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
