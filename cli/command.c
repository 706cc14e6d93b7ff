// SPDX-License-Identifier: GPL-2.0-only
/* What all commands do alike: see command.h. */
#include <string.h>

#include "command.h"
#include "output.h"

static int option_text(const struct option_spec *spec, char *text, size_t len)
{
	return snprintf(text, len, "-%s%s%s", spec->name, spec->value ? " " : "",
			spec->value ? spec->value : "");
}

void command_usage(FILE *out, const struct command *command)
{
	const struct option_spec *const *list, *spec;
	char option[32];
	int cols = 14, len;

	fprintf(out, "Usage: probe %s [OPTIONS] %s\n\n%s\n\nOptions:\n", command->name,
		command->arguments, command->help);
	for (list = command->options; *list; list++) {
		for (spec = *list; spec->name; spec++) {
			len = option_text(spec, option, sizeof(option));
			cols = len > cols ? len : cols;
		}
	}
	for (list = command->options; *list; list++) {
		for (spec = *list; spec->name; spec++) {
			option_text(spec, option, sizeof(option));
			fprintf(out, "  %-*s %s\n", cols, option, spec->help);
		}
	}
	fprintf(out, "  %-*s %s\n", cols, "-help", "this text");
}

int command_misused(const struct command *command, const struct text_error *error)
{
	struct text_error full = *error;

	text_fail(&full, 0, "%s: %s", command->name, error->what);
	text_hint(&full, "%s", error->hint[0] ? error->hint : "");
	if (!full.hint[0])
		text_hint(&full, "'probe help %s' shows the usage", command->name);
	text_report(&full);
	return EXIT_USAGE;
}

bool command_wants_help(const struct command *command, char **argv)
{
	for (argv++; *argv && strcmp(*argv, "--"); argv++) {
		if (strcmp(*argv, "-help") && strcmp(*argv, "--help"))
			continue;
		command_usage(stdout, command);
		return true;
	}
	return false;
}

int command_finish(int status)
{
	int error = output_flush();

	if (!error)
		return status;
	fprintf(stderr, "probe: write standard output: %s\n", strerror(error));
	return status ? status : EXIT_FAILED;
}
