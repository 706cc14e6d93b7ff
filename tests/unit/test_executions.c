// SPDX-License-Identifier: GPL-2.0-only
/* Times of one execution: cli/base/execution.c, cli/report/run_execution.c, counts of runs. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "unit.h"
#include "base/execution.h"
#include "profile/profile_save.h"
#include "profiles.h"
#include "report/run_execution.h"
#include "stacks/measurement.h"
#include "stacks/stacks_fetch.h"

static void units(void **state)
{
	assert_string_equal(execution_unit(1e9)->name, "s");
	assert_string_equal(execution_unit(0.999e9)->name, "ms");
	assert_string_equal(execution_unit(1e6)->name, "ms");
	assert_string_equal(execution_unit(999)->name, "ns");
	assert_string_equal(execution_unit(1000)->name, "us");
	assert_string_equal(execution_unit(0)->name, "ns");
	assert_string_equal(execution_unit(NAN)->name, "ns");
}

static void in_print(void **state)
{
	const struct share time = { .value = 1234.5, .lo = 1100, .hi = 1400 }, unseen = { .hi = 498400 };
	char *text = WRITTEN(out, execution_print(out, &time, false, 1, 60));

	assert_string_equal(text, "One execution: 1.234 us, 95% interval 1.1 to 1.4 us (1\n"
			    "execution)\n");
	free(text);
	/* Without a sample the bound chooses the unit. */
	text = WRITTEN(out, execution_print(out, &unseen, false, 10, 80));
	assert_string_equal(text, "One execution: 0 us, 95% interval 0 to 498.4 us (10 executions)\n");
	free(text);
	text = WRITTEN(out, execution_json(out, &time, false, 7));
	assert_string_equal(text, "  \"executions\": 7,\n  \"execution_ns\": 1234.500,\n"
			    "  \"execution_lo_ns\": 1100.000,\n  \"execution_hi_ns\": 1400.000,\n");
	free(text);
}

/* Idle time, lost samples and other processes are no part of an execution. */
static void work_of_a_run(void **state)
{
	struct profile *profile = profiles_of("a 1 user f@a;g@a 30\na 1 kernel s@kernel 10\n"
					      "IDLE 0 kernel [idle] 40\nlost 5\nother 15\n");
	struct stat_interval share = stat_wilson(40, 100, 0);
	struct share time = run_execution(profile, 8);
	char *text;

	assert_float_equal(time.value, 5e6, 1e-3);		/* 40 ms / 8 */
	assert_float_equal(time.lo, share.lo * 100e6 / 8, 1e-3);
	assert_float_equal(time.hi, share.hi * 100e6 / 8, 1e-3);
	text = WRITTEN(out, run_execution_print(out, profile, 0, 80);
		       run_execution_json(out, profile, 0));
	assert_string_equal(text, "");
	free(text);
	/* A saved run may have times that do not fit together. */
	profile->taken_ns = 1e6;
	assert_float_equal(run_execution(profile, 1).value, 1e6, 1e-3);
	profile->taken_ns = 0;
	assert_float_equal(run_execution(profile, 1).value, 0, 0);
	profile_destroy(profile);
}

/* Loads a run that was saved with @len bytes of a section for its executions; 0: with none. */
static u64 load_executions(const u64 *executions, size_t len)
{
	struct profile *profile = profiles_of("a 1 user f@a 3\n");
	struct run_result result = { .account = { .taken = 3, .expected = 3 }, .nr_cpus = 1 };
	struct record_writer writer;
	struct stack_run stacks;
	struct text_error error;
	char *bytes = NULL;
	size_t nr;
	u64 found;

	record_begin(&writer, open_memstream(&bytes, &nr));
	record_add_result(&writer, &result);
	if (len)
		record_add(&writer, "EXEC", executions, len);
	profile_save(&writer, profile);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(stacks_load_bytes(&stacks, bytes, nr, "memory", &error), 0);
	found = stacks.executions;
	stacks_deinit(&stacks);
	profile_destroy(profile);
	free(bytes);
	return found;
}

static void in_saved_runs(void **state)
{
	const u64 executions[2] = { 12345678901234567890ULL, 3 };

	assert_true(load_executions(executions, 0) == 0);
	assert_true(load_executions(executions, 4) == 0);
	assert_true(load_executions(executions, 8) == executions[0]);
	assert_true(load_executions(executions, 16) == executions[0]);
}

static void write_number(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

/* Until the run has ended, the count is that of the moment. */
static void counted_from_a_file(void **state)
{
	char path[] = "/tmp/cpuprobe-count-XXXXXX";
	struct stacks_options options = { .count_from = path };
	struct measurement measurement = { .options = &options };
	struct text_error error;
	u64 count = 1;

	close(mkstemp(path));
	assert_int_equal(counter_init(&measurement.counter, path, &error), -ENODATA);
	write_number(path, "done: 90 of 100\n");
	assert_int_equal(counter_init(&measurement.counter, path, &error), 0);
	assert_int_equal(measurement_executions(&measurement, &count, &error), -EINVAL);
	write_number(path, "done: 100 of 100\n");
	measurement_begin_count(&measurement);
	write_number(path, "107");
	assert_int_equal(measurement_executions(&measurement, &count, &error), 0);
	assert_int_equal(count, 7);
	write_number(path, "110");
	counter_end(&measurement.counter);
	write_number(path, "200");
	assert_int_equal(measurement_executions(&measurement, &count, &error), 0);
	assert_int_equal(count, 10);
	unlink(path);
	options = (struct stacks_options){ .count = 5 };
	measurement_begin_count(&measurement);
	assert_int_equal(measurement_executions(&measurement, &count, &error), 0);
	assert_int_equal(count, 5);
	options.count = 0;
	assert_int_equal(measurement_executions(&measurement, &count, &error), 0);
	assert_int_equal(count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units),
		cmocka_unit_test(in_print),
		cmocka_unit_test(work_of_a_run),
		cmocka_unit_test(in_saved_runs),
		cmocka_unit_test(counted_from_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
