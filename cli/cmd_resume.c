// SPDX-License-Identifier: GPL-2.0-only
/* probe resume: continue a paused background run. */
#include "background_command.h"

static int resume_run(void *self, const struct options_rest *rest)
{
	return background_order("resume", rest);
}

const struct command command_resume = {
	.name = "resume",
	.arguments = "[NAME]",
	.help = "continue a paused background run, with the same counts",
	.max_args = 1,
	.check = background_check_name,
	.run = resume_run,
};
