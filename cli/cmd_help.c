// SPDX-License-Identifier: GPL-2.0-only
/* probe help: list the commands, or print the usage of one. */
#include "base/output.h"
#include "command.h"

#define NAME_COLS 13	/* and the blanks around it */

static void list_commands(FILE *out)
{
	const struct command *const *command = command_all();
	int cols = output_terminal_cols(out);

	text_wrap(out, "Usage: probe COMMAND [OPTIONS] [ARGUMENTS]", cols);
	fputc('\n', out);
	text_wrap(out, "Shows where processor time goes, with a 95% interval on every sampled number.",
		  cols);
	fputc('\n', out);
	for (; *command; command++) {
		fprintf(out, "  %-10s ", (*command)->name);
		text_wrap_at(out, (*command)->help, NAME_COLS, cols);
	}
	fputc('\n', out);
	text_wrap(out, "The kernel module is loaded if need be. See probe(1).", cols);
}

static int help_run(void *self, const struct options_rest *rest)
{
	const struct command *command;

	if (!rest->nr_args) {
		list_commands(stdout);
		return 0;
	}
	command = command_find(rest->args[0]);
	if (!command)
		return command_unknown(rest->args[0]);
	command_usage(stdout, command);
	return 0;
}

const struct command command_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.help = "list the commands, or print the usage of one: probe help sys",
	.max_args = 1,
	.run = help_run,
};
