/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the commands that show stacks: a saved run or a measurement, exports of either, and the
 * exit status. The struct of each of these commands begins with struct stacks_command.
 */
#ifndef STACKS_COMMAND_H
#define STACKS_COMMAND_H

#include "command.h"
#include "export/export_options.h"
#include "stacks/stacks_fetch.h"

struct stacks_command {
	struct stacks_options stacks;
	struct export_options exports;
	const struct output_options *output;	/* the command's own */
};

/* Lists of options of all these commands. */
#define STACKS_COMMAND_OPTIONS \
	{ sec_specs, offsetof(struct stacks_command, stacks.sampling) }, \
	{ sampling_specs, offsetof(struct stacks_command, stacks.sampling) }, \
	{ events_specs, offsetof(struct stacks_command, stacks.sampling) }, \
	{ nmi_specs, offsetof(struct stacks_command, stacks.sampling) }, \
	{ count_specs, offsetof(struct stacks_command, stacks.count) }, \
	{ inline_specs, offsetof(struct stacks_command, stacks) }, \
	{ stacks_specs, offsetof(struct stacks_command, stacks) }, \
	{ unwind_specs, offsetof(struct stacks_command, stacks.unwind) }

#define STACKS_COMMAND_EXPORTS \
	{ export_specs, offsetof(struct stacks_command, exports) }

/** stacks_command_init() - implement command.init: set the defaults. @output: in the struct of the command */
void stacks_command_init(void *self, const struct output_options *output);

/** stacks_command_check() - implement command.check. */
int stacks_command_check(void *self, const struct options_rest *rest,
			 struct text_error *error_ret);

/**
 * stacks_command_show - print the report of @stacks. -errno with a reason.
 * @self: the command's own struct
 */
typedef int stacks_command_show(void *self, const struct stack_run *stacks,
				struct text_error *error_ret);

/** stacks_command_run() - read or measure stacks, show and export them. Returns the exit status. */
int stacks_command_run(void *self, const struct options_rest *rest, stacks_command_show *show);

/** stacks_command_deinit() - implement command.deinit. */
void stacks_command_deinit(void *self);

#endif
