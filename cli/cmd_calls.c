// SPDX-License-Identifier: GPL-2.0-only
/* probe calls: every call of chosen kernel functions, and the time of a call. */
#include <errno.h>

#include "background_command.h"
#include "base/option_values.h"
#include "calls_report.h"
#include "calls_run.h"
#include "profile/profile_save.h"
#include "stacks/stacks_fetch.h"
#include "times/time_view.h"

/** State of one run of the command. */
struct calls_command {
	struct calls_run run;
	struct calls_report report;
	bool each, paths, syscalls, processes;
	const char *background;		/* name of the run; NULL: measure here */
	struct export files;
};

#define CALLS(field)	offsetof(struct calls_command, field)

static const struct option_spec calls_specs[] = {
	{ "fn", "GLOBS", "functions: names with * and ?, separated by commas; !NAME leaves out, "
	  "MODULE:NAME", option_text, CALLS(run.options.globs) },
	{ "each", NULL, "time every call, from begin to end", option_flag, CALLS(each) },
	{ "paths", NULL, "time every call, by the path of calls that led to it", option_flag,
	  CALLS(paths) },
	{ "syscalls", NULL, "time every system call; without -fn", option_flag, CALLS(syscalls) },
	{ "processes", NULL, "tell processes apart; with -each, -paths or -syscalls", option_flag,
	  CALLS(processes) },
	{ "task", "TASK", "only calls by this process or executable: a pid, a path or a name",
	  option_text, CALLS(run.stacks.task) },
	{ "cgroup", "PATH", "only calls by this control group and the groups below it",
	  option_text, CALLS(run.stacks.cgroup) },
	{ "budget", "PCT", "end counting when it takes more of a CPU (default: half of what is left)",
	  option_budget, CALLS(run.options.budget_pct) },
	{ "disturb", NULL, "hook functions although this interrupts isolated CPUs", option_flag,
	  CALLS(run.options.may_disturb) },
	{ "memory", "KIB", "memory for counts per CPU, 4 to 65536 (default 1024)", option_range,
	  CALLS(run.options.table_kib), .min = CPUPROBE_CALLS_KIB_MIN, .max = CPUPROBE_CALLS_KIB_MAX },
	{ "save", "FILE", "save the run in FILE", option_file, CALLS(run.stacks.sampling.save) },
	{ NULL }
};

static void calls_init(void *self)
{
	struct calls_command *calls = self;

	calls_run_init(&calls->run);
}

/* Options that only timed calls have, or cannot have. */
static int check_timing(const struct calls_command *calls, struct text_error *error_ret)
{
	const char *timed = calls->syscalls ? "syscalls" : calls->paths ? "paths" : calls->each ? "each" : NULL;
	const char *other = calls->each ? "each" : "paths";
	bool exports_any = export_is_asked(&calls->report.exports);
	const char *folded = calls->report.exports.path[EXPORT_FOLDED];

	if (calls->each + calls->paths + calls->syscalls > 1)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -%s", other, timed);
	if (calls->syscalls && calls->run.options.globs)
		return text_fail(error_ret, -EINVAL, "-syscalls cannot be combined with -fn");
	if (timed && (calls->report.view.by_arc || calls->report.view.never))
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -%s", timed,
				 calls->report.view.by_arc ? "arcs" : "never");
	if (calls->report.functions && !calls->paths)
		return text_fail(error_ret, -EINVAL, "-functions needs -paths");
	if (timed || (!calls->processes && !calls->report.hist && !exports_any))
		return 0;
	text_fail(error_ret, 0, "-%s needs timed calls", calls->processes ? "processes" :
		  calls->report.hist ? "hist" : folded ? "folded" : "speedscope");
	text_hint(error_ret, "add -each, -paths or -syscalls");
	return -EINVAL;
}

static u32 flags_of(const struct calls_command *calls)
{
	u32 flags = calls->each || calls->paths || calls->syscalls ? CPUPROBE_CALLS_EACH : 0;

	flags |= calls->paths ? CPUPROBE_CALLS_PATHS : 0;
	flags |= calls->syscalls ? CPUPROBE_CALLS_SYSCALLS : 0;
	return flags | (calls->processes ? CPUPROBE_CALLS_PROCESSES : 0);
}

static int check_measuring(const struct calls_command *calls, struct text_error *error_ret)
{
	if (!calls->run.options.globs && !calls->syscalls) {
		text_fail(error_ret, 0, "-fn is missing: which functions?");
		text_hint(error_ret, "-fn 'vfs_*' counts the calls of all functions named so");
		return -EINVAL;
	}
	return export_check(&calls->report.exports, calls->run.stacks.sampling.save, false, error_ret) ?:
		unwind_check(&calls->run.stacks.unwind, error_ret) ?:
		sampling_check(&calls->run.stacks.sampling, error_ret);
}

static int calls_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	static const struct option_spec *const reports[] = {
		call_view_specs, calls_report_specs, export_path_specs, columns_specs, form_specs, NULL
	};
	const struct calls_command *calls = self;
	const char *measures = options_first(rest, sec_background_specs) ?:
		options_first(rest, sampling_specs) ?:
		options_first(rest, calls_specs) ?: options_first(rest, background_specs) ?:
		options_first(rest, unwind_specs);
	const struct column_list *list = flags_of(calls) ? &time_column_list : &call_column_list;
	int error = call_view_check(&calls->report.view, error_ret) ?:
		background_check_start(calls->background, rest, reports, error_ret);

	/* The columns of a saved run depend on what it contains. */
	if (!error && !rest->nr_args)
		error = check_timing(calls, error_ret) ?:
			columns_check(list, calls->report.view.output.columns, error_ret);
	if (error)
		return error;
	if (!rest->nr_args)
		return check_measuring(calls, error_ret);
	if (rest->command)
		return text_fail(error_ret, -EINVAL, "a FILE cannot be combined with a COMMAND");
	if (measures)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with a saved run (%s)",
				 measures, rest->args[0]);
	return 0;
}

/* Saves the run with its counts, or with its times, if -save was given. */
static int save_run(const struct calls_command *calls, const struct call_counts *counts,
		    const struct time_counts *times, struct record_writer *writer)
{
	struct text_error error;

	if (!writer->out.file)
		return 0;
	measurement_save(&calls->run.measurement, NULL, writer);
	calls_run_add(writer, counts, times);
	if (!record_commit(writer, &error))
		return 0;
	text_report(&error);
	return -EIO;
}

static int show_counts(const struct calls_command *calls, const struct call_counts *counts,
		       struct text_error *error_ret)
{
	const struct measurement *measurement = &calls->run.measurement;
	const struct call_report report = {
		counts, measurement->profile, &measurement->run.receipt,
		measurement->run.result.elapsed_seconds,
	};
	int error = call_view_show(stdout, &report, &calls->report.view, error_ret);

	if (!error)
		call_view_warn(counts);
	return error;
}

/* Saves and shows what was measured. */
static int finish(struct calls_command *calls, struct record_writer *writer)
{
	struct text_error error;
	struct call_counts *counts;
	struct time_counts *times;
	int result = calls_run_read(&calls->run, &counts, &times, &error);

	if (result) {
		text_report(&error);
		return -EIO;
	}
	result = save_run(calls, counts, times, writer);
	if (!result) {
		result = times ? calls_report_times(&calls->report, times, &calls->files, &error) :
			show_counts(calls, counts, &error);
		if (result)
			text_report(&error);
		else
			calls_run_warn(&calls->run);
	}
	call_counts_destroy(counts);
	time_counts_destroy(times);
	return result;
}

static int measure_calls(struct calls_command *calls)
{
	const char *save = calls->run.stacks.sampling.save;
	struct record_writer writer = { .out.file = NULL };
	struct text_error error;
	int result = save ? record_create(&writer, save, &error) : 0;

	if (!result)
		result = export_open(&calls->files, &calls->report.exports, NULL, &error);
	if (!result)
		result = measurement_run(&calls->run.measurement, &error);
	if (result && result != -EBADMSG)
		text_report(&error);
	else
		result = finish(calls, &writer) ?: result;
	record_abandon(&writer);
	return result;
}

static int run_here(struct calls_command *calls, char **command)
{
	struct run *run = &calls->run.measurement.run;
	struct text_error error;
	int result = calls_run_prepare(&calls->run, command, &error);

	if (result) {
		text_report(&error);
		return command ? 125 : EXIT_FAILED;
	}
	result = run_exit_status(run, measure_calls(calls));
	measurement_deinit(&calls->run.measurement);
	return result;
}

static int show_saved(struct calls_command *calls, const char *path)
{
	struct text_error error, why = { "", "" };
	struct stack_run stacks;
	struct record record;
	int result;

	if (export_open(&calls->files, &calls->report.exports, path, &error) ||
	    record_read(path, &record, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	result = stacks_load(&stacks, "calls", path, &error);
	if (!result) {
		result = calls_report_record(&calls->report, &record, &stacks, &calls->files, &why);
		if (result == OPTIONS_UNFIT)
			error = why;
		else if (result)
			text_fail(&error, result, "calls %s: %s", path, why.what);
		stacks_deinit(&stacks);
	}
	record_deinit(&record);
	return result ? command_failed(&command_calls, result, &error) : 0;
}

static int calls_command_run(void *self, const struct options_rest *rest)
{
	struct calls_command *calls = self;

	calls->run.options.flags = flags_of(calls);
	calls->report.warns = !rest->nr_args;
	if (calls->background)
		return background_start(calls->background, &calls_run_kind, &calls->run,
					&calls->run.stacks.sampling);
	return rest->nr_args ? show_saved(calls, rest->args[0]) : run_here(calls, rest->command);
}

static void calls_deinit(void *self)
{
	struct calls_command *calls = self;

	export_abandon(&calls->files);
	calls_run_deinit(&calls->run);
}

static const struct option_list calls_options[] = {
	{ calls_specs, 0 },
	{ background_specs, CALLS(background) },
	{ sec_background_specs, CALLS(run.stacks.sampling) },
	{ sampling_specs, CALLS(run.stacks.sampling) },
	{ unwind_specs, CALLS(run.stacks.unwind) },
	{ call_view_specs, CALLS(report.view) },
	{ calls_report_specs, CALLS(report) },
	{ export_path_specs, CALLS(report.exports) },
	{ columns_specs, CALLS(report.view.output) },
	{ form_specs, CALLS(report.view.output) },
	{ NULL }
};

static const struct column_list *const calls_columns[] = {
	&call_column_list, &time_column_list, NULL
};

const struct command command_calls = {
	.name = "calls",
	.arguments = "[FILE | -- COMMAND...]",
	.help = "every call of chosen kernel functions, and the time of a call",
	.options = calls_options,
	.columns = calls_columns,
	.self_len = sizeof(struct calls_command),
	.max_args = 1,
	.takes_command = true,
	.init = calls_init,
	.check = calls_check,
	.run = calls_command_run,
	.deinit = calls_deinit,
};
