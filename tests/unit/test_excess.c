// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals of samples that are not independent: the excess of the comb's samples widens every
 * interval, and a saved run keeps it.
 */
#include <errno.h>
#include <math.h>

#include "records.h"
#include "folds.h"
#include "base/share.h"
#include "bpf/comb.h"
#include "code/hist.h"
#include "proc/proc_view.h"
#include "proc/search.h"
#include "sys/diff.h"
#include "sys/table_view.h"

/* cmocka compares as float, which is not precise enough. */
static void assert_close(double a, double b, double most)
{
	assert_true(fabs(a - b) <= most);
}

static double width_of(struct stat_interval interval)
{
	return interval.hi - interval.lo;
}

/* The shares at most z errors away are those at most z sqrt(1 + e) independent ones away. */
static void intervals_are_wider(void **state)
{
	const double wider = sqrt(1 + COMB_EXCESS);
	struct stat_interval with, without;
	struct share share;

	assert_true(wider > 1.1 && wider < 1.2);
	with = stat_wilson(30, 100, COMB_EXCESS);
	without = stat_wilson_at(0.3, 100, 0, STAT_Z95 * wider);
	assert_close(with.lo, without.lo, 1e-12);
	assert_close(with.hi, without.hi, 1e-12);
	/* With many samples the width itself is proportional. */
	assert_close(width_of(stat_wilson(300000000, 1000000000, COMB_EXCESS)) /
			   width_of(stat_wilson(300000000, 1000000000, 0)), wider, 1e-6);
	assert_close(stat_paper_halfwidth(30, 100, COMB_EXCESS),
			   stat_paper_halfwidth(30, 100, 0) * wider, 1e-12);
	share = share_of_hits(30, 100, COMB_EXCESS, CI_PAPER, 100);
	assert_close(share.error, 100 * wider * stat_paper_halfwidth(30, 100, 0), 1e-9);
	share = share_of_hits(30, 100, COMB_EXCESS, CI_WILSON, 1);
	assert_close(share.hi, with.hi, 1e-12);
}

/* 129,600 samples with an excess of 0.296 tell as much as 100,000 independent ones. */
static void samples_tell_as_much_as_fewer(void **state)
{
	const struct stat_count a = { 12960, 129600, 0.296 }, b = { 14256, 129600, 0.296 };
	const struct stat_count a_fewer = { 10000, 100000, 0 }, b_fewer = { 11000, 100000, 0 };
	const struct stat_time time_a = { 0.1, 129600, 5, 0.296 }, time_b = { 0.104, 129600, 5, 0.296 };
	const struct stat_time fewer_a = { 0.1, 100000, 5, 0 }, fewer_b = { 0.104, 100000, 5, 0 };
	struct stat_difference with = stat_two_shares(&a, &b);
	struct stat_difference fewer = stat_two_shares(&a_fewer, &b_fewer);

	assert_close(with.interval.lo, fewer.interval.lo, 1e-9);
	assert_close(with.interval.hi, fewer.interval.hi, 1e-9);
	assert_true(with.p > 0 && with.p == fewer.p);
	with = stat_two_times(&time_a, &time_b);
	fewer = stat_two_times(&fewer_a, &fewer_b);
	assert_close(with.interval.lo, fewer.interval.lo, 1e-9);
	assert_close(with.p / fewer.p, 1, 1e-6);
	assert_close(stat_ratio_of_times(&time_a, &time_b).interval.hi,
			   stat_ratio_of_times(&fewer_a, &fewer_b).interval.hi, 1e-9);
	assert_close(stat_least_share(129600, 0.296), stat_least_share(100000, 0), 1e-12);
	assert_close(stat_samples_for(0.3, 0.296, 0.005) / stat_samples_for(0.3, 0, 0.005),
			   1.296, 1e-3);
	assert_close(search_unseen(12960, 0.296), search_unseen(10000, 0), 1e-12);
}

static void the_clock_decides(void **state)
{
	struct receipt receipt = { .period_ns = 1, .jitter = CPUPROBE_JITTER_GRID };

	assert_true(receipt_excess(&receipt) == 0);
	receipt.flags = RECEIPT_BPF | RECEIPT_VIRTUAL;
	assert_true(receipt_excess(&receipt) == COMB_EXCESS);
	receipt.flags = RECEIPT_PERF;
	assert_true(receipt_excess(&receipt) == COMB_SINGLE_EXCESS);
	/* No interval holds for a fixed period, whatever samples. */
	receipt.jitter = CPUPROBE_JITTER_NONE;
	assert_true(receipt_excess(&receipt) == 0);
}

static char *table_text(const struct fold *fold, const struct run_result *result)
{
	const struct table_options options = { .output.format = FORMAT_TSV };

	return WRITTEN(out, assert_int_equal(table_show(out, fold, result, NULL, &options, NULL, false), 0));
}

static void saved_runs_of_sys_keep_it(void **state)
{
	struct fold *fold = some_fold();
	struct run_result result;
	struct record_writer writer;
	char *live, *plain, *shown;
	struct record record;
	struct rows rows;
	struct run run;

	fill_run(&run);
	plain = table_text(fold, &run.result);
	run.result.account.excess = COMB_EXCESS;
	live = table_text(fold, &run.result);
	assert_string_not_equal(live, plain);
	assert_int_equal(rows_init(&rows, fold, COMB_EXCESS), 0);
	for (size_t i = 0; i < rows.nr; i++)
		assert_true(rows.row[i].interval.hi ==
			    stat_wilson_share(rows.row[i].total, rows.taken, COMB_EXCESS).hi);
	rows_deinit(&rows);
	record_start(&writer);
	sys_save(&writer, fold, &run);
	record_reopen(&writer, &record);
	fold_destroy(fold);
	fold = sys_load(&record, &result, NULL);
	assert_non_null(fold);
	assert_true(result.account.excess == COMB_EXCESS);
	shown = table_text(fold, &result);
	assert_string_equal(shown, live);
	fold_destroy(fold);
	record_deinit(&record);
	free(live);
	free(plain);
	free(shown);
}

static char *histogram_text(const struct proc_report *report, enum output_format format)
{
	const struct proc_view_options options = { .output.format = format, .shows_all = true };

	return WRITTEN(out, assert_int_equal(proc_view_show(out, report, NULL, NULL, &options, false), 0));
}

static void saved_runs_of_proc_keep_it(void **state)
{
	static struct proc_report report, loaded;
	struct sym_index *symbols = NULL;
	struct record_writer writer;
	static struct funcs funcs;
	char *live, *plain, *shown;
	struct record record;
	struct run run;
	double each;

	fill_report(&report);
	plain = histogram_text(&report, FORMAT_TSV);
	each = proc_report_execution(&report).error;
	report.result.account.excess = COMB_EXCESS;
	live = histogram_text(&report, FORMAT_TSV);
	assert_string_not_equal(live, plain);
	assert_true(proc_report_execution(&report).error > each * 1.1);
	free(plain);
	fill_run(&run);
	run.result = report.result;
	record_start(&writer);
	funcs_init(&funcs, &report.layout, NULL, "lib.so");
	proc_save(&writer, &report, &run, &funcs, NULL, false);
	record_reopen(&writer, &record);
	assert_int_equal(proc_load(&record, &loaded, &symbols, NULL), 0);
	shown = histogram_text(&loaded, FORMAT_TSV);
	assert_string_equal(shown, live);
	sym_index_destroy(symbols);
	record_deinit(&record);
	free(live);
	free(shown);
}

/* Bars: the longest with its half-width is scaled to the line. */
static void bars_are_wider(void **state)
{
	const u64 hits = 400;

	assert_close(hist_scale(&hits, 1, 1000, COMB_EXCESS, 1) - 400,
			   (hist_scale(&hits, 1, 1000, 0, 1) - 400) * sqrt(1 + COMB_EXCESS), 1e-9);
}

/* Each side of a comparison has its own: a run of the module may be compared with one of the comb. */
static void each_side_of_a_comparison_has_its_own(void **state)
{
	const struct diff_side a = { .share = 0.3, .hits = 3000 }, b = { .share = 0.3, .hits = 3000 };
	double width[3];
	int i;

	for (i = 0; i < 3; i++) {
		struct diff diff = { .taken = { 10000, 10000 }, .is_sampling_only = true,
				     .excess = { i > 0 ? COMB_EXCESS : 0, i > 1 ? COMB_EXCESS : 0 } };

		assert_int_equal(diff_add(&diff, 0, "x", false, &a), 0);
		assert_int_equal(diff_add(&diff, 1, "x", false, &b), 0);
		assert_int_equal(diff_finish(&diff), 0);
		width[i] = width_of(diff.row[0].found.interval);
		diff_deinit(&diff);
	}
	assert_close(width[1] / width[0], sqrt(1 + COMB_EXCESS / 2), 1e-3);
	assert_close(width[2] / width[0], sqrt(1 + COMB_EXCESS), 1e-3);
}

/* Two equal blocks have no variance of their own: that of sampling is the least. */
static void variance_of_blocks_is_at_least_that_of_sampling(void **state)
{
	const struct diff_side counts = { .share = 0.5, .hits = 500, .block_sum = 5, .block_sum2 = 2.5 };
	double width[2];
	int i;

	for (i = 0; i < 2; i++) {
		struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 10, 10 },
				     .excess = { i * COMB_EXCESS, i * COMB_EXCESS } };

		assert_int_equal(diff_add(&diff, 0, "x", false, &counts), 0);
		assert_int_equal(diff_add(&diff, 1, "x", false, &counts), 0);
		assert_int_equal(diff_finish(&diff), 0);
		width[i] = width_of(diff.row[0].found.interval);
		diff_deinit(&diff);
	}
	assert_close(width[1] / width[0], sqrt(1 + COMB_EXCESS), 1e-9);
}

/* Files of older versions end before it; no clock of ours has a negative one, or none that is a number. */
static void other_files(void **state)
{
	static const struct { double excess; bool is_good; } cases[] = {
		{ 0, true }, { 0.296, true }, { 100, true }, { -0.1, false }, { 101, false },
		{ NAN, false }, { INFINITY, false },
	};
	struct run_result loaded;
	struct record_writer writer;
	struct record record;
	const u64 old[11] = { 5, 0, 5, 0, 0, 1, 1000, 7, 0, 0, 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_result result = some_result;

		result.account.excess = cases[i].excess;
		record_start(&writer);
		record_add_result(&writer, &result);
		record_reopen(&writer, &record);
		assert_int_equal(record_get_result(&record, &loaded, NULL),
				 cases[i].is_good ? 0 : -EBADMSG);
		if (cases[i].is_good)
			assert_true(loaded.account.excess == cases[i].excess);
		record_deinit(&record);
	}
	record_start(&writer);
	record_add(&writer, "RUN ", old, sizeof(old));
	record_reopen(&writer, &record);
	assert_int_equal(record_get_result(&record, &loaded, NULL), 0);
	assert_true(loaded.account.taken == 5 && loaded.account.excess == 0);
	record_deinit(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_are_wider),
		cmocka_unit_test(samples_tell_as_much_as_fewer),
		cmocka_unit_test(the_clock_decides),
		cmocka_unit_test(saved_runs_of_sys_keep_it),
		cmocka_unit_test(saved_runs_of_proc_keep_it),
		cmocka_unit_test(bars_are_wider),
		cmocka_unit_test(each_side_of_a_comparison_has_its_own),
		cmocka_unit_test(variance_of_blocks_is_at_least_that_of_sampling),
		cmocka_unit_test(other_files),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
