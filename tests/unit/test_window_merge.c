// SPDX-License-Identifier: GPL-2.0-only
/* Windows put together into one run: cli/agent/window_merge.c. */
#include <errno.h>
#include <math.h>

#include "agent_windows.h"
#include "agent/window_merge.h"
#include "profile/profile_save.h"
#include "run/run_save.h"
#include "verify/verify.h"

static void add_file(struct window_merge *merge, const struct window_ring *ring, u64 number)
{
	char path[WINDOW_RING_PATH];
	struct record record;

	window_ring_path(ring, number, path);
	assert_int_equal(record_read(path, &record, &why), 0);
	assert_int_equal(window_merge_add(merge, &record), 0);
	record_deinit(&record);
}

/* Three windows and a gap: one run whose sums hold, and which tells of the gap. */
static void windows_become_one_run(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct verify_result result;
	struct windows windows;
	struct window_merge merge;
	struct record_writer writer;
	struct record record;
	struct profile *all;
	char *told;
	int i;

	open_windows(&windows, 64 << 20, &now);
	window_merge_init(&merge);
	for (i = 1; i <= 3; i++) {
		step(&now, i == 3 ? 90 : 60);
		end_window(&windows, &now);
		add_file(&merge, &windows.ring, i);
	}
	assert_int_equal(windows.nr_gaps, 1);
	assert_int_equal(record_create(&writer, in_directory("all"), &why), 0);
	window_merge_save(&merge, &writer);
	assert_int_equal(record_commit(&writer, &why), 0);
	window_merge_deinit(&merge);
	assert_int_equal(record_read(in_directory("all"), &record, &why), 0);
	assert_int_equal(verify_record(&record, stdout, &result, &why), 0);
	assert_int_equal(result.nr_wrong, 0);
	assert_int_equal(result.taken, 3 * TAKEN);
	assert_true(result.has_receipt);
	all = profile_load(&record, &why);
	assert_int_equal(all->nr_stacks, 3);
	assert_int_equal(all->lost, 3);
	profile_destroy(all);
	told = WRITTEN(out, window_merge_tell(&record, out));
	assert_non_null(strstr(told, "probe: 3 windows since "));
	assert_non_null(strstr(told, ", 180 s, with 1 gap of 30 s in all\nprobe: nothing was measured for 30 s, from "));
	free(told);
	record_deinit(&record);
	window_ring_close(&windows.ring);
}

/* Adds a run of one window, which ends at @ended. */
static void add_window(struct window_merge *merge, const struct run *part, u64 number, double ended)
{
	const struct window window = { number, 1, part->result.began, part->result.elapsed_seconds, ended };
	struct record_writer writer;
	struct record record;

	assert_int_equal(record_create(&writer, in_directory("part"), &why), 0);
	run_save(&writer, part);
	profile_save(&writer, profile);
	record_add(&writer, "WNDW", &window, sizeof(window));
	assert_int_equal(record_commit(&writer, &why), 0);
	assert_int_equal(record_read(in_directory("part"), &record, &why), 0);
	assert_int_equal(window_merge_add(merge, &record), 0);
	record_deinit(&record);
}

/* Saves the windows and reads them again. */
static void save(struct window_merge *merge, struct record *record_ret)
{
	struct record_writer writer;

	assert_int_equal(record_create(&writer, in_directory("all"), &why), 0);
	window_merge_save(merge, &writer);
	assert_int_equal(record_commit(&writer, &why), 0);
	assert_int_equal(record_read(in_directory("all"), record_ret, &why), 0);
}

/*
 * Adds three windows. The second one is a third as long, with another CPU, of which the host took more; the receipt of the
 * third one does not know the host's share.
 */
static void add_three_windows(struct window_merge *merge)
{
	struct receipt_cpu first[] = { { .cpu = 3, .expected = 20, .taken = 17, .missed = 2, .pending = 1,
					 .late_ns = 100, .late_max_ns = 70, .sampled_ns = 3000, .deferred = 3 } };
	struct receipt_cpu second[] = { { .cpu = 3, .expected = 5, .taken = 5, .late_ns = 50, .late_max_ns = 20,
					  .sampled_ns = 500, .excluded = 1, .flags = 4 },
					{ .cpu = 1, .expected = 6, .taken = 6, .late_max_ns = 10, .sampled_ns = 500 } };
	struct run part = { .cpus = first, .nr_cpus = 1,
			    .result = { .began = 500, .elapsed_seconds = 60, .nr_cpus = 1, .period_ns = 1000, .seed = 1,
					.account = { .taken = 17, .missed = 2, .expected = 20, .deferred = 3,
						     .excess = 0.5 } },
			    .receipt = { .period_ns = 1000, .what = CPUPROBE_WHAT_STACKS, .steal = 0.1, .seed = 1,
					 .stacks = { .samples = 9, .whole = 4, .by_pointer = 2, .ended = { 3, 2 },
						     .nameless = { 1 } } } };

	receipt_add_up(&part.receipt, first, 1);
	add_window(merge, &part, 1, 60);
	part.cpus = second;
	part.nr_cpus = 2;
	part.result = (struct run_result){ .began = 560, .elapsed_seconds = 20, .nr_cpus = 2, .period_ns = 1000, .seed = 2,
					   .account = { .taken = 11, .expected = 11, .deferred = 1, .excluded = 1, .excess = 0.25 } };
	part.receipt.steal = 0.5;
	part.receipt.seed = 2;
	part.receipt.stacks = (struct receipt_stacks){ .samples = 6, .whole = 6, .by_pointer = 1, .nameless = { 2 },
						       .nr_tables = 8 };
	receipt_add_up(&part.receipt, second, 2);
	add_window(merge, &part, 2, 80);
	/* A receipt whose steal is unknown tells nothing of it. */
	part.receipt.steal = NAN;
	part.receipt.stacks = (struct receipt_stacks){ .nr_tables = 9 };
	part.nr_cpus = 0;
	part.result = (struct run_result){ .began = 580, .period_ns = 1000 };
	add_window(merge, &part, 3, 80);
}

static void receipts_add_up(void **state)
{
	struct window_merge merge;
	struct receipt receipt;
	const struct receipt_cpu *cpus;
	struct record record;
	size_t nr;

	window_merge_init(&merge);
	add_three_windows(&merge);
	assert_true(merge.result.began == 500 && merge.result.elapsed_seconds == 80);
	assert_int_equal(merge.result.nr_cpus, 2);
	assert_int_equal(merge.result.account.taken, 28);
	assert_int_equal(merge.result.account.deferred, 4);
	assert_int_equal(merge.result.account.excluded, 1);
	assert_true(merge.result.account.excess == 0.5);
	save(&merge, &record);
	assert_int_equal(run_load_receipt(&record, &receipt), 0);
	/* 0.1 of 3000 and 0.5 of 1000. */
	assert_true(fabs(receipt.steal - 0.2) < 1e-9);
	assert_int_equal(receipt.expected, 30);
	assert_int_equal(receipt.stacks.samples, 15);
	assert_int_equal(receipt.stacks.whole, 10);
	assert_int_equal(receipt.stacks.by_pointer, 3);
	assert_int_equal(receipt.stacks.ended[0], 3);
	assert_int_equal(receipt.stacks.ended[1], 2);
	assert_int_equal(receipt.stacks.nameless[0], 3);
	assert_int_equal(receipt.stacks.nr_tables, 9);
	cpus = run_load_cpus(&record, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(cpus[0].cpu, 3);
	assert_int_equal(cpus[0].expected, 24);
	assert_int_equal(cpus[0].late_ns, 150);
	assert_int_equal(cpus[0].late_max_ns, 70);
	assert_int_equal(cpus[0].flags, 4);
	assert_int_equal(cpus[1].cpu, 1);
	assert_int_equal(cpus[1].late_max_ns, 10);
	record_deinit(&record);
	window_merge_deinit(&merge);
}

/* The last five gaps have lines of their own; one window has nothing to tell. */
static void the_last_gaps_are_told(void **state)
{
	struct run part = { .receipt = { .period_ns = 1000 } };
	struct window_merge merge;
	struct record record;
	char *told, *line;
	int i, nr = 0;

	window_merge_init(&merge);
	for (i = 0; i < 8; i++) {
		part.result = (struct run_result){ .began = 1000 + 100 * i, .elapsed_seconds = 60, .period_ns = 1000 };
		add_window(&merge, &part, i + 1, 500 + 90 * i + i);
		if (i)
			continue;
		save(&merge, &record);
		told = WRITTEN(out, window_merge_tell(&record, out));
		assert_string_equal(told, "");
		free(told);
		record_deinit(&record);
	}
	save(&merge, &record);
	told = WRITTEN(out, window_merge_tell(&record, out));
	assert_non_null(strstr(told, "probe: 8 windows since "));
	assert_non_null(strstr(told, ", 480 s, with 7 gaps of 217 s in all\n"));
	for (line = told; (line = strstr(line, "nothing was measured for 31 s")); line++)
		nr++;
	assert_int_equal(nr, 5);
	free(told);
	record_deinit(&record);
	window_merge_deinit(&merge);
}

/* A window of @taken samples with one period, and as many of twice that if the rate was halved. */
static void add_window_of_rate(struct window_merge *merge, u64 number, u64 taken, u64 period_ns,
			       bool is_halved)
{
	struct receipt_cpu one = { .cpu = 1, .expected = taken, .taken = taken, .sampled_ns = taken * period_ns };
	struct run part = {
		.cpus = &one, .nr_cpus = 1,
		.result = { .began = 60 * number, .elapsed_seconds = 60, .period_ns = period_ns,
			    .account = { .taken = taken, .expected = taken } },
		.receipt = { .period_ns = period_ns },
	};

	receipt_add_up(&part.receipt, &one, 1);
	receipt_add_rate(&part.receipt.rates, period_ns, taken);
	if (is_halved)
		receipt_add_rate(&part.receipt.rates, 2 * period_ns, taken);
	add_window(merge, &part, number, 60 * number);
}

/* In the slow windows a sample represents 100 times as much time as in the others. */
static void windows_of_other_rates_widen_intervals(void **state)
{
	struct window_merge merge;
	struct receipt receipt;
	struct run_result result;
	struct record record;

	window_merge_init(&merge);
	add_window_of_rate(&merge, 1, 1000, 100000, false);
	add_window_of_rate(&merge, 2, 0, 7, false);
	add_window_of_rate(&merge, 3, 1000, 100000, false);
	save(&merge, &record);
	assert_int_equal(record_get_result(&record, &result, NULL), 0);
	assert_true(result.account.excess == 0);
	record_deinit(&record);
	add_window_of_rate(&merge, 4, 8000, 1000, false);
	add_window_of_rate(&merge, 5, 90000, 1000, false);
	save(&merge, &record);
	assert_int_equal(record_get_result(&record, &result, NULL), 0);
	assert_int_equal(run_load_receipt(&record, &receipt), 0);
	assert_int_equal(receipt.rates.nr_changes, 1);
	/* The mean period is 2000 * 100 + 98000 of 100,000 us. */
	assert_int_equal(result.period_ns, 2980);
	assert_true(fabs(result.account.excess - (100000 / 2980.0 - 1)) < 1e-9);
	assert_true(result.account.excess == receipt_excess(&receipt));
	record_deinit(&record);
	window_merge_deinit(&merge);
}

/* A rate that the module has halved was not changed by anybody, but its samples weigh twice as much. */
static void halved_windows_widen_intervals(void **state)
{
	struct window_merge merge;
	struct receipt receipt;
	struct record record;

	window_merge_init(&merge);
	add_window_of_rate(&merge, 1, 100, 1000, false);
	add_window_of_rate(&merge, 2, 100, 1000, true);
	add_window_of_rate(&merge, 3, 100, 1000, false);
	save(&merge, &record);
	assert_int_equal(run_load_receipt(&record, &receipt), 0);
	assert_int_equal(receipt.rates.nr_changes, 0);
	assert_int_equal(merge.result.period_ns, 1000);
	/* 400 samples have a mean period of 1250 ns. */
	assert_true(fabs(merge.result.account.excess - (2000 / 1250.0 - 1)) < 1e-9);
	record_deinit(&record);
	window_merge_deinit(&merge);
}

static void other_runs_are_left_out(void **state)
{
	struct run part = { .receipt = { .period_ns = 1000 }, .result = { .period_ns = 1000 } };
	struct record_writer writer;
	struct window_merge merge;
	struct record record;

	window_merge_init(&merge);
	assert_int_equal(record_create(&writer, in_directory("other"), &why), 0);
	run_save(&writer, &part);
	profile_save(&writer, profile);
	assert_int_equal(record_commit(&writer, &why), 0);
	assert_int_equal(record_read(in_directory("other"), &record, &why), 0);
	assert_int_equal(window_merge_add(&merge, &record), -EBADMSG);
	assert_int_equal(merge.nr_windows, 0);
	record_deinit(&record);
	window_merge_deinit(&merge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(windows_become_one_run), TEST(receipts_add_up), TEST(the_last_gaps_are_told),
		TEST(windows_of_other_rates_widen_intervals), TEST(halved_windows_widen_intervals),
		TEST(other_runs_are_left_out),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
