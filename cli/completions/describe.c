// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the tool's commands and options, from which the build makes completions. Fields are
 * separated by tabs, the words of a list by spaces:
 *	command	NAME	ARGUMENTS	HELP
 *	option	NAME	VALUE	CHOICES	HELP		of the last command
 */
#include <stdio.h>
#include <string.h>

#include "command.h"

/* Prints the columns of all lists: which list applies depends on the run. */
static void print_column_keys(const struct column_list *const *list)
{
	size_t i;

	for (; list && *list; list++)
		for (i = 0; i < (*list)->nr; i++)
			printf("%s ", (*list)->column[i].key);
}

/* The first option of this name, or the first after @after; NULL: none. */
static const struct option_spec *find_next(const struct command *command, const char *name,
					   const struct option_spec *after)
{
	const struct option_list *list;
	const struct option_spec *spec;
	bool is_after = !after;

	for (list = command->options; list->specs; list++)
		for (spec = list->specs; spec->name; spec++) {
			if (is_after && !strcmp(spec->name, name))
				return spec;
			is_after = is_after || spec == after;
		}
	return NULL;
}

/* Several lists may have an option of one name: all their choices are printed with the first. */
static void describe_option(const struct command *command, const struct option_spec *spec)
{
	const struct option_spec *same = spec;
	const char *const *choice;

	if (find_next(command, spec->name, NULL) != spec)
		return;
	printf("option\t%s\t%s\t", spec->name, spec->value ? spec->value : "");
	for (; same; same = find_next(command, spec->name, same))
		for (choice = same->choices; choice && *choice; choice++)
			printf("%s ", *choice);
	if (spec->value && !strcmp(spec->value, "COLUMNS"))
		print_column_keys(command->columns);
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
		printf("option\thelp\t\t\tprint this help\n");
	}
	return 0;
}
