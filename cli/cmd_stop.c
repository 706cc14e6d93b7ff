// SPDX-License-Identifier: GPL-2.0-only
/* probe stop: end a background run, and show or save what it has counted. */
#include "background_command.h"

static int stop_run(void *self, const struct options_rest *rest)
{
	return background_get(self, "stop", background_name(rest));
}

static const struct option_list stop_options[] = { BACKGROUND_OPTIONS, { NULL } };

const struct command command_stop = {
	.name = "stop",
	.arguments = "[NAME]",
	.help = "end a background run, and show or save what it has counted",
	.options = stop_options,
	.columns = background_columns,
	.self_len = sizeof(struct background_counts),
	.max_args = 1,
	.choose_options = background_choose,
	.check = background_check,
	.run = stop_run,
	.deinit = background_deinit,
};
