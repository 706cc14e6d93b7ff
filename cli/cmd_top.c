// SPDX-License-Identifier: GPL-2.0-only
/* probe top: the live view, from the machine down to an instruction. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "top/live.h"

static const char *const bys[] = { "exe", "pid", "thread", "comm", "cgroup", NULL };

static const struct option_spec top_specs[] = {
	{ "sec", "T", "end after that time (default: when you quit)" },
	{ "interval", "T", "refresh every T seconds, 0.1 to 60 (default 1)" },
	{ "window", "T", "show the last T seconds (default: all since the beginning)" },
	{ "by", "WHAT", "a row per exe, pid, thread, comm or cgroup (default exe)", bys },
	{ "sort", "KEY", "order of the rows: the key of a column (default total)" },
	{ "ascii", NULL, "draw with ASCII only" },
	{ NULL, NULL, NULL }
};

static int set_interval(struct sampling_options *sampling, const char *value,
			struct text_error *error_ret)
{
	int error = parse_seconds(value, &sampling->repeat_seconds, error_ret);

	if (!error && (sampling->repeat_seconds < LIVE_INTERVAL_MIN ||
		       sampling->repeat_seconds > LIVE_INTERVAL_MAX))
		return text_fail(error_ret, -EINVAL, "'%s' is not from %g to %d seconds", value,
				 LIVE_INTERVAL_MIN, LIVE_INTERVAL_MAX);
	return error;
}

static int set_sort(struct level_options *options, const char *value, struct text_error *error_ret)
{
	size_t i;

	for (i = 0; i < table_column_list.nr; i++)
		if (!strcmp(table_column_list.column[i].key, value))
			options->sort = value;
	if (options->sort == value)
		return 0;
	text_fail(error_ret, 0, "'%s' is no column", value);
	text_hint(error_ret, "'probe top -help' lists them");
	return -EINVAL;
}

static int top_set(void *context, const char *name, const char *value,
		   struct text_error *error_ret)
{
	struct live_options *options = context;
	struct level_options *level = &options->level;
	int result;

	if (!strcmp(name, "interval"))
		return set_interval(&level->sampling, value, error_ret);
	if (!strcmp(name, "window"))
		return parse_seconds(value, &level->window_seconds, error_ret);
	if (!strcmp(name, "by"))
		return parse_choice(value, bys, &level->by, error_ret);
	if (!strcmp(name, "sort"))
		return set_sort(level, value, error_ret);
	if (!strcmp(name, "ascii")) {
		options->only_ascii = true;
		return 0;
	}
	if (!strcmp(name, "o") && columns_check(&table_column_list, value, error_ret))
		return -EINVAL;
	result = sampling_set(&level->sampling, name, value, error_ret);
	return result <= 0 ? result : output_set(&level->output, name, value, error_ret);
}

static int top_run(const struct command *command, char **argv)
{
	struct live_options options = { 0 };
	struct options_rest rest;
	struct text_error error;
	int status = 0;

	if (command_wants_help(command, argv))
		return 0;
	sampling_init(&options.level.sampling);
	options.level.sampling.repeat_seconds = 1;
	if (options_parse(argv, command->options, top_set, &options, &rest, &error) ||
	    sampling_check(&options.level.sampling, &error)) {
		status = command_misused(command, &error);
	} else if (rest.nr_args > 1 || rest.command) {
		text_fail(&error, 0, "unexpected argument '%s'",
			  rest.command ? "--" : rest.args[1]);
		text_hint(&error, "one TASK to begin with; a COMMAND is measured by probe sys");
		status = command_misused(command, &error);
	} else {
		options.task = rest.nr_args ? rest.args[0] : NULL;
		if (live_show(&options, &error)) {
			text_report(&error);
			status = EXIT_FAILED;
		}
	}
	sampling_deinit(&options.level.sampling);
	return status;
}

static const struct option_spec *const top_options[] = {
	/* All but the first of them, which is -sec with another default. */
	top_specs, sampling_specs + 1, output_specs, columns_specs, NULL
};

static const struct column_list *const top_columns[] = { &table_column_list, NULL };

const struct command command_top = {
	.name = "top",
	.arguments = "[TASK]",
	.help = "live view of the machine; Enter zooms in, down to an instruction",
	.options = top_options,
	.columns = top_columns,
	.run = top_run,
};
