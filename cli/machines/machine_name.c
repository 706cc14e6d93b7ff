// SPDX-License-Identifier: GPL-2.0-only
/* Names of virtual machines: see machine_name.h. */
#include <stdio.h>
#include <string.h>

#include "containers/container.h"
#include "machines/machine_name.h"

#define OPTION_LEN	4096	/* value of an option */

/** An option whose value is a name, or a list with the name in it. */
struct name_option {
	const char *text;
	bool is_list;
};

static const struct name_option options[] = { { "-name", true }, { "--name", true }, { "--id", false }, { NULL } };

/* Copy the next entry of a list, without QEMU's doubled commas, and return what follows; NULL: the end. */
static const char *take_entry(const char *list, char entry[OPTION_LEN])
{
	size_t len = 0;

	for (; *list; list++) {
		if (*list == ',' && *++list != ',')
			break;
		if (len < OPTION_LEN - 1)
			entry[len++] = *list;
	}
	entry[len] = '\0';
	return *list ? list : NULL;
}

/* The name in "guest=NAME,KEY=VALUE...", "NAME,KEY=VALUE...", or a text that is no such list. */
static void parse_list(const char *list, char name[MACHINE_NAME_LEN])
{
	char entry[OPTION_LEN], first[OPTION_LEN] = "";
	const char *at = list;

	while (at) {
		at = take_entry(at, entry);
		if (!strncmp(entry, "guest=", 6)) {
			snprintf(name, MACHINE_NAME_LEN, "%s", entry + 6);
			return;
		}
		if (!first[0])
			memcpy(first, entry, sizeof(first));
	}
	/* A list of other keys only has no name, as "debug-threads=on". */
	if (!strchr(first, '='))
		snprintf(name, MACHINE_NAME_LEN, "%s", first);
}

static void parse_value(const struct name_option *option, const char *value, char name[MACHINE_NAME_LEN])
{
	if (option->is_list)
		parse_list(value, name);
	else
		snprintf(name, MACHINE_NAME_LEN, "%s", value);
}

/* Read the name from one argument, @next being the argument after it. */
static void parse_argument(const char *argument, const char *next, char name[MACHINE_NAME_LEN])
{
	const struct name_option *option;

	for (option = options; option->text; option++) {
		size_t len = strlen(option->text);

		if (strncmp(argument, option->text, len))
			continue;
		if (argument[len] == '=')
			parse_value(option, argument + len + 1, name);
		else if (!argument[len] && next)
			parse_value(option, next, name);
	}
}

bool machine_name_of_command(const char *line, size_t len, char name_ret[MACHINE_NAME_LEN])
{
	char argument[OPTION_LEN], next[OPTION_LEN];
	size_t at = strnlen(line, len) + 1;

	/* The first is the program's own name. */
	name_ret[0] = '\0';
	while (at < len && !name_ret[0]) {
		size_t follows = at + strnlen(line + at, len - at) + 1;

		snprintf(argument, sizeof(argument), "%.*s", (int)(len - at), line + at);
		if (!strcmp(argument, "--"))
			break;
		if (follows < len)
			snprintf(next, sizeof(next), "%.*s", (int)(len - follows), line + follows);
		parse_argument(argument, follows < len ? next : NULL, name_ret);
		at = follows;
	}
	return name_ret[0];
}

/* libvirt puts its driver and a number before the name: "qemu-1-NAME". */
static const char *skip_number(const char *name)
{
	static const char *const drivers[] = { "qemu-", "ch-", NULL };
	size_t i;

	for (i = 0; drivers[i]; i++) {
		const char *number = name + strlen(drivers[i]);
		size_t nr_digits;

		if (strncmp(name, drivers[i], strlen(drivers[i])))
			continue;
		nr_digits = strspn(number, "0123456789");
		if (nr_digits && number[nr_digits] == '-' && number[nr_digits + 1])
			return number + nr_digits + 1;
	}
	return name;
}

bool machine_name_of_group(const char *path, char name_ret[MACHINE_NAME_LEN])
{
	char label[CONTAINER_LABEL_LEN];
	struct container container;

	name_ret[0] = '\0';
	container_parse(path, &container);
	if (container.runtime == CONTAINER_MACHINE) {
		snprintf(name_ret, MACHINE_NAME_LEN, "%s", skip_number(container.id));
	} else if (container.runtime) {
		container_label(&container, path, NULL, label);
		snprintf(name_ret, MACHINE_NAME_LEN, "%.*s", MACHINE_NAME_LEN - 1, label);
	}
	return name_ret[0];
}
