// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the tool's own tables say of its commands and options, for what is made of them when it is
 * built. Separated by tabs, a list's words by spaces:
 *	command	NAME	ARGUMENTS	HELP
 *	option	NAME	VALUE	CHOICES	HELP		of the command before it
 */
#include <stdio.h>
#include <string.h>

#include "command.h"

/* Of all lists: what kind of rows a run has shows when it is read. */
static void print_columns(const struct column_list *const *list)
{
	size_t i;

	for (; list && *list; list++)
		for (i = 0; i < (*list)->nr; i++)
			printf("%s ", (*list)->column[i].key);
}

static void describe_option(const struct command *command, const struct option_spec *spec)
{
	const char *const *choice;

	printf("option\t%s\t%s\t", spec->name, spec->value ? spec->value : "");
	for (choice = spec->choices; choice && *choice; choice++)
		printf("%s ", *choice);
	if (spec->value && !strcmp(spec->value, "COLUMNS"))
		print_columns(command->columns);
	printf("\t%s\n", spec->help);
}

int main(void)
{
	const struct option_list *list;
	const struct option_spec *spec;
	size_t i;

	for (i = 0; commands[i]; i++) {
		printf("command\t%s\t%s\t%s\n", commands[i]->name, commands[i]->arguments,
		       commands[i]->help);
		for (list = commands[i]->options; list && list->specs; list++)
			for (spec = list->specs; spec->name; spec++)
				describe_option(commands[i], spec);
		printf("option\thelp\t\t\tthis text\n");
	}
	return 0;
}
