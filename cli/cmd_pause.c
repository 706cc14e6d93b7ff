// SPDX-License-Identifier: GPL-2.0-only
/* probe pause: stop sampling in a background run, and keep its counts. */
#include "background_command.h"

static int pause_run(void *self, const struct options_rest *rest)
{
	return background_order("pause", rest);
}

const struct command command_pause = {
	.name = "pause",
	.arguments = "[NAME]",
	.help = "stop sampling in a background run until 'resume'",
	.max_args = 1,
	.check = background_check_name,
	.run = pause_run,
};
