// SPDX-License-Identifier: GPL-2.0-only
/* probe export: export the stacks of a saved run, or a trace, for other tools. */
#include <errno.h>

#include "base/option_values.h"
#include "command.h"
#include "export_trace.h"
#include "run/run_events.h"
#include "stacks/stacks_fetch.h"
#include "trace/trace_save.h"

struct export_command {
	struct export_options exports;
	struct picture_options picture;
	const char *event;	/* of a run with several; NULL: the first */
	bool is_whole;
};

static int load_for_export(struct stack_run *stacks, const char *path, const struct record *record, const char *event,
			   struct text_error *error_ret)
{
	int error = stacks_load_event(stacks, "export", path, record, event, error_ret);

	if (error || stacks->profile->nr_stacks || stacks->profile->lost)
		return error;
	if (event_is_sampled(&stacks->result.event))
		return text_fail(error_ret, -ENODATA, "export %s: it has no samples of %s", path,
				 stacks->result.event.name);
	return text_fail(error_ret, -ENODATA, "export %s: it has no samples", path);
}

static int export_stacks(const char *path, const struct record *record, const struct export_command *command,
			 struct export *exports, struct text_error *error_ret)
{
	struct stack_run stacks = { 0 };
	int error = load_for_export(&stacks, path, record, command->event, error_ret);

	if (!error && command->is_whole)
		error = stacks_drop_inlined(&stacks, error_ret);
	if (!error)
		error = export_write(exports, &stacks, error_ret);
	if (!error && !command->event)
		run_events_tell_others(record, "wrote");
	stacks_deinit(&stacks);
	return error;
}

static int export_record(const char *path, const struct export_command *command, struct export *exports,
			 struct text_error *error_ret)
{
	struct record record;
	bool is_trace;
	int error = record_read(path, &record, error_ret);

	if (error)
		return error;
	is_trace = trace_is_kept(&record);
	error = export_trace_refuse(&command->exports, &command->picture, is_trace,
				    command->is_whole ? "no-inline" : command->event ? "event" : NULL, error_ret);
	if (!error)
		error = is_trace ? export_trace(exports, &record, &command->picture, error_ret) :
			export_stacks(path, &record, command, exports, error_ret);
	record_deinit(&record);
	return error;
}

static int export_command_check(void *self, const struct options_rest *rest,
				struct text_error *error_ret)
{
	const struct export_command *command = self;

	if (export_is_asked(&command->exports))
		return export_trace_check(&command->picture, error_ret);
	text_fail(error_ret, 0, "no format given");
	text_hint(error_ret, "-folded, -pprof, -speedscope, -callgrind or -html, of a trace -perfetto, -speedscope "
		  "or -html, each with a file to write");
	return -EINVAL;
}

static int export_run(void *self, const struct options_rest *rest)
{
	const struct export_command *command = self;
	struct text_error error;
	struct export exports;
	int failed = export_open(&exports, &command->exports, rest->args[0], &error) ?:
		export_record(rest->args[0], command, &exports, &error);

	export_abandon(&exports);
	return failed ? command_failed(&command_export, failed, &error) : 0;
}

static const struct option_spec export_run_specs[] = {
	{ "event", "EVENT", "of a run with several events, write this one (default the first)", option_text,
	  offsetof(struct export_command, event) },
	{ "no-inline", NULL, "write inlined functions as part of those that contain them",
	  option_flag, offsetof(struct export_command, is_whole) },
	{ NULL }
};

static const struct option_list export_options[] = {
	{ export_specs, offsetof(struct export_command, exports) },
	{ export_trace_path_specs, offsetof(struct export_command, exports) },
	{ export_trace_specs, offsetof(struct export_command, picture) },
	{ export_run_specs, 0 },
	{ NULL }
};

const struct command command_export = {
	.name = "export",
	.arguments = "FILE",
	.help = "export a saved run or trace to pprof, speedscope, callgrind, Perfetto or a browser",
	.options = export_options,
	.self_len = sizeof(struct export_command),
	.min_args = 1,
	.max_args = 1,
	.args_hint = "a run with stacks, or a trace, that -save has written",
	.check = export_command_check,
	.run = export_run,
};
