// SPDX-License-Identifier: GPL-2.0-only
/* Samples of several rates: cli/run/receipt_rates.c. */
#include <math.h>

#include "unit.h"
#include "base/stat.h"
#include "run/receipt.h"

#define SLOW_NS	20000000ull
#define FAST_NS	500000ull

static void one_rate_changes_nothing(void **state)
{
	struct receipt_rates rates = { 0 };

	assert_true(receipt_rates_excess(&rates, 0.25) == 0.25);
	assert_int_equal(receipt_rates_mean_ns(&rates, 77), 77);
	receipt_add_rate(&rates, SLOW_NS, 0);
	assert_int_equal(rates.most_ns, 0);
	receipt_add_rate(&rates, SLOW_NS, 100);
	receipt_add_rate(&rates, SLOW_NS, 50);
	assert_true(fabs(receipt_rates_excess(&rates, 0.25) - 0.25) < 1e-12);
	assert_int_equal(receipt_rates_mean_ns(&rates, 77), SLOW_NS);
	assert_true(fabs(receipt_rates_bound(&rates, SLOW_NS, 0.25) - 0.25) < 1e-12);
}

/* 100 samples of 20 ms and 4,000 of 0.5 ms: four seconds, 4,100 samples, the slow ones 20.5 times the mean. */
static void slow_samples_weigh_more(void **state)
{
	struct receipt_rates rates = { 0 };

	receipt_add_rate(&rates, SLOW_NS, 100);
	assert_true(receipt_rates_bound(&rates, FAST_NS, 0) == 39);
	receipt_add_rate(&rates, FAST_NS, 4000);
	assert_true(fabs(receipt_rates_excess(&rates, 0) - 19.5) < 1e-9);
	assert_true(fabs(receipt_rates_excess(&rates, 0.296) - (1.296 * 20.5 - 1)) < 1e-9);
	assert_int_equal(receipt_rates_mean_ns(&rates, 1), 975610);
	assert_true(receipt_rates_bound(&rates, SLOW_NS / 2, 0) == 39);
	assert_true(receipt_rates_bound(&rates, 10 * SLOW_NS, 0) == 399);
}

/* The probability of @hits of @nr, each with probability @p. */
static double binomial(int nr, int hits, double p)
{
	return exp(lgamma(nr + 1) - lgamma(hits + 1) - lgamma(nr - hits + 1) + hits * log(p) +
		   (nr - hits) * log1p(-p));
}

/*
 * A program that ran only while the rate was low, and only one that ran while it was high: how often the interval
 * of all samples holds its share of the time. Exact, on average over its shares.
 */
static void intervals_hold(void **state)
{
	static const struct { u64 period_ns; int nr; } stretches[] = { { SLOW_NS, 100 }, { FAST_NS, 4000 } };
	struct receipt_rates rates = { 0 };
	int i, hits, percent;
	double excess;

	for (i = 0; i < 2; i++)
		receipt_add_rate(&rates, stretches[i].period_ns, stretches[i].nr);
	excess = receipt_rates_excess(&rates, 0);
	for (i = 0; i < 2; i++) {
		const double each = stretches[i].period_ns / rates.taken_ns;
		double held = 0;

		for (percent = 5; percent <= 95; percent += 5)
			for (hits = 0; hits <= stretches[i].nr; hits++) {
				struct stat_interval interval = stat_wilson_share(hits * each, rates.taken, excess);
				double truth = percent / 100.0 * stretches[i].nr * each;

				if (interval.lo <= truth && truth <= interval.hi)
					held += binomial(stretches[i].nr, hits, percent / 100.0);
			}
		assert_true(held / 19 >= 0.95);
	}
}

/* Numbers that no run writes are those of a run with one rate. */
static void files_are_not_trusted(void **state)
{
	const struct receipt_rates good = { 1, 0, FAST_NS, SLOW_NS, 4100, 4e9 };
	struct receipt_rates rates = good;

	receipt_clean_rates(&rates);
	assert_memory_equal(&rates, &good, sizeof(good));
	rates.least_ns = SLOW_NS + 1;
	receipt_clean_rates(&rates);
	assert_int_equal(rates.nr_changes, 0);
	rates = good;
	rates.taken_ns = 1;
	receipt_clean_rates(&rates);
	assert_int_equal(rates.nr_changes, 0);
	rates = good;
	rates.taken = NAN;
	receipt_clean_rates(&rates);
	assert_int_equal(rates.nr_changes, 0);
	rates = good;
	rates.taken_ns = 1e300;
	receipt_clean_rates(&rates);
	assert_int_equal(rates.nr_changes, 0);
	rates = (struct receipt_rates){ .nr_changes = 3 };
	receipt_clean_rates(&rates);
	assert_int_equal(rates.nr_changes, 0);
}

/* Only a run whose rate was changed or halved has an excess of its own; a merged one has that of the merge. */
static void the_receipt_has_the_excess(void **state)
{
	struct receipt receipt = { .rates = { 0, 0, FAST_NS, SLOW_NS, 4100, 4e9 }, .flags = RECEIPT_BPF };

	assert_true(receipt_excess(&receipt) > 20 * (1 + receipt_clock_excess(&receipt)) - 1);
	receipt.rates.nr_changes = 1;
	assert_true(receipt_excess(&receipt) > 20 * (1 + receipt_clock_excess(&receipt)) - 1);
	receipt.rates.most_ns = FAST_NS;
	assert_true(receipt_excess(&receipt) == receipt_clock_excess(&receipt));
	/* Files with more are not read. */
	receipt.rates.most_ns = 1000 * (u64)SLOW_NS;
	assert_true(receipt_excess(&receipt) == 100);
	receipt.nr_merged = 2;
	receipt.merged_excess = 0.5;
	assert_true(receipt_excess(&receipt) == 0.5);
}

/* The module halves the rate of a CPU; the periods of the others' accounts are weights. */
static void accounts_have_rates(void **state)
{
	const struct cpuprobe_account fast = { .taken = 10, .period_ns = FAST_NS };
	const struct cpuprobe_account slow = { .taken = 20, .period_ns = 2 * FAST_NS };
	struct receipt receipt = { .cost_ns = 1 };

	receipt_add_account(&receipt.rates, &receipt, FAST_NS, &fast);
	receipt_add_account(&receipt.rates, &receipt, FAST_NS, &slow);
	assert_true(fabs(receipt_excess(&receipt) - (2 * 30 / 50.0 - 1)) < 1e-9);
	receipt = (struct receipt){ .flags = RECEIPT_BPF };
	receipt_add_account(&receipt.rates, &receipt, FAST_NS, &fast);
	receipt_add_account(&receipt.rates, &receipt, FAST_NS, &slow);
	assert_true(receipt_excess(&receipt) == receipt_clock_excess(&receipt));
	assert_true(receipt.rates.taken == 30);
	receipt = (struct receipt){ .event.event = { .period = 5 } };
	receipt_add_account(&receipt.rates, &receipt, FAST_NS, &slow);
	assert_true(receipt.rates.taken == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_rate_changes_nothing),
		cmocka_unit_test(slow_samples_weigh_more),
		cmocka_unit_test(intervals_hold),
		cmocka_unit_test(files_are_not_trusted),
		cmocka_unit_test(the_receipt_has_the_excess),
		cmocka_unit_test(accounts_have_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
