// SPDX-License-Identifier: GPL-2.0-only
/* The commands of probe, in the order in which help lists them. */
#include <string.h>

#include "command.h"

const struct command *const commands[] = {
	&command_top, &command_sys, &command_proc, &command_flat, &command_graph, &command_late,
	&command_show, &command_export, &command_verify, &command_diff, &command_start,
	&command_list, &command_status, &command_dump, &command_reset, &command_stop,
	&command_doctor, &command_help, &command_version, NULL
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]) - 1)

const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

int command_unknown(const char *name)
{
	const char *names[NR_COMMANDS], *near;
	struct text_error error;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		names[i] = commands[i]->name;
	text_fail(&error, 0, "unknown command '%s'", name);
	if (name[0] == '-') {
		name += strspn(name, "-");
		near = options_suggest(name, (const char *const[]){ "help", "version" }, 2);
		text_hint(&error, near ? "did you mean 'probe -%s'?" :
			  "options stand behind the command: probe sys -sec 10", near);
	} else {
		near = options_suggest(name, names, NR_COMMANDS);
		text_hint(&error, near ? "did you mean 'probe %s'?" :
			  "'probe help' lists the commands", near);
	}
	text_report(&error);
	return EXIT_USAGE;
}
