// SPDX-License-Identifier: GPL-2.0-only
/* The part of `probe diff` about runs with calls: see diff_command.h. */
#include <math.h>

#include "base/status.h"
#include "calls/call_diff_view.h"
#include "calls/call_save.h"
#include "diff_command.h"
#include "stacks/stacks_fetch.h"

static void warn_of_calls(const struct call_run *run, const char *path)
{
	if (run->counts->totals.lost)
		fprintf(stderr, "probe: warning: %s: %llu calls are not counted: times per call may be "
			"shorter than they seem\nhint: measure with a larger -memory, or fewer "
			"functions\n", path, run->counts->totals.lost);
}

static int find_slower_function(const struct call_diff *diff, const struct diff_options *options)
{
	const struct call_diff_row *worst = isnan(options->worse_points) ? NULL :
		call_diff_worst(diff, options->worse_points);
	char before[16], after[16];

	if (!worst)
		return 0;
	fprintf(stderr, "probe: worse: %s went from %s to %s per call\n", worst->name,
		text_ns(worst->total.side[0].ns, before), text_ns(worst->total.side[1].ns, after));
	return EXIT_WORSE;
}

static int compare_loaded_calls(const char *const paths[2], const struct call_run runs[2],
				const struct diff_options *options, struct text_error *error_ret)
{
	struct call_diff diff;
	int error, status;

	if (!runs[0].stacks->profile->taken || !runs[1].stacks->profile->taken)
		return text_fail(error_ret, EXIT_FAILED, "compare %s with %s: one has no samples",
				 paths[0], paths[1]);
	error = call_diff_init(&diff, runs, options->is_sampling_only);
	if (error)
		return text_fail(error_ret, EXIT_FAILED, "compare: out of memory");
	error = call_diff_view_show(stdout, &diff, runs, paths, options->nr_rows, &options->output,
				    error_ret);
	status = error ? EXIT_FAILED : find_slower_function(&diff, options);
	if (!error && diff.is_sampling_only)
		diff_warn_of_short_runs(options);
	call_diff_deinit(&diff);
	return status;
}

int diff_compare_calls(const char *const paths[2], const struct diff_options *options)
{
	struct stack_run stacks[2] = { { .profile = NULL }, { .profile = NULL } };
	struct call_counts *counts[2] = { NULL, NULL };
	struct text_error error = { "", "" };
	int status = EXIT_FAILED, side;

	for (side = 0; side < 2 && !error.what[0]; side++)
		if (!stacks_load(&stacks[side], "compare", paths[side], &error))
			counts[side] = call_load_file(paths[side], "compare", &error);
	if (counts[0] && counts[1]) {
		const struct call_run runs[2] = { { counts[0], &stacks[0] }, { counts[1], &stacks[1] } };

		status = compare_loaded_calls(paths, runs, options, &error);
		for (side = 0; side < 2 && status != EXIT_FAILED; side++)
			warn_of_calls(&runs[side], paths[side]);
	}
	if (error.what[0])
		text_report(&error);
	for (side = 0; side < 2; side++) {
		call_counts_destroy(counts[side]);
		stacks_deinit(&stacks[side]);
	}
	return status;
}
