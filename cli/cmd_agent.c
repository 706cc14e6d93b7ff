// SPDX-License-Identifier: GPL-2.0-only
/* probe agent: sample for ever, and keep the last hour. */
#include <errno.h>
#include <string.h>

#include "agent/agent.h"
#include "base/option_values.h"
#include "command.h"

/** State of the command. */
struct agent_command {
	const char *path;		/* of the configuration; NULL: none */
	bool only_checks;
	struct agent_config given;	/* on the command line */
	char **argv;
};

static const struct option_spec agent_specs[] = {
	{ "config", "FILE", "read lines KEY = VALUE: the options below; the command line prevails", option_text,
	  offsetof(struct agent_command, path) },
	{ "check", NULL, "only check the configuration", option_flag,
	  offsetof(struct agent_command, only_checks) },
	{ NULL }
};

static const struct option_list agent_options[] = {
	{ agent_specs, 0 },
	AGENT_CONFIG_LISTS(offsetof(struct agent_command, given)),
	{ NULL }
};

static void agent_init(void *self)
{
	struct agent_command *command = self;

	agent_config_init(&command->given);
}

/* The defaults, then the file, then the command line. */
static int load_config(void *context, struct agent_config *config_ret, struct text_error *error_ret)
{
	const struct agent_command *command = context;
	struct agent_command read = { 0 };
	struct push_setup setup;
	struct options_rest rest;
	int error = 0;

	agent_config_init(&read.given);
	if (command->path)
		error = agent_config_read(&read.given, command->path, error_ret);
	if (!error)
		error = options_parse(command->argv, agent_options, &read, &rest, error_ret);
	if (!error)
		error = agent_config_check(&read.given, error_ret) ?:
			push_options_check(&read.given.push, &rest, error_ret);
	if (!error && read.given.push_url) {
		error = push_options_read(&read.given.push, read.given.push_url, &setup, error_ret);
		push_setup_forget(&setup);
	}
	if (error)
		agent_config_deinit(&read.given);
	else
		*config_ret = read.given;
	return error;
}

/* The command line is at fault if the configuration is right without it. Other faults show when the agent starts. */
static int agent_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	struct agent_command *command = self;
	char *no_options[] = { rest->argv[0], NULL };
	struct agent_command alone = { .path = command->path, .argv = no_options };
	struct agent_config config;
	struct text_error why;
	int error;

	command->argv = rest->argv;
	error = load_config(command, &config, error_ret);
	if (error && error != -EINVAL)
		return 0;
	if (error && load_config(&alone, &config, &why))
		return 0;
	agent_config_deinit(&config);
	return error;
}

static int agent_command_run(void *self, const struct options_rest *rest)
{
	struct agent_command *command = self;
	struct agent agent = { .load = load_config, .context = command };
	struct agent_config config;
	struct text_error error;
	int result;

	if (command->only_checks) {
		result = load_config(command, &config, &error);
		if (!result)
			agent_config_deinit(&config);
	} else {
		result = agent_run(&agent, &error);
	}
	if (!result)
		return 0;
	text_report(&error);
	return EXIT_FAILED;
}

const struct command command_agent = {
	.name = "agent",
	.arguments = "",
	.help = "sample for ever at a low rate, and keep the last hour",
	.options = agent_options,
	.self_len = sizeof(struct agent_command),
	.init = agent_init,
	.check = agent_check,
	.run = agent_command_run,
};
