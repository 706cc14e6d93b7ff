// SPDX-License-Identifier: GPL-2.0-only
/* Gets stacks from a measurement or a saved run: see stacks_fetch.h. */
#include <errno.h>
#include <string.h>

#include "base/status.h"
#include "profile/blocks_save.h"
#include "profile/inlined.h"
#include "profile/profile_save.h"
#include "resolve/resolver.h"
#include "run/run_events.h"
#include "run/run_save.h"
#include "stacks/measurements.h"
#include "stacks/stacks_fetch.h"

/* The run of the first event has them for all. */
static void load_executions(struct stack_run *stacks, const struct record *record)
{
	record_get(record, "EXEC", &stacks->executions, sizeof(stacks->executions),
		   sizeof(stacks->executions), NULL);
}

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
	load_executions(stacks, record);
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

int stacks_load_event(struct stack_run *stacks, const char *verb, const char *path, const struct record *record,
		      const char *event, struct text_error *error_ret)
{
	struct text_error why;
	struct record run;
	int error = run_events_choose(record, event, &run, &why);

	memset(stacks, 0, sizeof(*stacks));
	error = error ? complete_load_error(error, verb, path, &why, error_ret) :
		stacks_load_record(stacks, verb, path, &run, error_ret);
	if (!error)
		load_executions(stacks, record);
	return error;
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

/* Moves the profile of a finished measurement to @stacks. -ENODATA: it has no sample, which was reported. */
static int take_profile(struct stack_run *stacks, struct measurement *measurement)
{
	stacks->result = measurement->run.result;
	stacks->receipt = measurement->run.receipt;
	stacks->has_receipt = true;
	if (!stacks->result.account.taken)
		return run_no_samples(&stacks->result);
	/* The caller owns these from here on. */
	stacks->profile = measurement->profile;
	stacks->profile->excess = stacks->result.account.excess;
	stacks->profile->counts_events = event_is_sampled(&stacks->result.event);
	stacks->resolver = measurement->resolver;
	measurement->profile = NULL;
	measurement->resolver = NULL;
	return 0;
}

static int save_runs(const struct measurements *measurements, struct record_writer *writer)
{
	struct text_error error;
	int result;

	if (!writer->out.file)
		return 0;
	result = measurements_save(measurements, writer);
	result = result ? text_fail(&error, result, "save the run: out of memory") : record_commit(writer, &error);
	if (result)
		text_report(&error);
	return result ? -EIO : 0;
}

/* Saves finished measurements, and moves their profiles to @set, as far as there are samples of their events. */
static int finish_measurements(struct stack_set *set, struct measurements *measurements, struct record_writer *writer)
{
	struct text_error error;
	u64 executions;
	unsigned int i;
	/* If the executions are unknown, the run is shown and saved without them. */
	int result = measurement_executions(&measurements->of[0], &executions, &error), taken;

	if (!measurements_taken(measurements))
		return run_no_samples(&measurements->of[0].run.result);
	if (result)
		text_report(&error);
	if (save_runs(measurements, writer))
		return -EIO;
	for (i = 0; i < measurements->nr; i++) {
		struct stack_run *stacks = &set->run[set->nr];

		taken = take_profile(stacks, &measurements->of[i]);
		stacks->executions = executions;
		set->nr += !taken;
		result = result ?: taken;
	}
	return result;
}

static int measure_stacks(struct stack_set *set, struct measurements *measurements,
			  const struct stacks_options *options)
{
	struct record_writer writer = { 0 };
	struct text_error error;
	int result = 0, shown;

	if (options->sampling.save)
		result = record_create(&writer, options->sampling.save, &error);
	if (!result)
		result = measurements_run(measurements, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = finish_measurements(set, measurements, &writer);
		result = result ? result : shown;
	}
	record_abandon(&writer);
	return result;
}

static int fetch_by_measuring(struct stack_set *set, const struct stacks_options *options,
			      char **command)
{
	struct measurements measurements;
	struct text_error error;
	int result;

	if (measurements_init(&measurements, options, command, &error)) {
		text_report(&error);
		return command ? 125 : EXIT_FAILED;
	}
	result = measure_stacks(set, &measurements, options);
	set->status = run_exit_status(&measurements.of[0].run, result);
	measurements_deinit(&measurements);
	/* A profile with wrong sums is shown nevertheless. */
	return set->nr ? 0 : set->status;
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
	/* The sums are those of the functions without the inlined ones. */
	blocks_drop_sums(&stacks->blocks);
	return 0;
}

/* Reads all runs in a file, which are of one event each. Those of several that have no sample are left out. */
static int load_runs(struct stack_set *set, const struct record *record, const char *verb, const char *path,
		     struct text_error *error_ret)
{
	struct record run = *record, other;
	struct text_error why;
	const bool is_one = run_events_find(record, 0, &other, &why) == -ENOENT;
	unsigned int at = 0;
	int error;

	do {
		struct stack_run *stacks = &set->run[set->nr];

		error = stacks_load_record(stacks, verb, path, &run, error_ret);
		if (error)
			return error;
		load_executions(stacks, record);
		if (stacks->profile->taken || is_one) {
			set->nr++;
		} else {
			run_no_samples(&stacks->result);
			set->status = EXIT_FAILED;
			stacks_deinit(stacks);
		}
		error = run_events_find(record, at++, &run, &why);
	} while (!error);
	return error == -ENOENT ? 0 : complete_load_error(error, verb, path, &why, error_ret);
}

static int fetch_from_file(struct stack_set *set, const struct stacks_options *options, const char *verb,
			   const char *path, struct text_error *error_ret)
{
	struct record record;
	unsigned int i;
	int error = record_read(path, &record, error_ret);

	if (error)
		return error;
	error = load_runs(set, &record, verb, path, error_ret);
	for (i = 0; !error && !stacks_show_inlined(options) && i < set->nr; i++)
		error = stacks_drop_inlined(&set->run[i], error_ret);
	record_deinit(&record);
	return error;
}

int stacks_fetch(struct stack_set *set, const struct stacks_options *options, const char *verb,
		 const char *file, char **command)
{
	struct text_error error;

	memset(set, 0, sizeof(*set));
	if (!file)
		return fetch_by_measuring(set, options, command);
	if (!fetch_from_file(set, options, verb, file, &error))
		return 0;
	text_report(&error);
	stack_set_deinit(set);
	return EXIT_FAILED;
}

void stack_set_deinit(struct stack_set *set)
{
	unsigned int i;

	for (i = 0; i < EVENTS_MOST; i++)
		stacks_deinit(&set->run[i]);
	set->nr = 0;
}

void stacks_deinit(struct stack_run *stacks)
{
	profile_destroy(stacks->profile);
	blocks_deinit(&stacks->blocks);
	resolver_destroy(stacks->resolver);
	memset(stacks, 0, sizeof(*stacks));
}
