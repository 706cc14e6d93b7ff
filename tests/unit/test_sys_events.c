// SPDX-License-Identifier: GPL-2.0-only
/* Several events in one file of `probe sys`: cli/sys/sys_events.c, and their sums: cli/verify/verify.c. */
#include <errno.h>

#include "event_runs.h"
#include "folds.h"
#include "records.h"
#include "run/run_events.h"
#include "run/run_save.h"
#include "sys/sys_events.h"
#include "sys/table_view.h"
#include "verify/verify.h"

/** The run of one event, on one CPU. */
struct measured {
	struct run run;
	struct receipt_cpu cpu;
	struct fold *fold;
};

/* Samples of two programs; @b: none of the second one if 0. */
static void measure(struct measured *of, const char *event, u64 period, u32 a, u32 b)
{
	const struct cpuprobe_account account = {
		.period_ns = period, .expected = a + b, .taken = a + b, .entries = b ? 2 : 1,
	};
	struct cpuprobe_record records[2];

	event_run_init(&of->run, &of->cpu, event, period, a + b);
	of->fold = fold_create();
	record_init(&records[0], 1, "a", 0, 0, a);
	record_init(&records[1], 2, "b", 0, 0, b);
	fold_add(of->fold, 0, &account, records);
	fold_end_block(of->fold);
}

static struct measured first, second, third;

static int measure_all(void **state)
{
	measure(&first, "page-faults", 100, 60, 40);
	measure(&second, "cs", 3, 50, 250);
	measure(&third, "migrations:u", 1, 7, 0);
	return 0;
}

static int forget_all(void **state)
{
	fold_destroy(first.fold);
	fold_destroy(second.fold);
	fold_destroy(third.fold);
	return 0;
}

/* Saves the run with @nr others. */
static void keep(struct record *record_ret, unsigned int nr)
{
	struct record_writer writer;

	record_start(&writer);
	sys_save(&writer, first.fold, &first.run);
	if (nr > 0)
		assert_int_equal(sys_events_save(&writer, 0, second.fold, &second.run), 0);
	if (nr > 1)
		assert_int_equal(sys_events_save(&writer, 1, third.fold, &third.run), 0);
	record_reopen(&writer, record_ret);
}

static char *shown(const struct record *record)
{
	const struct table_options options = { .output.cols = 100 };
	struct run_result result;
	struct receipt receipt;
	struct sys_events others;
	struct table_events events;
	struct fold *fold = sys_load(record, &result, NULL);
	char *text;
	unsigned int i;

	assert_non_null(fold);
	assert_int_equal(run_load_receipt(record, &receipt), 0);
	assert_int_equal(sys_events_load(record, &others, NULL), 0);
	for (i = 0; i < others.nr; i++)
		assert_int_equal(fold_include(fold, others.fold[i]), 0);
	events = sys_events_table(&others, &receipt);
	text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, &receipt, &options, &events, false), 0));
	sys_events_deinit(&others);
	fold_destroy(fold);
	return text;
}

static void table_has_all_events(void **state)
{
	struct record record;
	char *text;

	keep(&record, 2);
	text = shown(&record);
	/* 300 x 3 and 7 x 1 for 100 x 100; b: 250 x 3 for 40 x 100 */
	assert_non_null(strstr(text, "Counted page-faults with a period of 100\nCounted cs with a period of 3\n"
			       "Counted migrations:u with a period of 1\ncs per 1000 page-faults: 90 in all\n"
			       "migrations:u per 1000 page-faults: 0.7 in all\n"));
	assert_non_null(strstr(text, "b                  0.0    40.0    40.0   9.80     188     56       <0.64\n"));
	assert_non_null(strstr(text, "Beside it: migrations:u with a period of 1, "));
	free(text);
	record_deinit(&record);
	/* A file of one event is as ever. */
	keep(&record, 0);
	text = shown(&record);
	assert_null(strstr(text, "per 1000"));
	free(text);
	record_deinit(&record);
}

static void events_are_chosen_by_name(void **state)
{
	struct record record, run;
	struct run_result result;
	struct text_error error;

	keep(&record, 2);
	assert_int_equal(run_events_choose(&record, NULL, &run, &error), 0);
	assert_ptr_equal(run.bytes, record.bytes);
	assert_int_equal(run_events_choose(&record, "page-faults", &run, &error), 0);
	assert_ptr_equal(run.bytes, record.bytes);
	assert_int_equal(run_events_choose(&record, "migrations:u", &run, &error), 0);
	assert_int_equal(record_get_result(&run, &result, NULL), 0);
	assert_int_equal(result.account.taken, 7);
	assert_int_equal(run_events_choose(&record, "migrations", &run, &error), -ENOENT);
	assert_string_equal(error.what, "it has no event 'migrations', but page-faults, cs, migrations:u");
	assert_int_equal(run_events_find(&record, 2, &run, &error), -ENOENT);
	assert_int_equal(run_events_find(&record, 3, &run, &error), -ENOENT);
	record_deinit(&record);
}

/* The rates that `probe diff` compares are those of the table. */
static void rates_are_those_of_the_table(void **state)
{
	struct record record;
	struct rates rates;
	char name[128];

	keep(&record, 2);
	assert_true(sys_events_rates(&record, &rates));
	assert_int_equal(rates.nr, 2);
	assert_string_equal(rates_name(&rates, &rates.rate[0], name, sizeof(name)), "cs per 1000 page-faults");
	assert_true(rates_total(&rates, &rates.rate[0]) == 90 && rates_total(&rates, &rates.rate[1]) == 0.7);
	record_deinit(&record);
	keep(&record, 0);
	assert_false(sys_events_rates(&record, &rates));
	record_deinit(&record);
}

/* The complaints of `probe verify`, to be freed. */
static char *complaints(const struct record *record, struct verify_result *result_ret)
{
	return WRITTEN(out, assert_int_equal(verify_record(record, out, result_ret, NULL), 0));
}

static void sums_of_all_events_are_verified(void **state)
{
	struct verify_result one, all;
	struct record record;
	char *text;

	keep(&record, 0);
	text = complaints(&record, &one);
	assert_string_equal(text, "");
	free(text);
	record_deinit(&record);
	keep(&record, 2);
	text = complaints(&record, &all);
	assert_string_equal(text, "");
	assert_true(all.nr_checked >= 3 * one.nr_checked && !all.nr_wrong && all.taken == 100);
	free(text);
	record_deinit(&record);
	third.run.result.elapsed_seconds = 3;
	second.run.receipt.lost = 1;
	keep(&record, 2);
	text = complaints(&record, &all);
	assert_string_equal(text, "cs: CPUs' lost = receipt's: 0 is not 1\n"
			    "cs: run's lost = receipt's: 0 is not 1\n"
			    "migrations:u: time of the run = that of the first event: 3 s is not 2 s\n");
	assert_int_equal(all.nr_wrong, 3);
	free(text);
	record_deinit(&record);
}

/* Sections that are no runs of events are refused, whatever is in them. */
static void senseless_events_are_refused(void **state)
{
	struct record record, run;
	struct record_writer writer;
	struct sys_events others;
	struct text_error error;

	record_start(&writer);
	sys_save(&writer, first.fold, &first.run);
	record_add(&writer, "EVT2", "cpuprobe\1\0\0\0", 12);
	record_reopen(&writer, &record);
	assert_int_equal(sys_events_load(&record, &others, &error), -EBADMSG);
	assert_string_equal(error.what, "its section 'EVT2' is no run of an event");
	sys_events_deinit(&others);
	assert_int_equal(run_events_find(&record, 0, &run, &error), -EBADMSG);
	record_deinit(&record);
	/* A run of time */
	second.run.result.event = (struct event){ .period = 0 };
	keep(&record, 2);
	assert_int_equal(sys_events_load(&record, &others, &error), -EBADMSG);
	sys_events_deinit(&others);
	record_deinit(&record);
	/* An event that sampled nothing is there all the same. */
	second.run.result.event = first.run.result.event;
	keep(&record, 2);
	assert_int_equal(sys_events_load(&record, &others, &error), 0);
	assert_int_equal(others.nr, 2);
	sys_events_deinit(&others);
	record_deinit(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(table_has_all_events, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(events_are_chosen_by_name, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(rates_are_those_of_the_table, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(sums_of_all_events_are_verified, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(senseless_events_are_refused, measure_all, forget_all),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
