// SPDX-License-Identifier: GPL-2.0-only
/* The part of `probe diff` about runs with stacks: see diff_command.h. */
#include <math.h>

#include "base/status.h"
#include "calls/call_save.h"
#include "diff_command.h"
#include "profile/inlined.h"
#include "profile/profile_save.h"
#include "report/stack_diff.h"
#include "report/stack_diff_view.h"
#include "run/run_events.h"
#include "stacks/stacks_fetch.h"

void diff_warn_of_short_runs(const struct diff_options *options)
{
	if (!options->is_sampling_only)
		fprintf(stderr, "probe: warning: runs of less than two seconds do not show how "
			"much they vary: only the counts are compared\nhint: measure longer\n");
}

static int find_worse_function(const struct diff *diff, const struct diff_options *options)
{
	const struct diff_row *worst = !isnan(options->worse_points) ?
		diff_worst(diff, options->worse_points) : NULL;
	const struct execution_unit *unit;
	const char *kind;
	double ns;

	if (!worst)
		return 0;
	kind = worst->is_total ? "total" : "self";
	ns = worst->side[1].share * diff->execution_ns[1];
	unit = diff->counts_events ? execution_events() : execution_unit(ns);
	if (diff_has_executions(diff))
		fprintf(stderr, "probe: worse: %s (%s) went from %.4g to %.4g %s per execution\n",
			worst->name, kind,
			worst->side[0].share * diff->execution_ns[0] / unit->ns, ns / unit->ns,
			unit->name);
	else
		fprintf(stderr, "probe: worse: %s (%s) went from %.2f%% to %.2f%%\n", worst->name,
			kind, worst->side[0].share * 100, worst->side[1].share * 100);
	return EXIT_WORSE;
}

/*
 * Makes two runs comparable if only one of them shows inlined functions. Its blocks do not fit then:
 * the counts alone are compared. -ENOMEM.
 */
static int match_inlined(const char *const paths[2], struct stack_run runs[2],
			 struct diff_options *options, struct text_error *error_ret)
{
	int side = inlined_is_there(runs[1].profile);

	if (side == inlined_is_there(runs[0].profile))
		return 0;
	fprintf(stderr, "probe: warning: only %s has inlined functions: they are compared as part of "
		"those that contain them\nhint: measure both runs with -inline, or with -no-inline\n",
		paths[side]);
	options->is_sampling_only = true;
	return stacks_drop_inlined(&runs[side], error_ret);
}

static int compare_loaded_stacks(const char *const paths[2], const struct stack_run runs[2],
				 const struct diff_options *options, struct text_error *error_ret)
{
	const u64 executions[2] = { runs[0].executions, runs[1].executions };
	struct diff diff = { .is_sampling_only = options->is_sampling_only };
	int error, status = EXIT_FAILED;

	stack_diff_init(&diff, runs);
	if (!(runs[0].profile->taken_ns > 0) || !(runs[1].profile->taken_ns > 0) ||
	    !diff.taken[0] || !diff.taken[1])
		return text_fail(error_ret, EXIT_FAILED, "compare %s with %s: one has no samples",
				 paths[0], paths[1]);
	error = stack_diff_add(&diff, 0, &runs[0]) ?: stack_diff_add(&diff, 1, &runs[1]) ?:
		stack_diff_finish(&diff);
	if (error) {
		text_fail(error_ret, error, "compare: out of memory");
	} else if (!stack_diff_view_show(stdout, &diff, paths, executions, options->nr_rows,
					 &options->output)) {
		if (diff.is_sampling_only)
			diff_warn_of_short_runs(options);
		status = find_worse_function(&diff, options);
	}
	diff_deinit(&diff);
	return status;
}

/* Loads the run of an event. @event: NULL: the first; @tells_others: name those that are not compared then */
static int load_event(struct stack_run *stacks, const char *path, const char *event, bool tells_others,
		      struct text_error *error_ret)
{
	struct record record;
	int error = record_read(path, &record, error_ret);

	if (error)
		return error;
	error = stacks_load_event(stacks, "compare", path, &record, event, error_ret);
	if (!error && !event && tells_others)
		run_events_tell_others(&record, "compared");
	record_deinit(&record);
	return error;
}

int diff_compare_stacks(const char *const paths[2], const struct diff_options *options)
{
	struct stack_run runs[2] = { { .profile = NULL }, { .profile = NULL } };
	struct diff_options matched = *options;
	struct text_error error = { "", "" };
	int status = EXIT_FAILED;

	if (!load_event(&runs[0], paths[0], options->event, true, &error) &&
	    !load_event(&runs[1], paths[1], options->event, false, &error) &&
	    !diff_check_events(paths[0], &runs[0].receipt, paths[1], &runs[1].receipt, &error) &&
	    !match_inlined(paths, runs, &matched, &error))
		status = compare_loaded_stacks(paths, runs, &matched, &error);
	if (error.what[0])
		text_report(&error);
	stacks_deinit(&runs[0]);
	stacks_deinit(&runs[1]);
	return status;
}

enum diff_contents diff_common_contents(const char *const paths[2])
{
	enum diff_contents common = DIFF_CALLS, found;
	struct record record;
	int side;

	for (side = 0; side < 2; side++) {
		if (record_read(paths[side], &record, NULL))
			return DIFF_TABLES;
		found = !profile_is_kept(&record) ? DIFF_TABLES :
			call_is_kept(&record) ? DIFF_CALLS : DIFF_STACKS;
		common = found < common ? found : common;
		record_deinit(&record);
	}
	return common;
}
