// SPDX-License-Identifier: GPL-2.0-only
/* probe reset: set the counts of a background run to zero. */
#include "background_command.h"

static int reset_run(void *self, const struct options_rest *rest)
{
	return background_order("reset", rest);
}

const struct command command_reset = {
	.name = "reset",
	.arguments = "[NAME]",
	.help = "set the counts of a background run to zero",
	.max_args = 1,
	.check = background_check_name,
	.run = reset_run,
};
