// SPDX-License-Identifier: GPL-2.0-only
/* Runs of `probe calls`: see calls_run.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_save.h"
#include "calls_run.h"
#include "times/time_read.h"
#include "times/time_save.h"

#define MANY_FUNCTIONS	10000		/* so many only for a limited time */

void calls_run_init(struct calls_run *run)
{
	stacks_options_init(&run->stacks);
	run->session.device.fd = -1;
}

/* Called by the measurement just before sampling begins, also after a pause. */
static int begin_counting(void *context, struct text_error *error_ret)
{
	struct calls_run *run = context;
	const struct measurement *measurement = &run->measurement;
	int error = call_session_begin(&run->session, measurement->task.exe_fd,
				       measurement->task.pid, measurement->cgroup_fd, error_ret);

	if (!error && !run->has_told)
		call_session_tell_unhookable(&run->session);
	run->has_told = true;
	return error;
}

/* Reads what the session has counted, or timed. */
static int read_session(const struct calls_run *run, struct call_counts **calls_ret,
			struct time_counts **times_ret, struct text_error *error_ret)
{
	*calls_ret = NULL;
	*times_ret = NULL;
	if (run->options.flags)
		*times_ret = time_read(&run->session, error_ret);
	else
		*calls_ret = call_session_read(&run->session, error_ret);
	return *times_ret || *calls_ret ? 0 : -EIO;
}

/* Adds what earlier sessions have counted to one part. */
static int add_earlier(const struct calls_run *run, struct call_counts *calls, struct time_counts *times,
		       struct text_error *error_ret)
{
	int error = 0;

	if (calls && run->calls)
		error = call_counts_merge(calls, run->calls, NULL);
	if (times && run->times)
		error = time_counts_merge(times, run->times);
	return error ? text_fail(error_ret, error, "add the counts of calls: out of memory") : 0;
}

static void forget(struct calls_run *run)
{
	call_counts_destroy(run->calls);
	time_counts_destroy(run->times);
	run->calls = NULL;
	run->times = NULL;
}

/* Called just before sampling ends, or pauses. */
static void end_counting(void *context)
{
	struct calls_run *run = context;
	struct call_counts *calls;
	struct time_counts *times;

	call_session_stop(&run->session);
	if (read_session(run, &calls, &times, &run->failed) ||
	    add_earlier(run, calls, times, &run->failed)) {
		call_counts_destroy(calls);
		time_counts_destroy(times);
	} else {
		forget(run);
		run->calls = calls;
		run->times = times;
	}
	call_session_end(&run->session);
}

static bool is_over_budget(void *context)
{
	struct calls_run *run = context;

	return call_session_is_over(&run->session);
}

static int refuse_unlimited(const struct calls_run *run, bool has_command, struct text_error *error_ret)
{
	u32 nr = run->session.functions.nr;

	if (nr < MANY_FUNCTIONS || !has_command || run->stacks.sampling.seconds)
		return 0;
	text_fail(error_ret, 0, "count calls: %u functions for as long as the COMMAND runs", nr);
	text_hint(error_ret, "limit the time with -sec");
	return -EINVAL;
}

int calls_run_prepare(struct calls_run *run, char **command, struct text_error *error_ret)
{
	struct measurement *measurement = &run->measurement;
	int error;

	/* -disturb allows the hooks of unwinding too. */
	run->stacks.unwind.may_disturb = run->options.may_disturb;
	error = call_session_choose(&run->session, &run->options, "/proc/kallsyms", error_ret) ?:
		refuse_unlimited(run, command, error_ret) ?:
		measurement_init(measurement, &run->stacks, command, error_ret);

	if (error)
		return error;
	if (run->session.functions.nr)
		fprintf(stderr, "probe: %u function%s\n", run->session.functions.nr,
			run->session.functions.nr == 1 ? " matches" : "s match");
	measurement->begins = begin_counting;
	measurement->ends = end_counting;
	measurement->is_over = is_over_budget;
	measurement->context = run;
	return 0;
}

int calls_run_read(struct calls_run *run, struct call_counts **calls_ret,
		   struct time_counts **times_ret, struct text_error *error_ret)
{
	int error;

	if (run->failed.what[0]) {
		*error_ret = run->failed;
		return -EIO;
	}
	if (run->session.is_counting) {
		error = read_session(run, calls_ret, times_ret, error_ret);
	} else {
		*calls_ret = call_counts_create();
		*times_ret = run->times && *calls_ret ? time_counts_create(*calls_ret) : NULL;
		error = *calls_ret && !*times_ret == !run->times ? 0 : -ENOMEM;
		if (*times_ret)
			*calls_ret = NULL;
		if (error)
			text_fail(error_ret, error, "out of memory");
	}
	if (!error)
		error = add_earlier(run, *calls_ret, *times_ret, error_ret);
	if (!error)
		return 0;
	call_counts_destroy(*calls_ret);
	time_counts_destroy(*times_ret);
	*calls_ret = NULL;
	*times_ret = NULL;
	return error;
}

void calls_run_warn(const struct calls_run *run)
{
	const char *module = call_session_unloaded(&run->session);

	if (module)
		fprintf(stderr, "probe: module %s was unloaded during the run: its calls until then are "
			"counted\n"
			"hint: a module that is loaded again needs a new run\n", module);
}

void calls_run_add(struct record_writer *writer, const struct call_counts *calls,
		   const struct time_counts *times)
{
	if (times)
		time_save(writer, times);
	else
		call_save(writer, calls);
}

void calls_run_deinit(struct calls_run *run)
{
	forget(run);
	call_session_deinit(&run->session);
	stacks_options_deinit(&run->stacks);
}

static int begin_background(void *self, struct run **run_ret, struct text_error *error_ret)
{
	struct calls_run *run = self;
	int error = calls_run_prepare(run, NULL, error_ret);

	if (error)
		return error;
	measurement_begin(&run->measurement);
	*run_ret = &run->measurement.run;
	return 0;
}

static int save_background(void *self, struct record_writer *writer)
{
	struct calls_run *run = self;
	struct call_counts *calls;
	struct time_counts *times;
	struct text_error error;
	int failed = calls_run_read(run, &calls, &times, &error) ?:
		measurement_save_now(&run->measurement, writer);

	if (!failed)
		calls_run_add(writer, calls, times);
	call_counts_destroy(calls);
	time_counts_destroy(times);
	return failed;
}

/* The counts of a run that is paused are only those of ended sessions. */
static int reset_background(void *self)
{
	struct calls_run *run = self;
	const struct measurement *measurement = &run->measurement;
	struct text_error error;
	int failed = 0;

	if (run->session.is_counting)
		failed = call_session_restart(&run->session, measurement->task.exe_fd,
					      measurement->task.pid, measurement->cgroup_fd, &error);
	if (failed)
		return failed;
	forget(run);
	measurement_reset(&run->measurement);
	return 0;
}

static void put_status(void *self, FILE *out)
{
	const struct calls_run *run = self;
	const struct profile *profile = run->measurement.profile;

	fprintf(out, "lost\t%llu\nstacks\t%u\ncalls\t%u\n", profile->lost, profile->nr_stacks, run->options.flags);
}

static void end_background(void *self)
{
	struct calls_run *run = self;

	measurement_deinit(&run->measurement);
}

const struct holder_kind calls_run_kind = {
	.name = "calls",
	.begin = begin_background,
	.save = save_background,
	.reset = reset_background,
	.put_status = put_status,
	.end = end_background,
};
