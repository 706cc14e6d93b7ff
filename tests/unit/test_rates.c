// SPDX-License-Identifier: GPL-2.0-only
/* Rates of two events in a table: cli/sys/rates.c, rows_init_beside(), and how often their intervals hold, exactly. */
#include <linux/perf_event.h>
#include <math.h>

#include "folds.h"
#include "sys/rates.h"
#include "sys/table_view.h"

static struct event hardware(const char *name, u64 config)
{
	struct event event = { .type = PERF_TYPE_HARDWARE, .config = config, .period = 1000 };

	snprintf(event.name, sizeof(event.name), "%s", name);
	return event;
}

static struct event cycles(void)
{
	return hardware("cycles", PERF_COUNT_HW_CPU_CYCLES);
}

static struct event instructions(void)
{
	return hardware("instructions", PERF_COUNT_HW_INSTRUCTIONS);
}

static struct event misses(void)
{
	return hardware("cache-misses", PERF_COUNT_HW_CACHE_MISSES);
}

static struct rates choose(const struct event *events, unsigned int nr)
{
	struct rates rates = { .nr_events = nr };

	for (unsigned int i = 0; i < nr; i++)
		rates.event[i] = (struct rate_event){ events[i], 100, 1e6 * (i + 1), 0 };
	rates_choose(&rates);
	return rates;
}

static void assert_rate(const struct rates *rates, unsigned int i, const char *key, const char *name)
{
	char text[256];

	assert_true(i < rates->nr);
	assert_string_equal(rates_key(&rates->rate[i], text, sizeof(text)), key);
	assert_string_equal(rates_name(rates, &rates->rate[i], text, sizeof(text)), name);
}

static void rates_that_make_sense(void **state)
{
	const struct event three[] = { cycles(), instructions(), misses() }, two[] = { misses(), instructions() };
	const struct event others[] = { { .name = "cs", .type = PERF_TYPE_SOFTWARE, .config = 3, .period = 1 },
					{ .name = "faults", .type = PERF_TYPE_SOFTWARE, .config = 2, .period = 1 } };
	struct event modes[] = { cycles(), instructions() };
	struct event pmu[] = { { .name = "toy/cpu_cycles/u", .type = 8, .config = 0x11, .period = 1 },
			       { .name = "toy/inst_retired/u", .type = 8, .config = 8, .period = 1 } };
	struct rates rates = choose(three, 3);

	assert_int_equal(rates.nr, 2);
	assert_rate(&rates, 0, "ipc", "instructions per cycle");
	assert_rate(&rates, 1, "rate3", "cache-misses per 1000 instructions");
	assert_true(fabs(rates_total(&rates, &rates.rate[0]) - 2) < 1e-12);
	assert_true(fabs(rates_total(&rates, &rates.rate[1]) - 1500) < 1e-12);
	rates = choose(two, 2);
	assert_int_equal(rates.nr, 1);
	assert_rate(&rates, 0, "rate1", "cache-misses per 1000 instructions");
	rates = choose(others, 2);
	assert_int_equal(rates.nr, 1);
	assert_rate(&rates, 0, "rate2", "faults per 1000 cs");
	rates = choose(others, 1);
	assert_int_equal(rates.nr, 0);
	/* Cycles of one mode and instructions of all. */
	modes[0].flags = CPUPROBE_EVENT_NO_KERNEL;
	rates = choose(modes, 2);
	assert_int_equal(rates.nr, 1);
	assert_rate(&rates, 0, "rate1", "cycles per 1000 instructions");
	rates = choose(pmu, 2);
	assert_int_equal(rates.nr, 1);
	assert_rate(&rates, 0, "ipc", "instructions per cycle");
}

/* Half of 1e6 cycles, a quarter of 2e6 instructions: 1 per cycle. */
static void rates_of_a_row(void **state)
{
	const struct event three[] = { cycles(), instructions(), misses() };
	struct rates rates = choose(three, 3);
	struct row row = { .hits = { 50 }, .total = 0.5, .other = { { 25, 0.25 }, { 3, 0.03 } } };
	struct share share = rates_of(&rates, &rates.rate[0], &row);
	const struct stat_time a = { 0.5, 100, 1e6, 0 }, b = { 0.25, 100, 2e6, 0 };
	const struct stat_ratio ratio = stat_ratio_of_times(&a, &b);

	assert_true(fabs(share.value - 1) < 1e-12 && !share.is_bound);
	assert_true(share.lo == ratio.interval.lo && share.hi == ratio.interval.hi);
	assert_true(fabs(share.error - (share.hi - 1)) < 1e-12);
	assert_true(fabs(rates_events(&rates, &row, 1) - 5e5) < 1e-6);
	assert_int_equal(rates_hits(&rates, &row, 2), 3);
	/* Samples with an excess know less. */
	rates.event[1].excess = 0.3;
	assert_true(rates_of(&rates, &rates.rate[0], &row).hi > share.hi + 0.01);
	/* 9e4 misses of 5e5 instructions: so few samples give an upper bound. */
	share = rates_of(&rates, &rates.rate[1], &row);
	assert_true(fabs(share.value - 180) < 1e-9 && share.is_bound);
	/* Without a sample of cycles nothing is known of their number. */
	memset(row.hits, 0, sizeof(row.hits));
	row.total = 0;
	share = rates_of(&rates, &rates.rate[0], &row);
	assert_true(isnan(share.value) && share.lo > 0 && isinf(share.hi));
	/* An event that never occurred is rare for certain. */
	rates.event[2].counted = rates.event[2].taken = 0;
	row.other[1] = (struct row_other){ 0, 0 };
	share = rates_of(&rates, &rates.rate[1], &row);
	assert_true(share.value == 0 && share.hi == 0 && !share.is_bound);
	/* Nor is anything known without a count below the line. */
	rates.event[0].counted = 0;
	assert_true(isnan(rates_of(&rates, &rates.rate[0], &row).value));
	assert_true(isnan(rates_total(&rates, &rates.rate[0])));
}

/* CPUs that missed periods weigh more, in every event; dying processes join their programs with all events. */
static void rows_have_other_events(void **state)
{
	struct cpuprobe_account account = { .period_ns = 10, .expected = 100, .taken = 100, .entries = 2 };
	struct cpuprobe_account missed = { .period_ns = 5, .expected = 400, .taken = 100, .entries = 1 };
	struct fold *fold = fold_create(), *other = fold_create();
	const struct fold *others[] = { other };
	struct cpuprobe_record records[3];
	struct rows rows;

	record_init(&records[0], 1, "a", 0, 0, 60);
	record_init(&records[1], 2, "b", 0, 0, 40);
	fold_add(fold, 0, &account, records);
	record_init(&records[0], 1, "a", 0, 0, 80);
	record_init(&records[1], 3, "c", 0, 0, 15);
	record_init(&records[2], 2, "b", 0, 0, 5);
	account.entries = 3;
	fold_add(other, 0, &account, records);
	record_init(&records[0], 1, "a", 0, 0, 100);
	fold_add(other, 1, &missed, records);
	assert_int_equal(fold_include(fold, other), 0);
	assert_int_equal(rows_init_beside(&rows, fold, 0, others, 1), 0);
	assert_int_equal(rows.nr, 3);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
	/* 1000 events of the first CPU, 2000 of the other. */
	assert_true(fabs(find_row(&rows, "a")->other[0].share - (0.8 * 1000 + 2000) / 3000) < 1e-12);
	assert_int_equal(find_row(&rows, "a")->other[0].hits, 180);
	assert_int_equal(find_row(&rows, "b")->other[0].hits, 5);
	assert_true(find_row(&rows, "c")->total == 0);
	assert_true(fabs(find_row(&rows, "c")->other[0].share - 0.15 / 3) < 1e-12);
	rows_limit(&rows, ROWS_SORT_TOTAL, 1);
	assert_int_equal(find_row(&rows, "(2 others)")->other[0].hits, 20);
	assert_true(fabs(find_row(&rows, "(2 others)")->other[0].share - 0.2 / 3) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
	fold_destroy(other);
}

static char *shown(const struct fold *fold, const struct table_events *others, enum output_format format)
{
	const struct run_result result = {
		.account = { .taken = 100 }, .nr_cpus = 1, .period_ns = 1000, .event = cycles(),
	};
	const struct receipt receipt = { .event = { .event = cycles(), .counted = 100000 }, .period_ns = 1000 };
	const struct table_options options = { .output = { .format = format, .cols = 250 } };

	return WRITTEN(out, assert_int_equal(table_show(out, fold, &result, &receipt, &options, others, false), 0));
}

static void tables_have_rates(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100, .entries = 2 };
	struct fold *fold = fold_create(), *other = fold_create();
	const struct run_result result = { .account = { .taken = 100 }, .event = instructions() };
	const struct receipt receipt = {
		.event = { .event = instructions(), .counted = 100000, .enabled_ns = 200, .running_ns = 100 },
		.period_ns = 1000, .expected = 100, .taken = 100, .nr_cpus = 1, .seed = 7,
	};
	const struct table_events others = { { other }, { &result }, { &receipt }, { 100000, 200000 }, 1 };
	struct cpuprobe_record records[2];
	char *text;

	record_init(&records[0], 1, "a", 0, 0, 60);
	record_init(&records[1], 2, "b", 0, 0, 40);
	fold_add(fold, 0, &account, records);
	record_init(&records[1], 2, "c", 0, 0, 40);
	fold_add(other, 0, &account, records);
	assert_int_equal(fold_include(fold, other), 0);
	text = shown(fold, &others, FORMAT_TEXT);
	/* The counters ran for half of the time: there were 200,000 instructions. */
	assert_non_null(strstr(text, "Counted cycles with a period of 1000\nCounted instructions with a period of 1000\n"
			       "IPC, instructions per cycle: 2 in all\n"));
	assert_non_null(strstr(text, "Task Name       Kernel    User   Total     +-     IPC     +-\n"));
	assert_non_null(strstr(text, "a                  0.0    60.0    60.0   9.80    2.00   0.51\n"));
	assert_non_null(strstr(text, "Beside it: instructions with a period of 1000, "));
	assert_non_null(strstr(text, "100 expected = 100 taken + 0 missed; 0 lost; clock grid; seed 0x7; "));
	free(text);
	text = shown(fold, &others, FORMAT_JSON);
	assert_non_null(strstr(text, "{ \"event\": \"instructions\", \"period\": 1000, \"samples\": 100, \"events\": 200000 }"));
	assert_non_null(strstr(text, "{ \"key\": \"ipc\", \"of\": 2, \"per\": 1, \"name\": \"instructions per cycle\", \"total\": 2 }"));
	assert_non_null(strstr(text, "\"ipc\": 2, \"ipc_error\": "));
	assert_non_null(strstr(text, "\"hits2\": 60, \"events1\": 60000, \"events2\": 120000}"));
	assert_non_null(strstr(text, "\"receipts_beside\": [\n  { \"seed\": 7, "));
	free(text);
	text = shown(fold, &others, FORMAT_TSV);
	assert_non_null(strstr(text, "\tipc\tipc_error\tipc_lo\tipc_hi\thits2\tevents1\tevents2\n"));
	free(text);
	fold_destroy(fold);
	fold_destroy(other);
}

/* A bound with two digits is not below the end of the interval, and little above it. */
static void bounds_are_rounded_up(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100, .entries = 2 };
	const struct run_result result = { .account = { .taken = 100 }, .event = instructions() };
	const struct receipt receipt = { .event = { .event = instructions(), .counted = 100000 }, .period_ns = 1000 };

	for (u64 hits = 0; hits < SHARE_FEW_HITS; hits++) {
		const struct stat_time a = { 0.6, 100, 1e5, 0 }, b = { hits / 100.0, 100, 1e5, 0 };
		const double hi = stat_ratio_of_times(&a, &b).interval.hi;
		struct fold *fold = fold_create(), *other = fold_create();
		const struct table_events others = { { other }, { &result }, { &receipt }, { 100000, 100000 }, 1 };
		struct cpuprobe_record records[2];
		double bound;
		char *text;

		record_init(&records[0], 1, "a", 0, 0, 60);
		record_init(&records[1], 2, "b", 0, 0, 40);
		fold_add(fold, 0, &account, records);
		record_init(&records[0], 1, "a", 0, 0, hits);
		record_init(&records[1], 2, "b", 0, 0, 100 - hits);
		fold_add(other, 0, &account, records);
		assert_int_equal(fold_include(fold, other), 0);
		text = shown(fold, &others, FORMAT_TEXT);
		assert_non_null(strstr(text, "\na "));
		assert_int_equal(sscanf(strstr(text, "\na "), " a %*f %*f %*f %*f <%lf", &bound), 1);
		assert_true(bound >= hi && bound < 1.1 * hi);
		free(text);
		fold_destroy(fold);
		fold_destroy(other);
	}
}

/* The probability of @k hits of @n. */
static double binomial(u64 k, u64 n, double p)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p));
}

/* The probability that the interval of b / a contains the truth, summed over all counts of both. */
static double coverage(double share_a, u64 n_a, double share_b, u64 n_b)
{
	const double truth = share_b / share_a;
	double held = 0;

	for (u64 hits_a = 0; hits_a <= n_a; hits_a++) {
		const double p = binomial(hits_a, n_a, share_a);

		for (u64 hits_b = 0; p > 1e-9 && hits_b <= n_b; hits_b++) {
			const struct stat_time a = { (double)hits_a / n_a, n_a, 1, 0 };
			const struct stat_time b = { (double)hits_b / n_b, n_b, 1, 0 };
			const struct stat_ratio ratio = stat_ratio_of_times(&a, &b);

			if (ratio.interval.lo <= truth && truth <= ratio.interval.hi)
				held += p * binomial(hits_b, n_b, share_b);
		}
	}
	return held;
}

/* Exact, not simulated. The mean over all cases is at least 94.5%, and no case is below 92%. */
static void intervals_of_rates_hold(void **state)
{
	static const double shares[] = { 0.02, 0.05, 0.13, 0.31, 0.5, 0.77, 0.95 };
	static const u64 sizes[][2] = { { 100, 100 }, { 300, 60 }, { 50, 400 } };
	const size_t nr = sizeof(shares) / sizeof(shares[0]);
	double mean = 0, least = 1;
	int nr_cases = 0;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (size_t i = 0; i < nr * nr; i++, nr_cases++) {
			double held = coverage(shares[i / nr], sizes[s][0], shares[i % nr], sizes[s][1]);

			mean += held;
			if (held < least)
				print_message("%g of %llu, %g of %llu: %.2f%%\n", shares[i / nr], sizes[s][0],
					      shares[i % nr], sizes[s][1], 100 * held);
			least = fmin(least, held);
		}
	mean /= nr_cases;
	print_message("mean %.2f%%, least %.2f%%\n", 100 * mean, 100 * least);
	assert_true(mean >= 0.945 && least >= 0.92);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_that_make_sense),
		cmocka_unit_test(rates_of_a_row),
		cmocka_unit_test(rows_have_other_events),
		cmocka_unit_test(tables_have_rates),
		cmocka_unit_test(bounds_are_rounded_up),
		cmocka_unit_test(intervals_of_rates_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
