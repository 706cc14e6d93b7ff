// SPDX-License-Identifier: GPL-2.0-only
/* Intervals of samples of several clocks: cli/base/stat_weight.c, cli/sys/row_sums.c. By simulation. */
#include <math.h>

#include "unit.h"
#include "chance.h"
#include "base/stat_weight.h"
#include "folds.h"

#define NR_RUNS 2000

/** A host: its part of all time, its samples, and the program's share of its time. */
struct host {
	double part;
	u64 nr;
	double share;
};

/* Clocks that all have one weight and one excess are as one clock. */
static void equal_clocks_have_wilsons_interval(void **state)
{
	const struct stat_clock clock = { 1.0 / 300, 100, 0.296 };
	struct stat_weights weights = { 0 };
	struct stat_interval found, wanted;

	for (int i = 0; i < 3; i++)
		stat_weights_add(&weights, &clock);
	for (u64 hits = 0; hits <= 300; hits += 15) {
		found = stat_weighted_share(&weights, hits / 300.0, hits * stat_square(&clock));
		wanted = stat_wilson(hits, 300, 0.296);
		assert_true(fabs(found.lo - wanted.lo) < 1e-9 && fabs(found.hi - wanted.hi) < 1e-9);
	}
	assert_true(fabs(stat_weights_excess(&weights, 300) - 0.296) < 1e-9);
	weights = (struct stat_weights){ 0 };
	found = stat_weighted_share(&weights, 0.5, 0);
	assert_true(found.lo == 0 && found.hi == 1);
	assert_true(stat_weights_excess(&weights, 0) == 0);
}

/* A row of the host with few samples has the wider interval, and the excess fits it. */
static void scarce_samples_tell_less(void **state)
{
	const struct stat_clock scarce = { 0.5 / 100, 100, 0 }, many = { 0.5 / 1000, 1000, 0 };
	struct stat_weights weights = { 0 };
	struct stat_interval few, more, rule;

	stat_weights_add(&weights, &many);
	stat_weights_add(&weights, &scarce);
	few = stat_weighted_share(&weights, 0.1, 20 * stat_square(&scarce));
	more = stat_weighted_share(&weights, 0.1, 200 * stat_square(&many));
	assert_true(few.hi - few.lo > 1.5 * (more.hi - more.lo));
	assert_true(fabs(stat_weights_excess(&weights, 1100) - 4.5) < 1e-9);
	rule = stat_wilson_share(0.1, 1100, 4.5);
	assert_true(rule.lo <= few.lo + 1e-3 && rule.hi >= few.hi - 1e-3);
	/* No hit: the samples of the host with fewer might have missed it. */
	few = stat_weighted_share(&weights, 0, 0);
	assert_true(few.lo == 0 && few.hi > 0.5 * stat_wilson(0, 100, 0).hi);
}

/* How often the interval holds, of NR_RUNS runs. */
static double simulate(const struct host *hosts, size_t nr)
{
	struct stat_weights weights = { 0 };
	double truth = 0;
	int held = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct stat_clock clock = { hosts[i].part / hosts[i].nr, hosts[i].nr, 0 };

		stat_weights_add(&weights, &clock);
		truth += hosts[i].part * hosts[i].share;
	}
	for (int run = 0; run < NR_RUNS; run++) {
		double share = 0, squares = 0;
		struct stat_interval interval;

		for (size_t i = 0; i < nr; i++) {
			const struct stat_clock clock = { hosts[i].part / hosts[i].nr, 0, 0 };
			u64 hits = chance_binomial(hosts[i].nr, hosts[i].share);

			share += hits * clock.weight;
			squares += hits * stat_square(&clock);
		}
		interval = stat_weighted_share(&weights, share, squares);
		held += interval.lo <= truth && truth <= interval.hi;
	}
	return (double)held / NR_RUNS;
}

/* The mean over all cases is at least 94%; no case is below 91%. The seed is fixed. */
static void intervals_hold(void **state)
{
	static const struct host cases[][3] = {
		{ { 0.5, 190, 0.1 }, { 0.5, 1900, 0.1 } },
		{ { 0.5, 190, 0.2 }, { 0.5, 1900, 0 } },
		{ { 0.5, 190, 0 }, { 0.5, 1900, 0.2 } },
		{ { 0.9, 190, 0.05 }, { 0.1, 1900, 0.5 } },
		{ { 0.1, 190, 0.5 }, { 0.9, 1900, 0.05 } },
		{ { 0.5, 190, 0.02 }, { 0.5, 1900, 0.001 } },
		{ { 0.3, 100, 0.9 }, { 0.3, 500, 0.95 }, { 0.4, 990, 1 } },
		{ { 0.3, 100, 0.03 }, { 0.3, 500, 0.3 }, { 0.4, 990, 0.01 } },
		{ { 1.0 / 3, 300, 0.01 }, { 1.0 / 3, 300, 0.02 }, { 1.0 / 3, 300, 0.5 } },
	};
	const size_t nr = sizeof(cases) / sizeof(cases[0]);
	double mean = 0, least = 1;

	for (size_t i = 0; i < nr; i++) {
		double held = simulate(cases[i], cases[i][2].part > 0 ? 3 : 2);

		print_message("case %zu: %.1f%%\n", i, 100 * held);
		mean += held / nr;
		least = fmin(least, held);
	}
	print_message("mean %.2f%%, least %.2f%%\n", 100 * mean, 100 * least);
	assert_true(mean >= 0.94 && least >= 0.91);
}

/* Rows of a fold with two clocks use the weights of their own samples. */
static void rows_use_their_samples(void **state)
{
	struct cpuprobe_account slow = { .period_ns = 10000, .expected = 100, .taken = 100, .entries = 2 };
	struct cpuprobe_account fast = { .period_ns = 1000, .expected = 1000, .taken = 1000, .entries = 2 };
	const double excess[2] = { 0, 0 };
	struct cpuprobe_record records[2];
	struct fold *fold = fold_create();
	struct row *on_slow, *on_fast;
	struct rows rows;

	record_init(&records[0], 1, "idle", 0, 0, 80);
	record_init(&records[1], 2, "on slow", 0, 0, 20);
	fold_add(fold, 0, &slow, records);
	record_init(&records[0], 1, "idle", 0, 0, 800);
	record_init(&records[1], 3, "on fast", 0, 0, 200);
	fold_add(fold, 1, &fast, records);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_true(find_row(&rows, "on slow")->interval.hi == find_row(&rows, "on fast")->interval.hi);
	rows_deinit(&rows);
	assert_int_equal(fold_weigh(fold, excess), 0);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	on_slow = find_row(&rows, "on slow");
	on_fast = find_row(&rows, "on fast");
	assert_true(fabs(on_slow->total - 0.1) < 1e-12 && fabs(on_fast->total - 0.1) < 1e-12);
	assert_true(on_slow->interval.hi - on_slow->interval.lo >
		    1.5 * (on_fast->interval.hi - on_fast->interval.lo));
	assert_true(fabs(stat_weights_excess(&rows.weights, rows.taken) - 4.5) < 1e-9);
	/* Folded rows add up: all but one. */
	rows_limit(&rows, ROWS_SORT_TOTAL, 1);
	assert_true(fabs(rows.row[1].squares - 20 * 0.005 * 0.005 - 200 * 0.0005 * 0.0005) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_clocks_have_wilsons_interval),
		cmocka_unit_test(scarce_samples_tell_less),
		cmocka_unit_test(intervals_hold),
		cmocka_unit_test(rows_use_their_samples),
	};

	chance_seed(4711);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
