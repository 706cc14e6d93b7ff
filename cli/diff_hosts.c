// SPDX-License-Identifier: GPL-2.0-only
/* The part of `probe diff` about sets of hosts: see diff_command.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "diff_command.h"
#include "profile/inlined.h"
#include "profile/profile_save.h"
#include "report/stack_diff.h"
#include "report/stack_diff_view.h"
#include "run/run_merge.h"
#include "stacks/stacks_fetch.h"
#include "sys/diff_view.h"
#include "sys/host_diff.h"
#include "trace/trace_save.h"

static const char *const names_of_sets[2] = { "before", "after" };

/** Two sets of runs being compared. */
struct host_sets {
	const char **paths;
	int *side;		/* of each path */
	size_t nr;
	struct run_merge runs;	/* all of them: no sample may be in two */
	struct host_diff diff;
	u32 *host;		/* of each run, in its set */
	bool has_stacks;
	size_t nr_inlined;	/* runs that show inlined functions */
	bool is_whole;		/* inlined functions are part of those that contain them */
};

static int read_arguments(struct host_sets *sets, const struct options_rest *rest,
			  const struct option_list *lists, struct text_error *error_ret)
{
	static const char *const groups[] = { "before", "after", NULL };
	struct options_arg *args = options_args(rest, lists, groups);
	int i, error = 0;

	sets->paths = calloc(rest->nr_args + 1, sizeof(*sets->paths));
	sets->side = calloc(rest->nr_args + 1, sizeof(*sets->side));
	sets->host = calloc(rest->nr_args + 1, sizeof(*sets->host));
	if (!args || !sets->paths || !sets->side || !sets->host)
		error = text_fail(error_ret, -ENOMEM, "compare: out of memory");
	for (i = 0; !error && i < rest->nr_args; i++) {
		if (!args[i].group)
			error = text_fail(error_ret, -EINVAL, "compare %s: it is before -before and -after",
					  args[i].text);
		sets->paths[i] = args[i].text;
		sets->side[i] = args[i].group == groups[1];
		sets->nr++;
	}
	free(args);
	return error;
}

static int check_run(const struct host_sets *sets, const struct merge_part *part, struct text_error *error_ret)
{
	bool has_stacks = profile_is_kept(&part->record);
	u32 by = part->receipt.by;
	size_t len;

	if (trace_is_kept(&part->record) || record_find(&part->record, "TASK", &len))
		return text_fail(error_ret, -EINVAL, "compare %s: sets of runs are of 'probe sys', or have stacks",
				 part->path);
	if (has_stacks != sets->has_stacks)
		return text_fail(error_ret, -EINVAL, "compare %s with %s: only one of them has stacks",
				 sets->paths[0], part->path);
	if (has_stacks || (by != CPUPROBE_BY_PID && by != CPUPROBE_BY_THREAD))
		return 0;
	text_fail(error_ret, 0, "compare %s: pids of different runs do not match", part->path);
	text_hint(error_ret, "measure with -by exe, comm, cgroup, container or vm");
	return -EINVAL;
}

static int find_hosts(struct host_sets *sets, struct text_error *error_ret)
{
	size_t i;
	int error, side;

	for (i = 0; i < sets->nr; i++) {
		error = check_run(sets, &sets->runs.part[i], error_ret);
		if (error)
			return error;
		sets->host[i] = host_diff_add_host(&sets->diff, sets->side[i], sets->runs.part[i].name);
		if (sets->host[i] == INTERN_NONE)
			return text_fail(error_ret, -ENOMEM, "compare: out of memory");
	}
	for (side = 0; side < 2; side++)
		if (sets->diff.nr_hosts[side] < 2) {
			text_fail(error_ret, 0, "compare: -%s has runs of %u host%s: how much hosts differ takes two or "
				  "more", names_of_sets[side], sets->diff.nr_hosts[side],
				  sets->diff.nr_hosts[side] == 1 ? "" : "s");
			text_hint(error_ret, "'probe diff A B' compares two runs");
			return -EINVAL;
		}
	return 0;
}

static int load_table_rows(struct diff *rows, const struct merge_part *part, struct text_error *error_ret)
{
	struct text_error why = { "", "" };
	int error = diff_add_table(rows, 0, &part->record, &why);

	return error ? text_fail(error_ret, error, "compare %s: %s", part->path, why.what) : 0;
}

static int load_stack_rows(struct host_sets *sets, struct diff *rows, struct stack_run *run,
			   const struct merge_part *part, struct text_error *error_ret)
{
	int error = stacks_load_record(run, "compare", part->path, &part->record, error_ret);

	if (error)
		return error;
	sets->nr_inlined += inlined_is_there(run->profile);
	if (sets->is_whole && stacks_drop_inlined(run, error_ret))
		return -ENOMEM;
	rows->taken[0] = run->profile->taken;
	rows->excess[0] = run->profile->excess;
	return stack_diff_add(rows, 0, run) ? text_fail(error_ret, -ENOMEM, "compare: out of memory") : 0;
}

static int add_run(struct host_sets *sets, size_t at, struct text_error *error_ret)
{
	const struct merge_part *part = &sets->runs.part[at];
	struct stack_run run = { .profile = NULL };
	struct diff rows = { .is_sampling_only = true };
	double weight = part->receipt.sampled_ns;
	int error = sets->has_stacks ? load_stack_rows(sets, &rows, &run, part, error_ret) :
		load_table_rows(&rows, part, error_ret);

	if (!error && (!rows.taken[0] || !(weight > 0)))
		error = text_fail(error_ret, -ENODATA, "compare %s: it has no samples", part->path);
	if (!error && host_diff_add(&sets->diff, sets->side[at], sets->host[at], &rows, weight))
		error = text_fail(error_ret, -ENOMEM, "compare: out of memory");
	diff_deinit(&rows);
	stacks_deinit(&run);
	return error;
}

/* Adds all runs. -EAGAIN: only some have inlined functions, so that these must be dropped. */
static int add_runs(struct host_sets *sets, struct text_error *error_ret)
{
	size_t i;
	int error = find_hosts(sets, error_ret);

	sets->nr_inlined = 0;
	for (i = 0; !error && i < sets->nr; i++)
		error = add_run(sets, i, error_ret);
	return error ?: !sets->is_whole && sets->nr_inlined && sets->nr_inlined < sets->nr ? -EAGAIN : 0;
}

static int compare_sets(struct host_sets *sets, const struct diff_options *options, struct text_error *error_ret)
{
	int error = add_runs(sets, error_ret);

	if (error == -EAGAIN) {
		fprintf(stderr, "probe: warning: only some runs have inlined functions: they are compared as part of "
			"those that contain them\nhint: measure all runs with -inline, or with -no-inline\n");
		host_diff_deinit(&sets->diff);
		sets->is_whole = true;
		error = add_runs(sets, error_ret);
	}
	if (error)
		return error;
	sets->diff.diff.has_significant_first = sets->has_stacks;
	sets->diff.diff.least_hits = sets->has_stacks ? STACK_DIFF_LEAST_HITS : 0;
	return host_diff_finish(&sets->diff, options->declines_pairs) ?
		text_fail(error_ret, -ENOMEM, "compare: out of memory") : 0;
}

static int show_sets(const struct host_sets *sets, const struct diff_options *options)
{
	static const u64 no_executions[2];
	const struct diff *diff = &sets->diff.diff;
	const struct diff_row *worst = isnan(options->worse_points) ? NULL :
		diff_worst(diff, options->worse_points);

	if (sets->has_stacks ?
	    stack_diff_view_show(stdout, diff, names_of_sets, no_executions, options->nr_rows, &options->output) :
	    diff_view_show(stdout, diff, names_of_sets, options->nr_rows, &options->output))
		return EXIT_FAILED;
	if (!worst)
		return 0;
	fprintf(stderr, "probe: worse: %s went from %.2f%% to %.2f%%\n", worst->name, worst->side[0].share * 100,
		worst->side[1].share * 100);
	return EXIT_WORSE;
}

int diff_compare_hosts(const struct options_rest *rest, const struct option_list *lists,
		       const struct diff_options *options)
{
	struct host_sets sets = { .paths = NULL };
	struct text_error error = { "", "" };
	int failed = read_arguments(&sets, rest, lists, &error) ?:
		run_merge_open(&sets.runs, "compare", sets.paths, sets.nr, &error);
	int status = EXIT_FAILED;

	if (!failed) {
		sets.has_stacks = profile_is_kept(&sets.runs.part[0].record);
		failed = columns_check(sets.has_stacks ? &stack_diff_column_list : &diff_column_list,
				       options->output.columns, &error) ?: compare_sets(&sets, options, &error);
	}
	if (failed)
		text_report(&error);
	else
		status = show_sets(&sets, options);
	host_diff_deinit(&sets.diff);
	run_merge_close(&sets.runs);
	free(sets.paths);
	free(sets.side);
	free(sets.host);
	return status;
}
