// SPDX-License-Identifier: GPL-2.0-only
/* The table of the commands of probe. */
#include "command.h"

#define COMMAND(name)	&command_##name,

const struct command *const commands[] = {
#include "commands.h"
	NULL
};
