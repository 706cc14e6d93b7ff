// SPDX-License-Identifier: GPL-2.0-only
/* probe start: sampling of stacks that goes on in the background, under a name. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "stacks/control.h"
#include "stacks/holder.h"
#include "stacks/stacks_options.h"

#define RING_MIB_MAX 1024

struct start {
	struct stacks_options stacks;
	uint64_t ring_mib;
};

static const struct option_spec start_specs[] = {
	{ "ring", "MIB", "memory for the last minutes, for 'dump -last' (default 16)" },
	{ NULL, NULL, NULL }
};

static int start_set(void *context, const char *name, const char *value,
		     struct text_error *error_ret)
{
	struct start *start = context;
	int error;

	if (strcmp(name, "ring"))
		return stacks_set(&start->stacks, name, value, error_ret);
	error = parse_count(value, &start->ring_mib, error_ret);
	if (!error && start->ring_mib > RING_MIB_MAX)
		error = text_fail(error_ret, -EINVAL, "%s is more than %d", value, RING_MIB_MAX);
	return error;
}

static int start(const struct start *start, const char *name)
{
	struct text_error error;
	int pid;

	if (control_check_name(name, &error)) {
		text_report(&error);
		return EXIT_USAGE;
	}
	pid = holder_start(name, &start->stacks, start->ring_mib);
	if (pid < 0)
		return EXIT_FAILED;
	printf("run %s samples in the background (pid %d)\n", name, pid);
	return 0;
}

/* Without a limit of its own a run in the background has none. */
static void set_limit(struct start *start)
{
	if (!start->stacks.sampling.seconds)
		start->stacks.sampling.seconds = INT_MAX;
}

static int start_run(const struct command *command, char **argv)
{
	struct start options = { .ring_mib = HOLDER_RING_MIB };
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	stacks_options_init(&options.stacks);
	if (options_parse(argv, command->options, start_set, &options, &rest, &error) ||
	    stacks_check(&options.stacks, &error)) {
		status = command_misused(command, &error);
	} else if (rest.nr_args > 1 || rest.command) {
		text_fail(&error, 0, "unexpected argument '%s'",
			  rest.command ? "--" : rest.args[1]);
		text_hint(&error, "a COMMAND is measured by probe flat and probe graph");
		status = command_misused(command, &error);
	} else {
		set_limit(&options);
		status = start(&options, rest.nr_args ? rest.args[0] : CONTROL_NAME_DEFAULT);
	}
	stacks_options_deinit(&options.stacks);
	return status;
}

static const struct option_spec *const start_options[] = {
	sampling_specs, stacks_specs, start_specs, NULL
};

const struct command command_start = {
	.name = "start",
	.arguments = "[NAME]",
	.help = "sample stacks in the background, until 'stop': see status, dump, reset, list",
	.options = start_options,
	.run = start_run,
};
