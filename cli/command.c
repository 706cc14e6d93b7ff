// SPDX-License-Identifier: GPL-2.0-only
/* Usage, options and errors of all commands: see command.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "command.h"

#define COMMANDS_MAX	32

static const struct command *const *all;

void command_set_all(const struct command *const *table)
{
	all = table;
}

const struct command *const *command_all(void)
{
	return all;
}

const struct command *command_find(const char *name)
{
	const struct command *const *command = all;

	while (*command && strcmp((*command)->name, name))
		command++;
	return *command;
}

int command_unknown(const char *name)
{
	const char *names[COMMANDS_MAX], *near;
	struct text_error error;
	size_t nr;

	for (nr = 0; nr < COMMANDS_MAX && all[nr]; nr++)
		names[nr] = all[nr]->name;
	text_fail(&error, 0, "unknown command '%s'", name);
	if (name[0] == '-') {
		name += strspn(name, "-");
		near = options_suggest(name, (const char *const[]){ "help", "version" }, 2);
		text_hint(&error, near ? "did you mean 'probe -%s'?" :
			  "options go after the command: probe sys -sec 10", near);
	} else {
		near = options_suggest(name, names, nr);
		text_hint(&error, near ? "did you mean 'probe %s'?" :
			  "'probe help' lists the commands", near);
	}
	text_report(&error);
	return EXIT_USAGE;
}

static int option_words(const struct option_spec *spec, char *text, size_t len)
{
	return snprintf(text, len, "-%s%s%s", spec->name, spec->value ? " " : "",
			spec->value ? spec->value : "");
}

static int option_cols(const struct command *command)
{
	const struct option_list *list;
	const struct option_spec *spec;
	int cols = 14, len;

	for (list = command->options; list && list->specs; list++) {
		for (spec = list->specs; spec->name; spec++) {
			len = option_words(spec, NULL, 0);
			cols = len > cols ? len : cols;
		}
	}
	return cols;
}

static void print_command_columns(FILE *out, const struct command *command)
{
	const struct column_list *const *list = command->columns;
	bool has_several = list[1];

	for (; *list; list++) {
		fprintf(out, has_several ? "\nColumns (-o) of %s:\n" : "\nColumns (-o):\n",
			(*list)->name);
		columns_print_help(out, *list, output_terminal_cols(out));
	}
}

static void print_help_option(FILE *out, int cols)
{
	fprintf(out, "  %-*s %s\n", cols, "-help", "print this help");
}

void command_usage(FILE *out, const struct command *command)
{
	const struct option_list *list;
	const struct option_spec *spec;
	const char *title = NULL;
	int cols = option_cols(command), line_cols = output_terminal_cols(out);
	char option[64], usage[256];

	snprintf(usage, sizeof(usage), "Usage: probe %s [OPTIONS]%s%s", command->name,
		 command->arguments[0] ? " " : "", command->arguments);
	text_wrap(out, usage, line_cols);
	fputc('\n', out);
	text_wrap(out, command->help, line_cols);
	fputs("\nOptions:\n", out);
	for (list = command->options; list && list->specs; list++) {
		if (list->title && !title)
			print_help_option(out, cols);
		if (list->title && (!title || strcmp(title, list->title)))
			fprintf(out, "\nOptions for %s:\n", list->title);
		title = list->title ?: title;
		for (spec = list->specs; spec->name; spec++) {
			option_words(spec, option, sizeof(option));
			fprintf(out, "  %-*s ", cols, option);
			text_wrap_at(out, spec->help, cols + 3, line_cols);
		}
	}
	if (!title)
		print_help_option(out, cols);
	if (command->columns)
		print_command_columns(out, command);
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

int command_failed(const struct command *command, int result, const struct text_error *error)
{
	if (result == OPTIONS_UNFIT)
		return command_misused(command, error);
	text_report(error);
	return EXIT_FAILED;
}

static bool wants_help(char **argv)
{
	for (argv++; *argv && strcmp(*argv, "--"); argv++)
		if (!strcmp(*argv, "-help") || !strcmp(*argv, "--help") || !strcmp(*argv, "-h"))
			return true;
	return false;
}

static int check_arguments(const struct command *command, const struct options_rest *rest,
			   struct text_error *error_ret)
{
	const char *hint = command->args_hint;
	const char *word = command->arguments;

	if (rest->nr_args > command->max_args)
		text_fail(error_ret, 0, "unexpected argument '%s'", rest->args[command->max_args]);
	else if (rest->command && !command->takes_command)
		text_fail(error_ret, 0, "unexpected argument '--'");
	else if (rest->nr_args < command->min_args && command->min_args > 1)
		text_fail(error_ret, 0, "%d arguments are needed: %s", command->min_args, word);
	else if (rest->nr_args < command->min_args)
		text_fail(error_ret, 0, "no %.*s given", (int)strcspn(word, " "), word);
	else
		return 0;
	if (!hint && command->takes_command)
		hint = "a command to measure goes after '--'";
	if (hint)
		text_hint(error_ret, "%s", hint);
	return -EINVAL;
}

static int parse_and_run(const struct command *command, char **argv, void *self)
{
	static const struct option_list none = { NULL };
	const struct option_list *lists = command->options ?: &none;
	struct options_rest rest;
	struct text_error error;
	int result;

	if ((command->choose_options &&
	     command->choose_options(command, self, argv, &lists, &error)) ||
	    options_parse(argv, lists, self, &rest, &error) ||
	    check_arguments(command, &rest, &error))
		return command_misused(command, &error);
	result = command->check ? command->check(self, &rest, &error) : 0;
	if (result && result != OPTIONS_UNREAD)
		return command_misused(command, &error);
	if (!result)
		return command->run(self, &rest);
	text_report(&error);
	return rest.command ? EXIT_NOT_RUN : EXIT_FAILED;
}

int command_run(const struct command *command, char **argv)
{
	const struct command *other;
	void *self;
	int status;

	if (wants_help(argv)) {
		command_usage(stdout, command);
		return 0;
	}
	other = command->find_other ? command->find_other(argv) : NULL;
	if (other)
		return command_run(other, argv);
	self = calloc(1, command->self_len + 1);
	if (!self) {
		fprintf(stderr, "probe: %s: out of memory\n", command->name);
		return EXIT_FAILED;
	}
	if (command->init)
		command->init(self);
	status = parse_and_run(command, argv, self);
	if (command->deinit)
		command->deinit(self);
	free(self);
	return status;
}

int command_finish(int status)
{
	int error = output_flush();

	if (!error)
		return status;
	/* A reader that closes the pipe early, such as head, needs only the status. */
	if (error != EPIPE)
		fprintf(stderr, "probe: write standard output: %s\n", strerror(error));
	return status ? status : EXIT_FAILED;
}
