// SPDX-License-Identifier: GPL-2.0-only
/* probe start: sample stacks in the background. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "command.h"
#include "stacks/control.h"
#include "stacks/holder.h"
#include "stacks/stacks_options.h"

#define RING_MIB_MAX 1024

struct start {
	struct stacks_options stacks;
	u64 ring_mib;
};

static const struct option_spec start_specs[] = {
	{ "ring", "MIB", "memory for the most recent minutes, for 'dump -last' (default 16)",
	  option_range, offsetof(struct start, ring_mib), .min = 1, .max = RING_MIB_MAX },
	{ NULL }
};

static void start_init(void *self)
{
	struct start *start = self;

	start->ring_mib = HOLDER_RING_MIB;
	stacks_options_init(&start->stacks);
}

static int start_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct start *start = self;

	if (rest->nr_args && control_check_name(rest->args[0], error_ret))
		return -EINVAL;
	return stacks_check(&start->stacks, error_ret);
}

static int start_run(void *self, const struct options_rest *rest)
{
	const char *name = rest->nr_args ? rest->args[0] : CONTROL_NAME_DEFAULT;
	struct start *start = self;
	int pid;

	/* Without -sec a background run has no limit. */
	if (!start->stacks.sampling.seconds)
		start->stacks.sampling.seconds = INT_MAX;
	pid = holder_start(name, &start->stacks, start->ring_mib);
	if (pid < 0)
		return EXIT_FAILED;
	printf("run %s is sampling in the background (pid %d)\n", name, pid);
	return 0;
}

static void start_deinit(void *self)
{
	struct start *start = self;

	stacks_options_deinit(&start->stacks);
}

static const struct option_list start_options[] = {
	{ sampling_specs, offsetof(struct start, stacks.sampling) },
	{ stacks_specs, offsetof(struct start, stacks) },
	{ start_specs, 0 },
	{ NULL }
};

const struct command command_start = {
	.name = "start",
	.arguments = "[NAME]",
	.help = "sample stacks in the background until 'stop'; see status, dump, reset, list",
	.options = start_options,
	.self_len = sizeof(struct start),
	.max_args = 1,
	.args_hint = "'probe flat' and 'probe graph' measure a COMMAND",
	.init = start_init,
	.check = start_check,
	.run = start_run,
	.deinit = start_deinit,
};
