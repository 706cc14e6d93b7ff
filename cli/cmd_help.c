// SPDX-License-Identifier: GPL-2.0-only
/* probe help and probe version: what there is. */
#include <unistd.h>

#include "base/output.h"
#include "command.h"
#include "release.h"
#include "run/device.h"

#define NAME_COLS 13	/* and the blanks around it */

static void list_commands(FILE *out)
{
	const struct command *const *command = command_all();
	int cols = output_terminal_cols(out);

	text_wrap(out, "Usage: probe COMMAND [OPTIONS] [ARGUMENTS]", cols);
	fputc('\n', out);
	text_wrap(out, "Tells where processor time goes, with a 95% interval on every number.",
		  cols);
	fputc('\n', out);
	for (; *command; command++) {
		fprintf(out, "  %-10s ", (*command)->name);
		text_wrap_at(out, (*command)->help, NAME_COLS, cols);
	}
	fputc('\n', out);
	text_wrap(out, "The kernel module is loaded if need be. See probe(1).", cols);
}

static int refuse(const struct command *command, const char *word)
{
	struct text_error error;

	text_fail(&error, 0,
		  word[0] == '-' ? "unknown option '%s'" : "unexpected argument '%s'", word);
	return command_misused(command, &error);
}

static int help_run(const struct command *command, char **argv)
{
	if (command_wants_help(command, argv))
		return 0;
	if (argv[1] && argv[2])
		return refuse(command, argv[2]);
	if (!argv[1]) {
		list_commands(stdout);
		return 0;
	}
	command = command_find(argv[1]);
	if (!command)
		return command_unknown(argv[1]);
	command_usage(stdout, command);
	return 0;
}

/* The tool's version, and the module's if it is there and speaks to us. */
static int version_run(const struct command *command, char **argv)
{
	struct device device;

	if (command_wants_help(command, argv))
		return 0;
	if (argv[1])
		return refuse(command, argv[1]);
	printf("probe %s\n", CPUPROBE_RELEASE);
	/* Not loaded for this. */
	if (access("/dev/" CPUPROBE_DEVICE, F_OK) || device_open(&device, NULL))
		return 0;
	printf("module %.32s, interface %u, %u KB per CPU and session, %.1f us per interrupt\n",
	       device.info.release, device.info.version, (device.info.bytes_per_cpu + 1023) / 1024,
	       device.info.cost_ns / 1e3);
	device_close(&device);
	return 0;
}

static const struct option_spec *const no_options[] = { NULL };

const struct command command_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.help = "this text, or a command's: probe help sys",
	.options = no_options,
	.run = help_run,
};

const struct command command_version = {
	.name = "version",
	.arguments = "",
	.help = "version of this tool, and of the module if it is loaded",
	.options = no_options,
	.run = version_run,
};
