// SPDX-License-Identifier: GPL-2.0-only
/* probe status: show the state of a background run. */
#include "background_command.h"

static int status_run(void *self, const struct options_rest *rest)
{
	return background_print_status(background_name(rest));
}

const struct command command_status = {
	.name = "status",
	.arguments = "[NAME]",
	.help = "show the state of a background run",
	.max_args = 1,
	.check = background_check_name,
	.run = status_run,
};
