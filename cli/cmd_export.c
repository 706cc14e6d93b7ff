// SPDX-License-Identifier: GPL-2.0-only
/* probe export: the stacks of a kept run, for other tools. */
#include <errno.h>

#include "command.h"
#include "export/export_options.h"
#include "stacks/stacks_fetch.h"

static int export_option(void *context, const char *name, const char *value,
			 struct text_error *error_ret)
{
	return export_set(context, name, value, error_ret);
}

static int load(struct stack_run *stacks, const char *path, struct text_error *error_ret)
{
	int error = stacks_load(stacks, "export", path, error_ret);

	if (!error && !stacks->profile->nr_stacks && !stacks->profile->lost)
		error = text_fail(error_ret, -ENODATA, "export %s: it holds no sample", path);
	return error;
}

static int export(const char *path, const struct export_options *options)
{
	struct text_error error;
	struct stack_run stacks = { 0 };
	struct export exports;
	int failed = export_open(&exports, options, path, &error);

	if (!failed)
		failed = load(&stacks, path, &error);
	if (!failed)
		failed = export_write(&exports, &stacks, &error);
	if (failed)
		text_report(&error);
	export_abandon(&exports);
	stacks_deinit(&stacks);
	return failed ? EXIT_FAILED : 0;
}

static int export_run(const struct command *command, char **argv)
{
	struct export_options options = { 0 };
	struct options_rest rest;
	struct text_error error;

	if (command_wants_help(command, argv))
		return 0;
	if (options_parse(argv, command->options, export_option, &options, &rest, &error))
		return command_misused(command, &error);
	if (rest.nr_args == 1 && !rest.command && export_is_asked(&options))
		return export(rest.args[0], &options);
	if (rest.command || rest.nr_args > 1) {
		text_fail(&error, 0, "unexpected argument '%s'",
			  rest.command ? "--" : rest.args[1]);
	} else if (!rest.nr_args) {
		text_fail(&error, 0, "no FILE given");
		text_hint(&error, "a run with stacks that -save has written");
	} else {
		text_fail(&error, 0, "no format given");
		text_hint(&error, "-folded, -pprof, -speedscope, -callgrind or -html, each with a "
			  "file to write");
	}
	return command_misused(command, &error);
}

static const struct option_spec *const export_options[] = { export_specs, NULL };

const struct command command_export = {
	.name = "export",
	.arguments = "FILE",
	.help = "stacks of a kept run, for browsers, pprof, speedscope and callgrind's tools",
	.options = export_options,
	.run = export_run,
};
