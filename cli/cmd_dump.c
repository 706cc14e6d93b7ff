// SPDX-License-Identifier: GPL-2.0-only
/* probe dump: show or save what a background run has counted so far. */
#include "background_command.h"

static int dump_run(void *self, const struct options_rest *rest)
{
	struct background_counts *counts = self;
	char request[64] = "dump";

	if (counts->last_seconds)
		snprintf(request, sizeof(request), "dump %.3f", counts->last_seconds);
	return background_get(counts, request, background_name(rest));
}

static const struct option_list dump_options[] = {
	{ background_last_specs, 0 },
	BACKGROUND_OPTIONS,
	{ NULL }
};

const struct command command_dump = {
	.name = "dump",
	.arguments = "[NAME]",
	.help = "show or save what a background run has counted so far",
	.options = dump_options,
	.columns = background_columns,
	.self_len = sizeof(struct background_counts),
	.max_args = 1,
	.choose_options = background_choose,
	.check = background_check,
	.run = dump_run,
	.deinit = background_deinit,
};
