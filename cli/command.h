/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a command of probe is: one file each, and a row in commands.h. command_run() parses the
 * options, checks the arguments and prints usage; the command does the rest.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "base/columns.h"
#include "base/options.h"
#include "base/status.h"

struct command {
	const char *name;
	const char *arguments;				/* after the options, for the usage line */
	const char *help;				/* one line */
	const struct option_list *options;		/* NULL: none */
	const struct column_list *const *columns;	/* of -o, NULL-terminated; NULL: none */
	size_t self_len;				/* bytes of the struct that it works on */
	int min_args, max_args;
	bool takes_command;				/* after "--" */
	const char *args_hint;				/* for wrong arguments; or NULL */
	/* @self: self_len bytes, zeroed. NULL: they are good as they are. */
	void (*init)(void *self);
	/* -EINVAL with a reason: options or arguments that exclude each other. NULL: any will do. */
	int (*check)(void *self, const struct options_rest *rest, struct text_error *error_ret);
	/* Returns the exit status; reports its own errors. */
	int (*run)(void *self, const struct options_rest *rest);
	/* After check() or run(), whatever they returned; or NULL. */
	void (*deinit)(void *self);
};

#define COMMAND(name)	extern const struct command command_##name;
#include "commands.h"
#undef COMMAND

/** command_run() - parse @argv, whose first word is the command's name; returns the exit status. */
int command_run(const struct command *command, char **argv);

extern const struct command *const commands[];	/* all of them; NULL at the end */

/** command_set_all() - tell the functions below which commands there are. */
void command_set_all(const struct command *const *table);

/** command_all() - the commands in the order in which help lists them; NULL at the end. */
const struct command *const *command_all(void);

/** command_find() - the command of that name, or NULL. */
const struct command *command_find(const char *name);

/** command_unknown() - report that there is no command @name. Returns EXIT_USAGE. */
int command_unknown(const char *name);

/** welcome() - say on @out whether probe would work here, and what to try first. */
void welcome(FILE *out);

/** command_usage() - print a command's usage on @out, made from its options and columns. */
void command_usage(FILE *out, const struct command *command);

/** command_misused() - report @error with the way to help. Returns EXIT_USAGE. */
int command_misused(const struct command *command, const struct text_error *error);

/** command_finish() - flush stdout; @status, or EXIT_FAILED with a message when that fails. */
int command_finish(int status);

#endif
