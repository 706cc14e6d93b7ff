// SPDX-License-Identifier: GPL-2.0-only
/* probe diff: compare two saved runs. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "calls/call_diff_view.h"
#include "command.h"
#include "diff_command.h"
#include "proc/proc_save.h"
#include "profile/profile_save.h"
#include "report/stack_diff_view.h"
#include "run/run_events.h"
#include "run/run_save.h"
#include "sys/diff_view.h"
#include "sys/sys_events.h"

#define DIFF(field)	offsetof(struct diff_options, field)

static const struct option_spec diff_specs[] = {
	{ "n", "ROWS", "show the ROWS largest differences (of stacks: of each table, default 20)", option_count, DIFF(nr_rows) },
	{ "sampling-only", NULL, "ignore the workload's own variation", option_flag,
	  DIFF(is_sampling_only) },
	{ "event", "EVENT", "of runs with several events, compare this one (default the first)", option_text,
	  DIFF(event) },
	{ "stacks", NULL, "compare shares of the stacks, although both runs have calls", option_flag,
	  DIFF(wants_stacks) },
	{ "fail-if-worse", "PCT", "exit 3 if a row grew significantly, by more than PCT points",
	  option_percent, DIFF(worse_points) },
	{ "before", NULL, "compare sets of runs: those that follow are of hosts before a change", option_flag,
	  DIFF(has_before) },
	{ "after", NULL, "those that follow are of hosts after the change", option_flag, DIFF(has_after) },
	{ "unpaired", NULL, "do not compare in pairs, although both sets have the same hosts", option_flag,
	  DIFF(declines_pairs) },
	{ NULL }
};

/** One of the two saved runs. */
struct run_file {
	const char *path;
	struct record whole;
	struct record record;	/* the part of it that is of the event, of several; belongs to @whole */
	struct receipt receipt;
	bool has_stacks;
	bool is_proc;
	u32 mode;		/* mode of a proc run: user or kernel */
	struct stat_time execution;	/* of a proc run; .scale 0: unknown */
};

static int open_run(struct run_file *file, const char *path, const char *event, struct text_error *error_ret)
{
	struct text_error why;
	size_t len = 0;
	int error;

	file->path = path;
	error = record_read(path, &file->whole, error_ret);
	if (error)
		return error;
	if (run_events_choose(&file->whole, event, &file->record, &why))
		return text_fail(error_ret, -EINVAL, "compare %s: %s", path, why.what);
	file->has_stacks = profile_is_kept(&file->record);
	file->is_proc = record_find(&file->record, "TASK", &len);
	if (!run_load_receipt(&file->record, &file->receipt))
		return 0;
	text_fail(error_ret, 0, "compare %s: it was saved without a receipt", path);
	text_hint(error_ret, "measure again: older versions of probe did not save how much a run "
		  "varied");
	return -EINVAL;
}

static int check_kinds(const struct run_file *a, const struct run_file *b,
		       struct text_error *error_ret)
{
	static const char *const bys[] = { "exe", "pid", "thread", "comm", "cgroup", "container", "vm" };

	/* Two of them are compared elsewhere. */
	if (a->has_stacks || b->has_stacks)
		return text_fail(error_ret, -EINVAL, "compare %s with %s: only one of them has stacks",
				 a->path, b->path);
	if (a->is_proc != b->is_proc)
		return text_fail(error_ret, -EINVAL, "compare %s with %s: one is a run of 'probe "
				 "%s', the other of 'probe %s'", a->path, b->path,
				 a->is_proc ? "proc" : "sys", b->is_proc ? "proc" : "sys");
	if (diff_check_events(a->path, &a->receipt, b->path, &b->receipt, error_ret))
		return -EINVAL;
	if (a->receipt.by != b->receipt.by)
		return text_fail(error_ret, -EINVAL,
				 "compare %s with %s: one has a row per %s, the other per %s",
				 a->path, b->path, bys[a->receipt.by % 7], bys[b->receipt.by % 7]);
	if (a->receipt.by != CPUPROBE_BY_PID && a->receipt.by != CPUPROBE_BY_THREAD)
		return 0;
	text_fail(error_ret, 0,
		  "compare %s with %s: pids of different runs do not match", a->path, b->path);
	text_hint(error_ret, "measure with -by exe, comm, cgroup, container or vm");
	return -EINVAL;
}

static int add_diff_functions(struct diff *diff, int side, struct run_file *file,
			      struct text_error *error_ret)
{
	struct proc_report *report = calloc(1, sizeof(*report));
	struct funcs *funcs = calloc(1, sizeof(*funcs));
	struct sym_index *symbols = NULL;
	int error = report && funcs ? 0 : -ENOMEM;
	u32 i;

	if (error)
		text_fail(error_ret, error, "out of memory");
	else
		error = proc_load(&file->record, report, &symbols, error_ret);
	if (!error && proc_load_funcs(&file->record, funcs))
		error = text_fail(error_ret, -EBADMSG, "its section 'FUNC' is missing");
	if (!error) {
		file->mode = report->mode;
		if (report->executions)
			file->execution = proc_report_time(report);
		diff->taken[side] = proc_report_taken(report);
		diff->excess[side] = report->result.account.excess;
		diff->nr_blocks[side] = funcs->nr_blocks;
		for (i = 0; !error && i < funcs->nr; i++) {
			const struct func *func = &funcs->func[i];
			double share = diff->taken[side] ?
				(double)func->hits / diff->taken[side] : 0;
			struct diff_side said = { share, func->hits, func->sum, func->sum2 };

			/* Functions without hits in either run are not compared. */
			if (func->hits)
				error = diff_add(diff, side, func->name, false, &said);
		}
		if (funcs->shared_hits * 100 > proc_report_hits(report))
			fprintf(stderr, "probe: warning: %s: %.0f%% of the hits are in slots that "
				"several functions share, and are counted for the largest\n"
				"hint: measure a narrower range (-low, -high): its slots are "
				"smaller\n", file->path,
				100.0 * funcs->shared_hits / proc_report_hits(report));
	}
	sym_index_destroy(symbols);
	free(report);
	free(funcs);
	return error;
}

/* Compares one execution of the range of two proc runs. */
static void compare_whole(struct diff *diff, const struct run_file files[2])
{
	int side;

	diff->event = files[0].receipt.event.event;
	diff->counts_events = receipt_has_event(&files[0].receipt);
	if (!(files[0].execution.scale > 0) || !(files[1].execution.scale > 0))
		return;
	for (side = 0; side < 2; side++)
		diff->whole.each[side] = files[side].execution.share * files[side].execution.scale;
	diff->whole.ratio = stat_ratio_of_times(&files[0].execution, &files[1].execution);
}

/* Rates of several events, which both runs have. */
static void compare_rates(struct diff *diff, const struct run_file files[2])
{
	struct rates rates[2];
	unsigned int i;
	bool are_equal = files[0].whole.bytes && files[1].whole.bytes &&
		sys_events_rates(&files[0].whole, &rates[0]) && sys_events_rates(&files[1].whole, &rates[1]) &&
		rates[0].nr_events == rates[1].nr_events;

	for (i = 0; are_equal && i < rates[0].nr_events; i++)
		are_equal = event_are_equal(&rates[0].event[i].event, &rates[1].event[i].event);
	if (are_equal)
		memcpy(diff->rates, rates, sizeof(rates));
}

static int render_diff(const struct diff *diff, const struct diff_options *options,
		       const char *const paths[2])
{
	const struct diff_row *worst = !isnan(options->worse_points) ?
		diff_worst(diff, options->worse_points) : NULL;

	if (diff_view_show(stdout, diff, paths, options->nr_rows, &options->output))
		return EXIT_FAILED;
	if (diff->is_sampling_only)
		diff_warn_of_short_runs(options);
	if (!worst)
		return 0;
	fprintf(stderr, "probe: worse: %s went from %.2f%% to %.2f%%\n", worst->name,
		worst->side[0].share * 100, worst->side[1].share * 100);
	return EXIT_WORSE;
}

static int compare_runs(const char *const paths[2], const struct diff_options *options)
{
	struct run_file files[2] = { { .path = NULL }, { .path = NULL } };
	struct diff diff = { .is_sampling_only = options->is_sampling_only };
	struct text_error error = { "", "" }, full;
	int failed = 0, side, status = EXIT_FAILED;

	for (side = 0; !failed && side < 2; side++)
		failed = open_run(&files[side], paths[side], options->event, &error);
	if (!failed)
		failed = check_kinds(&files[0], &files[1], &error);
	for (side = 0; !failed && side < 2; side++) {
		failed = files[side].is_proc ?
			add_diff_functions(&diff, side, &files[side], &error) :
			diff_add_table(&diff, side, &files[side].record, &error);
		if (failed) {
			text_fail(&full, 0, "compare %s: %s", paths[side], error.what);
			error = full;
		}
	}
	if (!failed && files[0].mode != files[1].mode)
		failed = text_fail(&error, -EINVAL, "compare %s with %s: one counts user mode, the "
				   "other kernel mode", paths[0], paths[1]);
	if (!failed && (!diff.taken[0] || !diff.taken[1]))
		failed = text_fail(&error, -ENODATA, "compare %s with %s: one has no samples",
				   paths[0], paths[1]);
	if (!failed && diff_finish(&diff))
		failed = text_fail(&error, -ENOMEM, "compare: out of memory");
	compare_whole(&diff, files);
	compare_rates(&diff, files);
	if (failed)
		text_report(&error);
	else
		status = render_diff(&diff, options, paths);
	if (!failed && !options->event)
		run_events_tell_others(&files[0].whole, "compared");
	diff_deinit(&diff);
	record_deinit(&files[0].whole);
	record_deinit(&files[1].whole);
	return status;
}

static void diff_init(void *self)
{
	struct diff_options *options = self;

	options->worse_points = NAN;
}

static int diff_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct diff_options *options = self;
	bool has_sets = options->has_before || options->has_after;

	if (has_sets && options->event)
		return text_fail(error_ret, -EINVAL, "-event cannot be combined with -%s",
				 options->has_before ? "before" : "after");
	if (has_sets && options->is_sampling_only)
		return text_fail(error_ret, -EINVAL, "-sampling-only cannot be combined with -%s",
				 options->has_before ? "before" : "after");
	if (options->has_before != options->has_after)
		return text_fail(error_ret, -EINVAL, "-%s needs runs after -%s too",
				 options->has_before ? "before" : "after", options->has_before ? "after" : "before");
	if (options->declines_pairs && !has_sets)
		return text_fail(error_ret, -EINVAL, "-unpaired needs -before and -after");
	if (!has_sets && rest->nr_args > 2) {
		text_fail(error_ret, 0, "unexpected argument '%s'", rest->args[2]);
		text_hint(error_ret, "-before A... -after B... compare sets of runs");
		return -EINVAL;
	}
	/* The kind of the runs decides which of the tables it is. */
	return columns_check(&call_diff_column_list, options->output.columns, NULL) &&
		columns_check(&stack_diff_column_list, options->output.columns, NULL) &&
		columns_check(&diff_column_list, options->output.columns, error_ret) ? -EINVAL : 0;
}

static int diff_run(void *self, const struct options_rest *rest)
{
	static const struct column_list *const lists[] = {
		[DIFF_TABLES] = &diff_column_list, [DIFF_STACKS] = &stack_diff_column_list,
		[DIFF_CALLS] = &call_diff_column_list,
	};
	const struct diff_options *options = self;
	enum diff_contents contents;
	struct text_error error;

	if (options->has_before)
		return diff_compare_hosts(rest, command_diff.options, options);
	contents = diff_common_contents(rest->args);
	if (contents == DIFF_CALLS && options->wants_stacks)
		contents = DIFF_STACKS;
	if (contents == DIFF_CALLS && options->event) {
		text_fail(&error, 0, "-event does not apply to runs of calls");
		return command_misused(&command_diff, &error);
	}
	if (columns_check(lists[contents], options->output.columns, &error))
		return command_misused(&command_diff, &error);
	return contents == DIFF_CALLS ? diff_compare_calls(rest->args, options) :
		contents == DIFF_STACKS ? diff_compare_stacks(rest->args, options) :
		compare_runs(rest->args, options);
}

static const struct option_list diff_options[] = {
	{ diff_specs, 0 },
	{ columns_specs, DIFF(output) },
	{ form_specs, DIFF(output) },
	{ NULL }
};

static const struct column_list *const diff_columns[] = {
	&diff_column_list, &stack_diff_column_list, &call_diff_column_list, NULL
};

const struct command command_diff = {
	.name = "diff",
	.arguments = "A B",
	.help = "compare two saved runs, or sets of them; each difference has an interval",
	.options = diff_options,
	.columns = diff_columns,
	.self_len = sizeof(struct diff_options),
	.min_args = 2,
	.max_args = OPTIONS_ANY_ARGS,
	.args_hint = "'probe sys', 'proc', 'flat' and others save runs with -save",
	.init = diff_init,
	.check = diff_check,
	.run = diff_run,
};
