// SPDX-License-Identifier: GPL-2.0-only
/* probe flat: a flat profile from whole stacks. */
#include "report/debug_names.h"
#include "report/flat_report.h"
#include "stacks_command.h"

struct flat_command {
	struct stacks_command stacks;
	struct flat_report report;
};

static void flat_init(void *self)
{
	struct flat_command *flat = self;

	stacks_command_init(self, &flat->report.output);
}

static int flat_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	struct flat_command *flat = self;

	/* A row per process needs processes that are kept apart. */
	flat->stacks.stacks.by_pid |= flat->report.view.flat.by == FLAT_PROCESS;
	return flat_report_check(&flat->report, rest, error_ret) ?:
		stacks_command_check(self, rest, error_ret);
}

static int show_flat(void *self, const struct stack_run *stacks, struct text_error *error_ret)
{
	struct flat_command *flat = self;

	return flat_report_show(&flat->report, stacks, error_ret);
}

static int flat_run(void *self, const struct options_rest *rest)
{
	return stacks_command_run(self, rest, show_flat);
}

static void flat_deinit(void *self)
{
	struct flat_command *flat = self;

	flat_report_deinit(&flat->report);
	stacks_command_deinit(self);
}

#define FLAT(field)	offsetof(struct flat_command, report.field)

static const struct option_list flat_options[] = {
	STACKS_COMMAND_OPTIONS,
	{ flat_report_specs, offsetof(struct flat_command, report) },
	{ debug_names_specs, FLAT(is_fetched) },
	STACKS_COMMAND_EXPORTS,
	{ columns_specs, FLAT(output) },
	{ form_specs, FLAT(output) },
	{ NULL }
};

static const struct column_list *const flat_columns[] = { &flat_column_list, NULL };

const struct command command_flat = {
	.name = "flat",
	.arguments = "[FILE | -- COMMAND...]",
	.help = "flat profile from whole stacks: functions, objects, programs or lines",
	.options = flat_options,
	.columns = flat_columns,
	.self_len = sizeof(struct flat_command),
	.max_args = 1,
	.takes_command = true,
	.init = flat_init,
	.check = flat_check,
	.run = flat_run,
	.deinit = flat_deinit,
};
