// SPDX-License-Identifier: GPL-2.0-only
/* probe start: sample stacks in the background. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "background_command.h"
#include "stacks/stacks_background.h"

#define RING_MIB_MAX 1024

static const struct option_spec start_specs[] = {
	{ "ring", "MIB", "memory for the most recent minutes, for 'dump -last' (default 16)",
	  option_range, offsetof(struct stacks_background, ring_mib), .min = 1, .max = RING_MIB_MAX },
	{ NULL }
};

static void start_init(void *self)
{
	struct stacks_background *start = self;

	start->ring_mib = STACKS_RING_MIB;
	stacks_options_init(&start->options);
}

static int start_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct stacks_background *start = self;

	if (rest->nr_args && control_check_name(rest->args[0], error_ret))
		return -EINVAL;
	return stacks_check(&start->options, error_ret);
}

static int start_run(void *self, const struct options_rest *rest)
{
	struct stacks_background *start = self;

	return background_start(background_name(rest), &stacks_background_kind, start,
				&start->options.sampling);
}

static void start_deinit(void *self)
{
	struct stacks_background *start = self;

	stacks_options_deinit(&start->options);
}

static const struct option_list start_options[] = {
	{ sec_start_specs, offsetof(struct stacks_background, options.sampling) },
	{ sampling_specs, offsetof(struct stacks_background, options.sampling) },
	{ event_specs, offsetof(struct stacks_background, options.sampling) },
	{ nmi_specs, offsetof(struct stacks_background, options.sampling) },
	{ stacks_specs, offsetof(struct stacks_background, options) },
	{ inline_specs, offsetof(struct stacks_background, options) },
	{ unwind_specs, offsetof(struct stacks_background, options.unwind) },
	{ start_specs, 0 },
	{ NULL }
};

const struct command command_start = {
	.name = "start",
	.arguments = "[NAME]",
	.help = "sample stacks in the background until 'stop'; see status, dump, reset, list",
	.options = start_options,
	.self_len = sizeof(struct stacks_background),
	.max_args = 1,
	.args_hint = "'probe flat' and 'probe graph' measure a COMMAND",
	.init = start_init,
	.check = start_check,
	.run = start_run,
	.deinit = start_deinit,
};
