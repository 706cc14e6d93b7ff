// SPDX-License-Identifier: GPL-2.0-only
/* Gets stacks from a measurement or a saved run: see stacks_fetch.h. */
#include <errno.h>
#include <string.h>

#include "base/status.h"
#include "profile/blocks_save.h"
#include "profile/inlined.h"
#include "profile/profile_save.h"
#include "resolve/resolver.h"
#include "run/run_save.h"
#include "stacks/measurement.h"
#include "stacks/stacks_fetch.h"

static int load_record(struct stack_run *stacks, const struct record *record,
		       struct text_error *error_ret)
{
	if (!profile_is_kept(record)) {
		text_fail(error_ret, 0, "it is a run without stacks");
		text_hint(error_ret, "'probe show' shows it");
		return -EBADMSG;
	}
	if (record_get_result(record, &stacks->result, error_ret))
		return -EBADMSG;
	stacks->has_receipt = !run_load_receipt(record, &stacks->receipt);
	record_get(record, "EXEC", &stacks->executions, sizeof(stacks->executions),
		   sizeof(stacks->executions), NULL);
	stacks->profile = profile_load(record, error_ret);
	if (!stacks->profile)
		return -EBADMSG;
	stacks->profile->excess = stacks->result.account.excess;
	stacks->profile->counts_events = event_is_sampled(&stacks->result.event);
	/* Only `probe diff` needs them, and does without them if it must. */
	blocks_load(record, stacks->profile, &stacks->blocks);
	return 0;
}

/* Adds action and object to the reason @why. */
static int complete_load_error(int error, const char *verb, const char *name,
			       const struct text_error *why, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "%s %s: %s", verb, name, why->what);
	if (why->hint[0])
		text_hint(error_ret, "%s", why->hint);
	return error;
}

int stacks_load_record(struct stack_run *stacks, const char *verb, const char *path,
		       const struct record *record, struct text_error *error_ret)
{
	struct text_error why;
	int error;

	memset(stacks, 0, sizeof(*stacks));
	error = load_record(stacks, record, &why);
	return error ? complete_load_error(error, verb, path, &why, error_ret) : 0;
}

int stacks_load(struct stack_run *stacks, const char *verb, const char *path,
		struct text_error *error_ret)
{
	struct record record;
	int error;

	memset(stacks, 0, sizeof(*stacks));
	error = record_read(path, &record, error_ret);
	if (error)
		return error;
	error = stacks_load_record(stacks, verb, path, &record, error_ret);
	record_deinit(&record);
	return error;
}

int stacks_load_bytes(struct stack_run *stacks, char *bytes, size_t len, const char *name,
		      struct text_error *error_ret)
{
	const struct record record = { bytes, len };
	struct text_error why;
	int error;

	memset(stacks, 0, sizeof(*stacks));
	error = record_check(&record, name, error_ret);
	if (error)
		return error;
	error = load_record(stacks, &record, &why);
	return error ? complete_load_error(error, "show", name, &why, error_ret) : 0;
}

/* Saves a finished measurement, and moves its profile to @stacks. */
static int finish_measurement(struct stack_run *stacks, struct measurement *measurement,
			      struct record_writer *writer)
{
	struct text_error error;
	int result;

	stacks->result = measurement->run.result;
	stacks->receipt = measurement->run.receipt;
	stacks->has_receipt = true;
	if (!stacks->result.account.taken)
		return run_no_samples(&stacks->result);
	/* If the executions are unknown, the run is shown and saved without them. */
	result = measurement_executions(measurement, &stacks->executions, &error);
	if (result)
		text_report(&error);
	if (writer->out.file) {
		measurement_save(measurement, NULL, writer);
		if (record_commit(writer, &error)) {
			text_report(&error);
			return -EIO;
		}
	}
	/* The caller owns these from here on. */
	stacks->profile = measurement->profile;
	stacks->profile->excess = stacks->result.account.excess;
	stacks->profile->counts_events = event_is_sampled(&stacks->result.event);
	stacks->resolver = measurement->resolver;
	measurement->profile = NULL;
	measurement->resolver = NULL;
	return result;
}

static int measure_stacks(struct stack_run *stacks, struct measurement *measurement,
			  const struct stacks_options *options)
{
	struct record_writer writer = { 0 };
	struct text_error error;
	int result = 0, shown;

	if (options->sampling.save)
		result = record_create(&writer, options->sampling.save, &error);
	if (!result)
		result = measurement_run(measurement, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = finish_measurement(stacks, measurement, &writer);
		result = result ? result : shown;
	}
	record_abandon(&writer);
	return result;
}

static int fetch_by_measuring(struct stack_run *stacks, const struct stacks_options *options,
			      char **command)
{
	struct measurement measurement;
	struct text_error error;
	int result;

	memset(stacks, 0, sizeof(*stacks));
	if (measurement_init(&measurement, options, command, &error)) {
		text_report(&error);
		return command ? 125 : EXIT_FAILED;
	}
	result = measure_stacks(stacks, &measurement, options);
	stacks->status = run_exit_status(&measurement.run, result);
	measurement_deinit(&measurement);
	/* A profile with wrong sums is shown nevertheless. */
	return stacks->profile ? 0 : stacks->status;
}

int stacks_drop_inlined(struct stack_run *stacks, struct text_error *error_ret)
{
	struct profile *whole;

	if (!inlined_is_there(stacks->profile))
		return 0;
	whole = inlined_drop(stacks->profile);
	if (!whole)
		return text_fail(error_ret, -ENOMEM, "join inlined functions: out of memory");
	profile_destroy(stacks->profile);
	stacks->profile = whole;
	/* The blocks are those of the functions without the inlined ones. */
	blocks_deinit(&stacks->blocks);
	return 0;
}

int stacks_fetch(struct stack_run *stacks, const struct stacks_options *options, const char *verb,
		 const char *file, char **command)
{
	struct text_error error;

	if (!file)
		return fetch_by_measuring(stacks, options, command);
	if (!stacks_load(stacks, verb, file, &error) &&
	    (stacks_show_inlined(options) || !stacks_drop_inlined(stacks, &error)))
		return 0;
	text_report(&error);
	stacks_deinit(stacks);
	return EXIT_FAILED;
}

void stacks_deinit(struct stack_run *stacks)
{
	profile_destroy(stacks->profile);
	blocks_deinit(&stacks->blocks);
	resolver_destroy(stacks->resolver);
	memset(stacks, 0, sizeof(*stacks));
}
