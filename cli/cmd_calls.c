// SPDX-License-Identifier: GPL-2.0-only
/* probe calls: every call of chosen kernel functions, and the time of a call. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "calls/call_save.h"
#include "calls/call_session.h"
#include "calls/call_view.h"
#include "command.h"
#include "profile/profile_save.h"
#include "run/run_save.h"
#include "stacks/measurement.h"
#include "stacks/stacks_fetch.h"
#include "times/time_export.h"
#include "times/time_merge.h"
#include "times/time_read.h"
#include "times/time_save.h"
#include "times/time_view.h"

#define NAMED_MAX	3		/* functions named that cannot be hooked */
#define MANY_FUNCTIONS	10000		/* so many only for a limited time */

/** State of one run of the command. */
struct calls_command {
	struct stacks_options stacks;
	struct call_options calls;
	struct call_view view;
	bool each, paths, syscalls, processes, hist, functions;
	struct export_options exports;
	struct export files;
	struct call_session session;
	struct measurement measurement;
};

#define CALLS(field)	offsetof(struct calls_command, field)

static const struct option_spec calls_specs[] = {
	{ "fn", "GLOBS", "functions: names with * and ?, separated by commas; !NAME leaves out, "
	  "MODULE:NAME", option_text, CALLS(calls.globs) },
	{ "each", NULL, "time every call, from begin to end", option_flag, CALLS(each) },
	{ "paths", NULL, "time every call, by the path of calls that led to it", option_flag,
	  CALLS(paths) },
	{ "syscalls", NULL, "time every system call; without -fn", option_flag, CALLS(syscalls) },
	{ "processes", NULL, "tell processes apart; with -each, -paths or -syscalls", option_flag,
	  CALLS(processes) },
	{ "task", "TASK", "only calls by this process or executable: a pid, a path or a name",
	  option_text, CALLS(stacks.task) },
	{ "cgroup", "PATH", "only calls by this control group and the groups below it",
	  option_text, CALLS(stacks.cgroup) },
	{ "budget", "PCT", "end counting when it takes more of a CPU (default: half of what is left)",
	  option_percent, CALLS(calls.budget_pct) },
	{ "disturb", NULL, "hook functions although this interrupts isolated CPUs", option_flag,
	  CALLS(calls.may_disturb) },
	{ "memory", "KIB", "memory for counts per CPU, 4 to 65536 (default 1024)", option_range,
	  CALLS(calls.table_kib), .min = CPUPROBE_CALLS_KIB_MIN, .max = CPUPROBE_CALLS_KIB_MAX },
	{ "save", "FILE", "save the run in FILE", option_text, CALLS(stacks.sampling.save) },
	{ NULL }
};

static const struct option_spec times_specs[] = {
	{ "hist", NULL, "a histogram of the times of each function's calls, if they are timed",
	  option_flag, CALLS(hist) },
	{ "functions", NULL, "with -paths: a row for each function, not for each path", option_flag,
	  CALLS(functions) },
	{ NULL }
};

static void calls_init(void *self)
{
	struct calls_command *calls = self;

	stacks_options_init(&calls->stacks);
	calls->session.device.fd = -1;
}

/* Options that only timed calls have, or cannot have. */
static int check_timing(const struct calls_command *calls, struct text_error *error_ret)
{
	bool is_timed = calls->each || calls->paths || calls->syscalls;

	if (calls->each + calls->paths + calls->syscalls > 1)
		return text_fail(error_ret, -EINVAL, "only one of -each, -paths and -syscalls can be given");
	if (calls->syscalls && calls->calls.globs)
		return text_fail(error_ret, -EINVAL, "-syscalls cannot be combined with -fn");
	if (is_timed && (calls->view.by_arc || calls->view.never))
		return text_fail(error_ret, -EINVAL, "calls that are timed cannot be shown with -%s",
				 calls->view.by_arc ? "arcs" : "never");
	if (calls->functions && !calls->paths)
		return text_fail(error_ret, -EINVAL, "-functions needs -paths");
	if (is_timed || (!calls->processes && !calls->hist && !export_is_asked(&calls->exports)))
		return 0;
	text_fail(error_ret, 0, "-%s needs timed calls", calls->processes ? "processes" :
		  calls->hist ? "hist" : calls->exports.path[EXPORT_FOLDED] ? "folded" : "speedscope");
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
	if (!calls->calls.globs && !calls->syscalls) {
		text_fail(error_ret, 0, "-fn is missing: which functions?");
		text_hint(error_ret, "-fn 'vfs_*' counts the calls of all functions named so");
		return -EINVAL;
	}
	return export_check(&calls->exports, calls->stacks.sampling.save, false, error_ret) ?:
		sampling_check(&calls->stacks.sampling, error_ret);
}

static int calls_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct calls_command *calls = self;
	const char *measures = options_first(rest, sampling_specs) ?:
		options_first(rest, calls_specs);
	const struct column_list *list = flags_of(calls) ? &time_column_list : &call_column_list;
	int error = call_view_check(&calls->view, error_ret);

	/* The columns of a saved run depend on what it contains. */
	if (!error && !rest->nr_args)
		error = check_timing(calls, error_ret) ?:
			columns_check(list, calls->view.output.columns, error_ret);
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

/* Says which functions cannot be hooked. */
static void tell_unhookable(const struct call_session *session)
{
	char names[300] = "";
	size_t used = 0;
	u32 i, nr = 0;

	for (i = 0; i < session->functions.nr; i++) {
		if (!session->asked[i].state)
			continue;
		if (nr++ < NAMED_MAX && used < sizeof(names))
			used += snprintf(names + used, sizeof(names) - used, "%s%s",
					 nr > 1 ? ", " : "", session->functions.list[i].name);
	}
	if (nr)
		fprintf(stderr, "probe: %u of %u functions cannot be hooked (notrace, or freed after "
			"boot): %s%s\n", nr, session->functions.nr, names,
			nr > NAMED_MAX ? ", ..." : "");
}

/* Called by the measurement just before sampling begins. */
static int begin_counting(void *context, struct text_error *error_ret)
{
	struct calls_command *calls = context;
	const struct measurement *measurement = &calls->measurement;
	int error = call_session_begin(&calls->session, measurement->task.exe_fd,
				       measurement->task.pid, measurement->cgroup_fd, error_ret);

	if (!error)
		tell_unhookable(&calls->session);
	return error;
}

/* Called just before sampling ends. */
static void end_counting(void *context)
{
	struct calls_command *calls = context;

	call_session_stop(&calls->session);
}

static bool is_over_budget(void *context)
{
	struct calls_command *calls = context;

	return call_session_is_over(&calls->session);
}

static int show_calls(struct calls_command *calls, const struct call_counts *counts,
		      const struct profile *profile, const struct receipt *receipt,
		      const struct run_result *result)
{
	const struct call_report report = { counts, profile, receipt, result->elapsed_seconds };
	struct text_error error;
	int status = call_view_show(stdout, &report, &calls->view, &error);

	if (status)
		text_report(&error);
	return status;
}

/* Saves the run with its counts, or with its times, if -save was given. */
static int save_run(const struct calls_command *calls, const struct call_counts *counts,
		    const struct time_counts *times, struct record_writer *writer)
{
	struct text_error error;

	if (!writer->out.file)
		return 0;
	measurement_save(&calls->measurement, NULL, writer);
	if (times)
		time_save(writer, times);
	else
		call_save(writer, counts);
	if (!record_commit(writer, &error))
		return 0;
	text_report(&error);
	return -EIO;
}

/* Shows and exports; @counts: sums of functions afterwards, if they are asked for. */
static int show_times(struct calls_command *calls, struct time_counts *counts)
{
	const struct time_view view = {
		.sort = calls->view.sort, .nr_rows = calls->view.nr_rows, .has_hist = calls->hist,
		.output = &calls->view.output,
	};
	struct text_error error;
	int status = 0;

	if (calls->functions && !(counts->totals.flags & CPUPROBE_CALLS_PATHS))
		status = text_fail(&error, -EINVAL, "its calls were not timed by path");
	else if (calls->functions && time_merge(counts))
		status = text_fail(&error, -ENOMEM, "out of memory");
	if (!status)
		status = time_view_show(stdout, counts, &view, &error) ?:
			time_export(&calls->files, counts, &error);
	if (status)
		text_report(&error);
	return status;
}

/* As finish_calls(), with timed calls. */
static int finish_times(struct calls_command *calls, struct record_writer *writer)
{
	struct text_error error;
	struct time_counts *counts = time_read(&calls->session, &error);
	int result;

	if (!counts) {
		text_report(&error);
		return -EIO;
	}
	result = save_run(calls, NULL, counts, writer) ?: show_times(calls, counts);
	if (!result)
		time_view_warn(counts);
	time_counts_destroy(counts);
	return result;
}

/* Saves and shows what was measured. */
static int finish_calls(struct calls_command *calls, struct record_writer *writer)
{
	const struct measurement *measurement = &calls->measurement;
	struct text_error error;
	struct call_counts *counts = call_session_read(&calls->session, &error);
	int result;

	if (!counts) {
		text_report(&error);
		return -EIO;
	}
	result = save_run(calls, counts, NULL, writer) ?:
		show_calls(calls, counts, measurement->profile, &measurement->run.receipt,
			   &measurement->run.result);
	if (!result)
		call_view_warn(counts);
	call_counts_destroy(counts);
	return result;
}

static int measure_calls(struct calls_command *calls)
{
	const char *save = calls->stacks.sampling.save;
	struct record_writer writer = { .out.file = NULL };
	struct text_error error;
	int result = save ? record_create(&writer, save, &error) : 0;

	if (!result)
		result = export_open(&calls->files, &calls->exports, NULL, &error);
	if (!result)
		result = measurement_run(&calls->measurement, &error);
	if (result && result != -EBADMSG)
		text_report(&error);
	else if (calls->calls.flags)
		result = finish_times(calls, &writer) ?: result;
	else
		result = finish_calls(calls, &writer) ?: result;
	record_abandon(&writer);
	return result;
}

static int refuse_unlimited(const struct calls_command *calls, bool has_command,
			    struct text_error *error_ret)
{
	u32 nr = calls->session.functions.nr;

	if (nr < MANY_FUNCTIONS || !has_command || calls->stacks.sampling.seconds)
		return 0;
	text_fail(error_ret, 0, "count calls: %u functions for as long as the COMMAND runs", nr);
	text_hint(error_ret, "limit the time with -sec");
	return -EINVAL;
}

static int run_calls(struct calls_command *calls, char **command)
{
	struct measurement *measurement = &calls->measurement;
	struct text_error error;
	int result;

	calls->calls.flags = flags_of(calls);
	result = call_session_choose(&calls->session, &calls->calls, "/proc/kallsyms", &error) ?:
		refuse_unlimited(calls, command, &error) ?:
		measurement_init(measurement, &calls->stacks, command, &error);

	if (result) {
		text_report(&error);
		return command ? 125 : EXIT_FAILED;
	}
	if (!calls->syscalls)
		fprintf(stderr, "probe: %u function%s\n", calls->session.functions.nr,
			calls->session.functions.nr == 1 ? " matches" : "s match");
	measurement->begins = begin_counting;
	measurement->ends = end_counting;
	measurement->is_over = is_over_budget;
	measurement->context = calls;
	result = measure_calls(calls);
	result = run_exit_status(&measurement->run, result);
	measurement_deinit(measurement);
	return result;
}

/* A saved run is shown as what it contains. */
static int show_record(struct calls_command *calls, const struct record *record,
		       const struct stack_run *stacks, struct text_error *error_ret)
{
	const struct receipt *receipt = stacks->has_receipt ? &stacks->receipt : NULL;
	struct call_counts *counts = NULL;
	struct time_counts *times = NULL;
	int result = -1;

	if (time_is_kept(record))
		times = time_load(record, error_ret);
	else if (export_is_asked(&calls->exports) || calls->functions)
		text_fail(error_ret, 0, "its calls were not timed");
	else if (call_is_kept(record))
		counts = call_load(record, error_ret);
	else
		text_fail(error_ret, 0, "it is a run without calls");
	if (times)
		result = show_times(calls, times);
	else if (counts)
		result = show_calls(calls, counts, stacks->profile, receipt, &stacks->result);
	else
		text_report(error_ret);
	time_counts_destroy(times);
	call_counts_destroy(counts);
	return result;
}

static int show_saved(struct calls_command *calls, const char *path)
{
	struct text_error error;
	struct stack_run stacks;
	struct record record;
	int result;

	if (export_open(&calls->files, &calls->exports, path, &error) ||
	    record_read(path, &record, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	result = stacks_load(&stacks, "calls", path, &error);
	if (result) {
		text_report(&error);
	} else {
		result = show_record(calls, &record, &stacks, &error);
		stacks_deinit(&stacks);
	}
	record_deinit(&record);
	return result ? EXIT_FAILED : 0;
}

static int calls_run(void *self, const struct options_rest *rest)
{
	struct calls_command *calls = self;

	return rest->nr_args ? show_saved(calls, rest->args[0]) : run_calls(calls, rest->command);
}

static void calls_deinit(void *self)
{
	struct calls_command *calls = self;

	export_abandon(&calls->files);
	call_session_deinit(&calls->session);
	stacks_options_deinit(&calls->stacks);
}

static const struct option_list calls_options[] = {
	{ calls_specs, 0 },
	{ sampling_specs, CALLS(stacks.sampling) },
	{ call_view_specs, CALLS(view) },
	{ times_specs, 0 },
	{ export_path_specs, CALLS(exports) },
	{ columns_specs, CALLS(view.output) },
	{ form_specs, CALLS(view.output) },
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
	.run = calls_run,
	.deinit = calls_deinit,
};
