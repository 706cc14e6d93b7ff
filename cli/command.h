/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command of probe: a file of its own, and a row in commands.h. command_run() parses the options,
 * checks the arguments and prints usage; the command does the rest.
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
	const struct column_list *const *columns;	/* for -o, NULL-terminated; NULL: none */
	size_t self_len;				/* bytes of the command's own struct */
	int min_args, max_args;
	bool takes_command;				/* after "--" */
	const char *args_hint;				/* for wrong arguments; NULL: none */
	/* The command that runs instead, as the arguments tell; NULL: this one. NULL: always this one. */
	const struct command *(*find_other)(char **argv);
	/*
	 * Choose the options of this command line, where they depend on its arguments: -EINVAL with
	 * a reason. @options are all that there are. NULL: these apply always.
	 */
	int (*choose_options)(const struct command *command, void *self, char **argv,
			      const struct option_list **lists_ret, struct text_error *error_ret);
	/* Set defaults in @self, self_len zero bytes. NULL: zeros are the defaults. */
	void (*init)(void *self);
	/*
	 * Check for conflicts: -EINVAL with a reason, or OPTIONS_UNREAD, which is a failure and no wrong usage. NULL:
	 * there are none.
	 */
	int (*check)(void *self, const struct options_rest *rest, struct text_error *error_ret);
	/* Run the command: returns the exit status, reports its own errors. */
	int (*run)(void *self, const struct options_rest *rest);
	/* Free what @self holds, after check() or run() in any case. NULL: nothing. */
	void (*deinit)(void *self);
};

#define COMMAND(name)	extern const struct command command_##name;
#include "commands.h"
#undef COMMAND

/** command_run() - run a command with @argv, which begins with its name. Returns the status. */
int command_run(const struct command *command, char **argv);

extern const struct command *const commands[];	/* all commands; NULL at the end */

/** command_set_all() - set the table of commands for the functions below. */
void command_set_all(const struct command *const *table);

/** command_all() - the commands in the order in which help lists them; NULL at the end. */
const struct command *const *command_all(void);

/** command_find() - the command called @name, or NULL. */
const struct command *command_find(const char *name);

/** command_unknown() - report an unknown command @name. Returns EXIT_USAGE. */
int command_unknown(const char *name);

/** welcome() - print on @out whether probe works here, and first steps. */
void welcome(FILE *out);

/** command_usage() - print a command's usage, options and columns on @out. */
void command_usage(FILE *out, const struct command *command);

/** command_misused() - report a usage error with a hint. Returns EXIT_USAGE. */
int command_misused(const struct command *command, const struct text_error *error);

/**
 * command_failed() - report why a run cannot be shown. Returns EXIT_USAGE, as command_misused(), if @result is
 * OPTIONS_UNFIT; else EXIT_FAILED.
 */
int command_failed(const struct command *command, int result, const struct text_error *error);

/** command_finish() - flush stdout. Returns @status, or EXIT_FAILED if 0 and flushing failed. */
int command_finish(int status);

#endif
