// SPDX-License-Identifier: GPL-2.0-only
/* Checks the sums in a saved run: see verify.h. */
#include <errno.h>
#include <string.h>

#include "calls/call_save.h"
#include "profile/profile_save.h"
#include "run/run_events.h"
#include "times/time_save.h"
#include "trace/trace_save.h"
#include "verify/verify_parts.h"

/* Samples pending when a background run was saved; 0 if sampling had ended. */
static u64 sum_pending(const struct verify *verify)
{
	u64 pending = 0;
	size_t i;

	for (i = 0; i < verify->nr_cpus; i++)
		pending += verify->cpus[i].pending;
	return pending;
}

static int check_by_kind(struct verify *verify, struct text_error *error_ret)
{
	size_t len;

	if (trace_is_kept(verify->record)) {
		verify->result->command = "trace";
		return verify_trace(verify, error_ret);
	}
	if (profile_is_kept(verify->record)) {
		bool has_calls = call_is_kept(verify->record);

		verify->result->command = has_calls ? "calls" : "flat";
		return verify_stacks(verify, error_ret) ?:
			(has_calls ? verify_calls(verify, error_ret) : 0) ?:
			(time_is_kept(verify->record) ? verify_times(verify, error_ret) : 0);
	}
	if (record_find(verify->record, "TASK", &len)) {
		verify->result->command = "proc";
		return verify_proc(verify, error_ret);
	}
	verify->result->command = "sys";
	return verify_sys(verify, error_ret);
}

/* Checks a run, or the part of it that is of one event; adds to the result. */
static int verify_one(const struct record *record, const char *event, FILE *out, struct verify_result *result_ret,
		      struct text_error *error_ret)
{
	struct verify verify = { .record = record, .event = event, .out = out, .result = result_ret };
	int error;

	error = record_get_result(record, &verify.run, error_ret);
	if (error)
		return error;
	result_ret->taken = verify.run.account.taken;
	verify.cpus = run_load_cpus(record, &verify.nr_cpus);
	result_ret->has_receipt = verify.cpus && !run_load_receipt(record, &verify.receipt);
	if (result_ret->has_receipt)
		verify_receipt(&verify);
	verify_hosts(&verify);
	verify_equal(&verify, verify.run.account.taken + verify.run.account.missed + sum_pending(&verify),
		     verify.run.account.expected, "taken + missed + pending = expected");
	return check_by_kind(&verify, error_ret);
}

/* The other events of a run: their runs are of the same time. */
static int verify_others(const struct record *record, FILE *out, struct verify_result *result,
			 struct text_error *error_ret)
{
	char event[EVENT_NAME_LEN + 2];
	struct run_result of_first, of_other;
	struct record run;
	unsigned int at;
	int error = record_get_result(record, &of_first, error_ret);

	for (at = 0; !error && !(error = run_events_find(record, at, &run, error_ret)); at++) {
		struct verify_result part = { .nr_checked = 0 };

		record_get_result(&run, &of_other, NULL);
		snprintf(event, sizeof(event), "%s: ", of_other.event.name);
		error = verify_one(&run, event, out, &part, error_ret);
		result->nr_checked += part.nr_checked + 1;
		result->nr_wrong += part.nr_wrong;
		if (of_other.began == of_first.began && of_other.elapsed_seconds == of_first.elapsed_seconds)
			continue;
		result->nr_wrong++;
		fprintf(out, "%stime of the run = that of the first event: %g s is not %g s\n", event,
			of_other.elapsed_seconds, of_first.elapsed_seconds);
	}
	return error == -ENOENT ? 0 : error;
}

int verify_record(const struct record *record, FILE *out, struct verify_result *result_ret,
		  struct text_error *error_ret)
{
	int error;

	memset(result_ret, 0, sizeof(*result_ret));
	error = verify_one(record, "", out, result_ret, error_ret);
	return error ?: verify_others(record, out, result_ret, error_ret);
}
