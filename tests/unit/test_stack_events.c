// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of several events in one file: cli/stacks/stacks_fetch.c, cli/run/run_events.c, and their sums: cli/verify/verify.c. */
#include <errno.h>

#include "event_runs.h"
#include "profile/blocks_save.h"
#include "profile/profile_save.h"
#include "profiles.h"
#include "records.h"
#include "run/run_events.h"
#include "stacks/stacks_fetch.h"
#include "verify/verify.h"

/** The run of one event. */
struct measured {
	struct run run;
	struct receipt_cpu cpu;
	struct profile *profile;
};

static struct measured first, second, third;

static void measure(struct measured *of, const char *event, u64 period, const char *stacks)
{
	of->profile = profiles_of(stacks);
	event_run_init(&of->run, &of->cpu, event, period, of->profile->taken);
	of->run.receipt.what = CPUPROBE_WHAT_STACKS;
	of->profile->counts_events = true;
	of->profile->excess = of->run.result.account.excess;
}

static int measure_all(void **state)
{
	measure(&first, "page-faults", 10, "a 1 user main@a;work@a 60\na 1 user main@a 40\n");
	measure(&second, "cs", 3, "a 1 user main@a;wait@a 7\n");
	measure(&third, "migrations:u", 1, "");
	return 0;
}

static int forget_all(void **state)
{
	profile_destroy(first.profile);
	profile_destroy(second.profile);
	profile_destroy(third.profile);
	return 0;
}

static void fill_stacks(struct record_writer *writer, const void *context)
{
	const struct measured *of = context;
	const struct blocks none = { 0 };

	run_save(writer, &of->run);
	profile_save(writer, of->profile);
	blocks_save(writer, &none, of->profile);
}

/* Saves the run with @nr others; 12 executions. */
static void keep(unsigned int nr)
{
	const u64 executions = 12;
	struct record_writer writer;

	record_start(&writer);
	fill_stacks(&writer, &first);
	record_add(&writer, "EXEC", &executions, sizeof(executions));
	if (nr > 0)
		assert_int_equal(run_events_add(&writer, 0, fill_stacks, &second), 0);
	if (nr > 1)
		assert_int_equal(run_events_add(&writer, 1, fill_stacks, &third), 0);
	assert_int_equal(record_commit(&writer, NULL), 0);
}

static void all_events_are_read(void **state)
{
	const struct stacks_options options = { .is_inlined = true };
	struct stack_set set;

	keep(0);
	assert_int_equal(stacks_fetch(&set, &options, "flat", path, NULL), 0);
	assert_int_equal(set.nr, 1);
	stack_set_deinit(&set);
	keep(1);
	assert_int_equal(stacks_fetch(&set, &options, "flat", path, NULL), 0);
	assert_int_equal(set.nr, 2);
	assert_string_equal(set.run[0].result.event.name, "page-faults");
	assert_int_equal(set.run[0].profile->taken, 100);
	assert_string_equal(set.run[1].result.event.name, "cs");
	assert_int_equal(set.run[1].profile->taken, 7);
	assert_int_equal(set.run[1].receipt.event.counted, 21);
	/* The executions are of the whole run. */
	assert_int_equal(set.run[0].executions, 12);
	assert_int_equal(set.run[1].executions, 12);
	stack_set_deinit(&set);
	assert_int_equal(set.status, 0);
}

/* It may be the first one; the others are shown. */
static void events_without_samples_have_no_report(void **state)
{
	const struct stacks_options options = { .is_inlined = true };
	struct stack_set set;

	keep(2);
	assert_int_equal(stacks_fetch(&set, &options, "flat", path, NULL), 0);
	assert_int_equal(set.nr, 2);
	assert_int_equal(set.status, 1);
	stack_set_deinit(&set);
	profile_destroy(first.profile);
	measure(&first, "faults", 1, "");
	keep(2);
	assert_int_equal(stacks_fetch(&set, &options, "flat", path, NULL), 0);
	assert_int_equal(set.nr, 1);
	assert_string_equal(set.run[0].result.event.name, "cs");
	assert_int_equal(set.run[0].executions, 12);
	stack_set_deinit(&set);
}

static void an_event_is_chosen_by_name(void **state)
{
	struct stack_run stacks;
	struct text_error error;
	struct record record;

	keep(2);
	assert_int_equal(record_read(path, &record, &error), 0);
	assert_int_equal(stacks_load_event(&stacks, "export", path, &record, NULL, &error), 0);
	assert_int_equal(stacks.profile->taken, 100);
	stacks_deinit(&stacks);
	assert_int_equal(stacks_load_event(&stacks, "export", path, &record, "cs", &error), 0);
	assert_int_equal(stacks.profile->taken, 7);
	assert_int_equal(stacks.executions, 12);
	stacks_deinit(&stacks);
	assert_int_equal(stacks_load_event(&stacks, "export", path, &record, "migrations", &error), -ENOENT);
	assert_non_null(strstr(error.what, ": it has no event 'migrations', but page-faults, cs, migrations:u"));
	stacks_deinit(&stacks);
	record_deinit(&record);
}

static void sums_of_all_events_are_verified(void **state)
{
	struct verify_result one, all;
	struct record record;
	char *text;

	keep(0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	free(WRITTEN(out, assert_int_equal(verify_record(&record, out, &one, NULL), 0)));
	record_deinit(&record);
	second.profile->taken++;
	keep(1);
	assert_int_equal(record_read(path, &record, NULL), 0);
	text = WRITTEN(out, assert_int_equal(verify_record(&record, out, &all, NULL), 0));
	record_deinit(&record);
	assert_int_equal(one.nr_wrong, 0);
	assert_true(all.nr_checked > one.nr_checked + 10);
	assert_true(all.nr_wrong > 0);
	assert_int_equal(strncmp(text, "cs: ", 4), 0);
	free(text);
}

/* A part that has no stacks is refused with the name of the file. */
static void other_parts_are_refused(void **state)
{
	const struct stacks_options options = { .is_inlined = true };
	struct record_writer writer;
	struct stack_set set;

	record_start(&writer);
	fill_stacks(&writer, &first);
	record_add(&writer, "EVT2", "cpuprobe\1\0\0\0", 12);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(stacks_fetch(&set, &options, "flat", path, NULL), 1);
	assert_int_equal(set.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_events_are_read, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(events_without_samples_have_no_report, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(an_event_is_chosen_by_name, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(sums_of_all_events_are_verified, measure_all, forget_all),
		cmocka_unit_test_setup_teardown(other_parts_are_refused, measure_all, forget_all),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
