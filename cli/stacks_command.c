// SPDX-License-Identifier: GPL-2.0-only
/* What the commands that show stacks have in common: see stacks_command.h. */
#include <errno.h>

#include "stacks_command.h"

/** All options of such a command. */
struct all_options {
	const struct stacks_command *own;
	struct stacks_options stacks;
	struct export_options exports;
};

static int set_any(void *context, const char *name, const char *value, struct text_error *error_ret)
{
	struct all_options *all = context;
	int result = stacks_set(&all->stacks, name, value, error_ret);

	if (result > 0)
		result = export_set(&all->exports, name, value, error_ret);
	return result > 0 ? all->own->set(all->own->context, name, value, error_ret) : result;
}

/* What only a measurement has means nothing to a run that is over. */
static int check(const struct all_options *all, const struct options_rest *rest,
		 struct text_error *error_ret)
{
	const struct stacks_command *own = all->own;

	if (own->check && own->check(own->context, error_ret))
		return -EINVAL;
	if (export_check(&all->exports, all->stacks.sampling.save, false, error_ret))
		return -EINVAL;
	if (rest->nr_args > 1)
		return text_fail(error_ret, -EINVAL, "unexpected argument '%s'", rest->args[1]);
	if (!rest->nr_args)
		return stacks_check(&all->stacks, error_ret);
	if (rest->command)
		return text_fail(error_ret, -EINVAL,
				 "a FILE is shown, a COMMAND measured: not both");
	if (all->stacks.first)
		return text_fail(error_ret, -EINVAL, "-%s is for measuring, the run in %s is over",
				 all->stacks.first, rest->args[0]);
	return 0;
}

static int show(const struct all_options *all, const struct stack_run *stacks, struct export *exports)
{
	const struct stacks_command *own = all->own;
	struct text_error error = { "", "" };
	int result = own->show(own->context, stacks, &error);

	if (!result)
		result = export_write(exports, stacks, &error);
	/* A kept run's were told when it was measured. */
	if (!result && stacks->resolver)
		stacks_warn(stacks);
	if (!result)
		return stacks->status;
	text_report(&error);
	return EXIT_FAILED;
}

/* @verb: what the user typed, since `probe show` has a run with stacks shown by `probe flat`. */
static int get_and_show(const struct all_options *all, const char *verb,
			const struct options_rest *rest)
{
	const char *file = rest->nr_args ? rest->args[0] : NULL;
	struct text_error error;
	struct export exports;
	struct stack_run stacks;
	int status;

	if (export_open(&exports, &all->exports, file, &error)) {
		text_report(&error);
		return rest->command ? 125 : EXIT_FAILED;
	}
	status = stacks_fetch(&stacks, &all->stacks, verb, file, rest->command);
	if (!status) {
		status = show(all, &stacks, &exports);
		stacks_deinit(&stacks);
	}
	export_abandon(&exports);
	return status;
}

int stacks_command_run(const struct stacks_command *stacks_command, char **argv)
{
	struct all_options all = { .own = stacks_command };
	const struct command *command = stacks_command->command;
	const char *verb = argv[0];	/* options_parse() moves the arguments */
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	stacks_options_init(&all.stacks);
	if (options_parse(argv, command->options, set_any, &all, &rest, &error) ||
	    check(&all, &rest, &error))
		status = command_misused(command, &error);
	else
		status = get_and_show(&all, verb, &rest);
	stacks_options_deinit(&all.stacks);
	return status;
}
