/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command of probe is; one file per command, one table of them in commands.c. */
#ifndef COMMAND_H
#define COMMAND_H

#include "base/columns.h"
#include "base/options.h"
#include "base/status.h"

struct command {
	const char *name;
	const char *arguments;				/* after the options, for the usage line */
	const char *help;				/* one line */
	const struct option_spec *const *options;	/* NULL-terminated list of lists */
	const struct column_list *const *columns;	/* likewise, for -o; NULL: has none */
	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct command *command, char **argv);
};

extern const struct command *const commands[];	/* all of them; NULL at the end */

extern const struct command command_sys;
extern const struct command command_proc;
extern const struct command command_top;
extern const struct command command_flat;
extern const struct command command_graph;
extern const struct command command_late;
extern const struct command command_show;
extern const struct command command_verify;
extern const struct command command_diff;
extern const struct command command_export;
extern const struct command command_start;
extern const struct command command_list;
extern const struct command command_status;
extern const struct command command_dump;
extern const struct command command_reset;
extern const struct command command_stop;
extern const struct command command_doctor;
extern const struct command command_help;
extern const struct command command_version;

/** command_set_all() - of which commands all others of these functions speak. */
void command_set_all(const struct command *const *table);

/** command_all() - these; NULL at the end. */
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

/** command_wants_help() - whether "-help" stands among the options; prints it if so. */
bool command_wants_help(const struct command *command, char **argv);

/** command_finish() - flush stdout; @status, or EXIT_FAILED with a message when that fails. */
int command_finish(int status);

#endif
