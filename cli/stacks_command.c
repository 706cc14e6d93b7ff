// SPDX-License-Identifier: GPL-2.0-only
/* Shared by the commands that show stacks: see stacks_command.h. */
#include <errno.h>

#include "stacks_command.h"

void stacks_command_init(void *self)
{
	struct stacks_command *command = self;

	stacks_options_init(&command->stacks);
}

int stacks_command_check(void *self, const struct options_rest *rest,
			 struct text_error *error_ret)
{
	const struct stacks_command *command = self;
	const char *measures = options_first(rest, sampling_specs) ?:
		options_first(rest, stacks_specs) ?:
		options_first(rest, event_specs) ?: options_first(rest, nmi_specs) ?: options_first(rest, unwind_specs);

	if (export_check(&command->exports, command->stacks.sampling.save, false, error_ret))
		return -EINVAL;
	if (!rest->nr_args)
		return stacks_check(&command->stacks, error_ret);
	if (command->stacks.is_inlined && command->stacks.is_whole)
		return text_fail(error_ret, -EINVAL, "-inline cannot be combined with -no-inline");
	if (rest->command)
		return text_fail(error_ret, -EINVAL,
				 "a FILE cannot be combined with a COMMAND");
	if (measures)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with a saved run (%s)",
				 measures, rest->args[0]);
	return 0;
}

static int show_and_export(void *self, const struct stack_run *stacks, struct export *exports,
			   stacks_command_show *show)
{
	struct text_error error = { "", "" };
	int result = show(self, stacks, &error);

	if (!result)
		result = export_write(exports, stacks, &error);
	/* The warnings of a saved run were printed when it was measured. */
	if (!result && stacks->resolver)
		stacks_warn(stacks);
	if (!result)
		return stacks->status;
	text_report(&error);
	return EXIT_FAILED;
}

int stacks_command_run(void *self, const struct options_rest *rest, stacks_command_show *show)
{
	const struct stacks_command *command = self;
	const char *verb = rest->argv[0];	/* may be "show", which calls flat */
	struct text_error error;
	struct export exports;
	struct stack_run stacks;
	int status;

	if (export_open(&exports, &command->exports, rest->args[0], &error)) {
		text_report(&error);
		return rest->command ? 125 : EXIT_FAILED;
	}
	status = stacks_fetch(&stacks, &command->stacks, verb, rest->args[0], rest->command);
	if (!status) {
		if (command->stacks.count)
			stacks.executions = command->stacks.count;
		status = show_and_export(self, &stacks, &exports, show);
		stacks_deinit(&stacks);
	}
	export_abandon(&exports);
	return status;
}

void stacks_command_deinit(void *self)
{
	struct stacks_command *command = self;

	stacks_options_deinit(&command->stacks);
}
