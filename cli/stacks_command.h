/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands that show stacks have in common: options, a FILE that keeps a run or a
 * measurement, exports of either, the exit status.
 */
#ifndef STACKS_COMMAND_H
#define STACKS_COMMAND_H

#include "command.h"
#include "export/export_options.h"
#include "stacks/stacks_fetch.h"

struct stacks_command {
	const struct command *command;
	void *context;
	/* Options of its own: of all options those that are neither of stacks nor of exports. */
	options_set set;
	/* Once all options are known: -EINVAL with a reason. NULL: whatever they are. */
	int (*check)(void *context, struct text_error *error_ret);
	/* Print the report. -errno with a reason. */
	int (*show)(void *context, const struct stack_run *stacks, struct text_error *error_ret);
};

/** stacks_command_run() - all of it; returns the exit status. */
int stacks_command_run(const struct stacks_command *stacks_command, char **argv);

#endif
