// SPDX-License-Identifier: GPL-2.0-only
/* probe export: export the stacks of a saved run for other tools. */
#include <errno.h>

#include "base/option_values.h"
#include "command.h"
#include "export/export_options.h"
#include "stacks/stacks_fetch.h"

struct export_command {
	struct export_options exports;
	bool is_whole;
};

static int load_for_export(struct stack_run *stacks, const char *path, struct text_error *error_ret)
{
	int error = stacks_load(stacks, "export", path, error_ret);

	if (!error && !stacks->profile->nr_stacks && !stacks->profile->lost)
		error = text_fail(error_ret, -ENODATA, "export %s: it has no samples", path);
	return error;
}

static int export_stacks(const char *path, const struct export_command *command)
{
	struct text_error error;
	struct stack_run stacks = { 0 };
	struct export exports;
	int failed = export_open(&exports, &command->exports, path, &error);

	if (!failed)
		failed = load_for_export(&stacks, path, &error);
	if (!failed && command->is_whole)
		failed = stacks_drop_inlined(&stacks, &error);
	if (!failed)
		failed = export_write(&exports, &stacks, &error);
	if (failed)
		text_report(&error);
	export_abandon(&exports);
	stacks_deinit(&stacks);
	return failed ? EXIT_FAILED : 0;
}

static int export_command_check(void *self, const struct options_rest *rest,
				struct text_error *error_ret)
{
	const struct export_command *command = self;

	if (export_is_asked(&command->exports))
		return 0;
	text_fail(error_ret, 0, "no format given");
	text_hint(error_ret, "-folded, -pprof, -speedscope, -callgrind or -html, each with a "
		  "file to write");
	return -EINVAL;
}

static int export_run(void *self, const struct options_rest *rest)
{
	return export_stacks(rest->args[0], self);
}

static const struct option_spec export_inline_specs[] = {
	{ "no-inline", NULL, "write inlined functions as part of those that contain them",
	  option_flag, offsetof(struct export_command, is_whole) },
	{ NULL }
};

static const struct option_list export_options[] = {
	{ export_specs, offsetof(struct export_command, exports) },
	{ export_inline_specs, 0 },
	{ NULL }
};

const struct command command_export = {
	.name = "export",
	.arguments = "FILE",
	.help = "export the stacks of a saved run to pprof, speedscope, callgrind or a browser",
	.options = export_options,
	.self_len = sizeof(struct export_command),
	.min_args = 1,
	.max_args = 1,
	.args_hint = "a run with stacks that -save has written",
	.check = export_command_check,
	.run = export_run,
};
