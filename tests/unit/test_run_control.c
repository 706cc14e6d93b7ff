// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to a run: which need a harvest: cli/run/run_harvest.c. The engine here counts harvests. And what the times of
 * a run count from: cli/run/run_session.c. And the exit status: cli/run/run_end.c.
 */
#include <errno.h>

#include "unit.h"
#include "run/engine.h"
#include "run/run_parts.h"

static int nr_harvests, nr_answers, nr_served;
static bool is_left;

static int count_harvest(struct device *device, u32 cpu, u64 ack, bool only_due, struct cpuprobe_account *account_ret,
			 const void **entries_ret, struct text_error *error_ret)
{
	account_ret->seq = ack;
	nr_harvests++;
	return 0;
}

static bool answer(void *context)
{
	nr_answers++;
	return is_left;
}

static enum run_order serve(void *context)
{
	nr_served++;
	return RUN_STOP;
}

static const struct engine engine = { .harvest = count_harvest };
static struct device_cpu device_cpu;
static const struct sampling_options options = { .cpus = { .number = (u32[]){ 0 }, .nr = 1 } };
static struct run_control control;
static struct run run;
static struct meter meter;

static int begin(void **state)
{
	nr_harvests = nr_answers = nr_served = 0;
	control = (struct run_control){ .answer = answer, .serve = serve };
	run = (struct run){ .control = &control, .options = &options };
	meter = (struct meter){ .run = &run, .device = { .engine = &engine, .fd = -1, .cpus = &device_cpu, .nr_cpus = 1 } };
	return 0;
}

static void is_obeyed(enum run_order order, int harvests, int answers, int served)
{
	assert_int_equal(meter_obey(&meter), order);
	assert_int_equal(nr_harvests, harvests);
	assert_int_equal(nr_answers, answers);
	assert_int_equal(nr_served, served);
}

static void answers_need_no_harvest(void **state)
{
	is_left = false;
	is_obeyed(RUN_GO_ON, 0, 1, 0);
	is_left = true;
	is_obeyed(RUN_STOP, 1, 2, 1);
}

/* One that was taken in the midst of a harvest is served before others are read. */
static void kept_requests_are_served(void **state)
{
	control.is_left = true;
	is_obeyed(RUN_STOP, 1, 0, 1);
}

static void all_need_one_without_answers(void **state)
{
	control.answer = NULL;
	is_obeyed(RUN_STOP, 1, 0, 1);
}

/* Each step of a search has its own time; the session after a pause continues the time of the one before it. */
static void steps_have_their_own_time(void **state)
{
	double began;

	meter.device.began = 100;
	meter_begin_clock(&meter, 100.5);
	assert_true(meter.started == 100 && meter.interval_started == 100);
	began = run.result.began;
	run.end = RUN_PAUSED;
	run.paused_seconds = 20;
	meter.device.began = 130;
	meter_begin_clock(&meter, 110);
	run.end = RUN_RATE_CHANGED;
	meter_begin_clock(&meter, 111);
	assert_true(meter.started == 100 && meter.interval_started == 100 && run.result.began == began);
	run.end = RUN_STEP_DONE;
	meter.device.began = 150;
	meter_begin_clock(&meter, 1000130);
	assert_true(meter.started == 100 && meter.interval_started == 130);
	/* It is reckoned back from now. */
	assert_true(run.result.began < began - 900000);
}

/* A COMMAND that was measured has its own status, with samples or without. A file that is missing is a failure. */
static void commands_have_their_own_status(void **state)
{
	struct sampling_options asked = { .within = 0 };

	run.options = &asked;
	run.command_status = 7;
	assert_int_equal(run_exit_status(&run, -ENODATA), 1);
	run.command = (char *[]){ "true", NULL };
	assert_int_equal(run_exit_status(&run, 0), 7);
	/* No task had this name: the COMMAND was not run. */
	assert_int_equal(run_exit_status(&run, -ENODATA), 125);
	run.whole_seconds = 0.001;
	assert_int_equal(run_exit_status(&run, -ENODATA), 7);
	assert_int_equal(run_exit_status(&run, -EIO), 125);
	asked.has_exports = true;
	assert_int_equal(run_exit_status(&run, -ENODATA), 125);
	asked = (struct sampling_options){ .save = "run" };
	assert_int_equal(run_exit_status(&run, -ENODATA), 125);
	asked.save = NULL;
	run.result.account.taken = 1;
	assert_int_equal(run_exit_status(&run, -ENODATA), 125);
	run.command_error = -ENOENT;
	assert_int_equal(run_exit_status(&run, -ENOENT), 127);
}

#define TEST(name)	cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(answers_need_no_harvest), TEST(kept_requests_are_served), TEST(all_need_one_without_answers),
		TEST(steps_have_their_own_time), TEST(commands_have_their_own_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
