// SPDX-License-Identifier: GPL-2.0-only
/* probe flat: what the samples of a run with stacks were found in. */
#include "report/debug_names.h"
#include "report/flat_report.h"
#include "stacks_command.h"

static int flat_set(void *context, const char *name, const char *value,
		    struct text_error *error_ret)
{
	return flat_report_set(context, name, value, error_ret);
}

static int flat_check(void *context, struct text_error *error_ret)
{
	return flat_report_check(context, error_ret);
}

static int flat_show(void *context, const struct stack_run *stacks, struct text_error *error_ret)
{
	return flat_report_show(context, stacks, error_ret);
}

static int flat_run(const struct command *command, char **argv)
{
	struct flat_report flat = { .has_by = false };
	const struct stacks_command stacks = {
		.command = command, .context = &flat, .set = flat_set, .check = flat_check,
		.show = flat_show,
	};
	int status = stacks_command_run(&stacks, argv);

	flat_report_deinit(&flat);
	return status;
}

static const struct option_spec *const flat_options[] = {
	sampling_specs, stacks_specs, flat_report_specs, debug_names_specs, export_specs,
	columns_specs, form_specs, NULL
};

static const struct column_list *const flat_columns[] = { &flat_column_list, NULL };

const struct command command_flat = {
	.name = "flat",
	.arguments = "[FILE | -- COMMAND...]",
	.help = "share of every function, object, program or line: from whole stacks",
	.options = flat_options,
	.columns = flat_columns,
	.run = flat_run,
};
