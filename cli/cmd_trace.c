// SPDX-License-Identifier: GPL-2.0-only
/* probe trace: follow every call of chosen kernel functions. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/option_values.h"
#include "command.h"
#include "run/run_save.h"
#include "trace/trace_save.h"
#include "trace_report.h"
#include "trace_run.h"

/** State of one run of the command. */
struct trace_command {
	struct trace_run run;
	struct trace_report report;
	const char *save;		/* file to save the trace in; NULL: none */
};

#define TRACE(field)	offsetof(struct trace_command, field)

static int parse_user(const struct option_spec *spec, const char *text, void *at,
		      struct text_error *error_ret)
{
	struct user_choices *choices = at;
	const char *colon = strchr(text, ':');

	if (!colon || colon == text || !colon[1])
		return text_fail(error_ret, -EINVAL, "'%s' is not OBJECT:GLOBS", text);
	if (choices->nr == USER_CHOICES_MAX)
		return text_fail(error_ret, -EINVAL, "more than %d of them", USER_CHOICES_MAX);
	choices->text[choices->nr++] = text;
	return 0;
}

static const struct option_spec trace_specs[] = {
	{ "fn", "GLOBS", "functions: names with * and ?, separated by commas; !NAME leaves out, MODULE:NAME",
	  option_text, TRACE(run.options.globs) },
	{ "ufn", "OBJECT:GLOBS",
	  "functions of programs: a path, or the name of a file that -task has mapped; may be repeated",
	  parse_user, TRACE(run.options.user) },
	{ "ufn-unwinds", NULL, "follow functions although exceptions may pass through them", option_flag,
	  TRACE(run.options.user.may_unwind) },
	{ "syscalls", NULL, "record system calls", option_flag, TRACE(run.options.syscalls) },
	{ "irq", NULL, "record interrupts and softirqs", option_flag, TRACE(run.options.irqs) },
	{ "sched", NULL, "record wake-ups, besides the switches that are always recorded", option_flag,
	  TRACE(run.options.wakeups) },
	{ "cgroup", "PATH", "only calls by this control group and the groups below it", option_text,
	  TRACE(run.cgroup) },
	{ "start-at", "FN[:N]", "begin with a call of this function, the Nth", option_text,
	  TRACE(run.options.start_at) },
	{ "start-mark", "TEXT", "begin with a mark of this text, at most 31 bytes: see 'probe mark'", option_text,
	  TRACE(run.options.start_mark) },
	{ "stop-at", "FN", "end when a call of this function returns", option_text,
	  TRACE(run.options.stop_at) },
	{ "events", "N", "end after N events of a CPU (default: when its memory is full)", option_count,
	  TRACE(run.options.max_events) },
	{ "memory", "KIB", "memory for events per CPU, 4 to 1048576 (default 1024)", option_range,
	  TRACE(run.options.buffer_kib), .min = CPUPROBE_TRACE_KIB_MIN, .max = CPUPROBE_TRACE_KIB_MAX },
	{ "wrap", NULL, "go on when memory is full: the newest events overwrite the oldest", option_flag,
	  TRACE(run.options.wraps) },
	{ "sec", "T", "end after this time (default: 10 s, or with the COMMAND)", option_seconds,
	  TRACE(run.seconds) },
	{ "budget", "PCT", "end when tracing takes more of a CPU (default: half of what is left)",
	  option_budget,
	  TRACE(run.options.budget_pct) },
	{ "disturb", NULL, "hook functions although this interrupts isolated CPUs", option_flag,
	  TRACE(run.options.may_disturb) },
	{ "rate", "HZ", "samples per second and CPU of -beside, 1 to 20000 (default 1000)", option_rate,
	  TRACE(run.period_ns) },
	{ "save", "FILE", "save the trace in FILE", option_file, TRACE(save) },
	{ NULL }
};

static void trace_init(void *self)
{
	struct trace_command *trace = self;

	trace_run_init(&trace->run);
}

/* The sampler begins with the recording and keeps all its samples. */
static int check_sampler(const struct trace_command *trace, struct text_error *error_ret)
{
	const struct trace_options *options = &trace->run.options;
	const char *other = options->start_at ? "start-at" : options->start_mark ? "start-mark" :
		options->wraps ? "wrap" : NULL;

	if (!trace->report.is_beside)
		return trace->run.period_ns ? text_fail(error_ret, -EINVAL, "-rate needs -beside") : 0;
	if (other)
		return text_fail(error_ret, -EINVAL, "-beside cannot be combined with -%s", other);
	return options->globs ? 0 : text_fail(error_ret, -EINVAL, "-beside needs -fn");
}

static int trace_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	struct trace_command *trace = self;
	const char *measures = options_first(rest, trace_specs);
	int error = trace_report_check(&trace->report, error_ret);

	if (error)
		return error;
	if (!rest->nr_args)
		return check_sampler(trace, error_ret) ?:
			trace_options_check(&trace->run.options, error_ret);
	if (rest->command)
		return text_fail(error_ret, -EINVAL, "a FILE cannot be combined with a COMMAND");
	if (measures)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with a saved run (%s)", measures,
				 rest->args[0]);
	if (trace->report.is_beside && trace->report.task)
		return text_fail(error_ret, -EINVAL, "-beside cannot be combined with -task and a saved run");
	return 0;
}

/* Saves the trace, if -save was given. */
static int save_trace(const struct trace_command *command, const struct trace *trace,
		      struct record_writer *writer, struct text_error *error_ret)
{
	const struct run_result result = {
		.nr_cpus = trace->nr_cpus, .began = command->run.began,
		.elapsed_seconds = command->run.elapsed_seconds,
	};

	if (!writer->out.file)
		return 0;
	record_add_result(writer, &result);
	trace_save(writer, trace);
	return record_commit(writer, error_ret) ? -EIO : 0;
}

static int record_and_show(struct trace_command *command, char **argv, struct text_error *error_ret)
{
	struct record_writer writer = { .out.file = NULL };
	struct trace *trace = NULL;
	int error = command->save ? record_create(&writer, command->save, error_ret) : 0;

	if (!error) {
		trace = trace_run_record(&command->run, argv, error_ret);
		error = trace ? save_trace(command, trace, &writer, error_ret) : -EIO;
	}
	record_abandon(&writer);
	trace_run_wait(&command->run);
	if (!error)
		error = trace_report_show(&command->report, trace, error_ret);
	trace_destroy(trace);
	return error;
}

static int run_here(struct trace_command *command, char **argv)
{
	struct text_error error;
	int result;

	command->run.task = command->report.task;
	command->run.has_sampler = command->report.is_beside;
	command->report.warns = true;
	result = trace_run_prepare(&command->run, argv, &error) ?: record_and_show(command, argv, &error);
	if (result)
		text_report(&error);
	if (!argv)
		return result ? EXIT_FAILED : 0;
	if (command->run.command_error)
		return command->run.command_error == -ENOENT ? 127 : 126;
	return result ? 125 : command->run.command_status;
}

static int show_saved(struct trace_command *command, const char *path)
{
	struct text_error error, why = { "it is a run without a trace", "" };
	struct trace *trace = NULL;
	struct record record;
	int result;

	if (record_read(path, &record, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	if (trace_is_kept(&record))
		trace = trace_load(&record, &why);
	if (trace)
		result = trace_report_show(&command->report, trace, &error);
	else
		result = text_fail(&error, -EBADMSG, "trace %s: %s", path, why.what);
	if (result)
		text_report(&error);
	trace_destroy(trace);
	record_deinit(&record);
	return result ? EXIT_FAILED : 0;
}

static int trace_command_run(void *self, const struct options_rest *rest)
{
	return rest->nr_args ? show_saved(self, rest->args[0]) : run_here(self, rest->command);
}

static void trace_deinit(void *self)
{
	struct trace_command *trace = self;

	trace_run_deinit(&trace->run);
	trace_report_deinit(&trace->report);
}

static const struct option_list trace_options[] = {
	{ trace_specs, 0 },
	{ trace_report_specs, TRACE(report) },
	{ trace_view_specs, TRACE(report.view) },
	{ trace_flow_specs, TRACE(report.flow) },
	{ columns_specs, TRACE(report.view.output) },
	{ form_specs, TRACE(report.view.output) },
	{ NULL }
};

static const struct column_list *const trace_columns[] = {
	&trace_column_list, &trace_flow_columns, &trace_beside_columns, NULL
};

const struct command command_trace = {
	.name = "trace",
	.arguments = "[FILE | -- COMMAND...]",
	.help = "follow every call: a summary, and the code path in order of time",
	.options = trace_options,
	.columns = trace_columns,
	.self_len = sizeof(struct trace_command),
	.max_args = 1,
	.takes_command = true,
	.init = trace_init,
	.check = trace_check,
	.run = trace_command_run,
	.deinit = trace_deinit,
};
