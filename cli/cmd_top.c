// SPDX-License-Identifier: GPL-2.0-only
/* probe top: the live view, from the machine down to an instruction. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "command.h"
#include "top/live.h"

static const char *const bys[] = { "exe", "pid", "thread", "comm", "cgroup", NULL };

/* Parses a duration within the limits of the live view. */
static int parse_interval(const struct option_spec *spec, const char *value, void *at,
			  struct text_error *error_ret)
{
	double *seconds = at;
	int error = option_seconds(spec, value, seconds, error_ret);

	if (!error && (*seconds < LIVE_INTERVAL_MIN || *seconds > LIVE_INTERVAL_MAX))
		return text_fail(error_ret, -EINVAL, "'%s' is not from %g to %d seconds", value,
				 LIVE_INTERVAL_MIN, LIVE_INTERVAL_MAX);
	return error;
}

static int parse_sort(const struct option_spec *spec, const char *value, void *at,
		      struct text_error *error_ret)
{
	const char **key = at;
	size_t i;

	for (i = 0; i < table_column_list.nr; i++) {
		if (strcmp(table_column_list.column[i].key, value))
			continue;
		*key = value;
		return 0;
	}
	text_fail(error_ret, 0, "'%s' is not a column", value);
	text_hint(error_ret, "'probe top -help' lists them");
	return -EINVAL;
}

#define LIVE(field)	offsetof(struct live_options, field)

static const struct option_spec top_specs[] = {
	{ "sec", "T", "duration: 10, 2m or 1h (default: until you quit)", option_seconds,
	  LIVE(level.sampling.seconds) },
	{ "interval", "T", "seconds between refreshes, 0.1 to 60 (default 1)", parse_interval,
	  LIVE(level.sampling.repeat_seconds) },
	{ "window", "T", "show only the last T seconds (default: everything since the start)",
	  option_seconds, LIVE(level.window_seconds) },
	{ "by", "WHAT", "a row per exe, pid, thread, comm or cgroup (default exe)", option_choice,
	  LIVE(level.by), bys },
	{ "sort", "KEY", "column to sort by (default total)", parse_sort,
	  LIVE(level.sort) },
	{ "ascii", NULL, "draw with ASCII only", option_flag, LIVE(only_ascii) },
	{ NULL }
};

static void top_init(void *self)
{
	struct live_options *options = self;

	sampling_init(&options->level.sampling);
	options->level.sampling.repeat_seconds = 1;
}

static int top_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct live_options *options = self;

	if (event_is_sampled(&options->level.sampling.event) && options->level.output.of == OF_CPU)
		return text_fail(error_ret, -EINVAL, "-event cannot be combined with -of cpu");
	return columns_check(&table_column_list, options->level.output.columns, error_ret) ?:
		sampling_check(&options->level.sampling, error_ret);
}

static int top_run(void *self, const struct options_rest *rest)
{
	struct live_options *options = self;
	struct text_error error;

	options->task = rest->args[0];
	if (!live_show(options, &error))
		return 0;
	text_report(&error);
	return EXIT_FAILED;
}

static void top_deinit(void *self)
{
	struct live_options *options = self;

	sampling_deinit(&options->level.sampling);
}

static const struct option_list top_options[] = {
	{ top_specs, 0 },
	{ sampling_specs, LIVE(level.sampling) },
	{ events_specs, LIVE(level.sampling) },
	{ output_specs, LIVE(level.output) },
	{ columns_specs, LIVE(level.output) },
	{ NULL }
};

static const struct column_list *const top_columns[] = { &table_column_list, NULL };

const struct command command_top = {
	.name = "top",
	.arguments = "[TASK]",
	.help = "live view of the machine; Enter zooms in, down to an instruction",
	.options = top_options,
	.columns = top_columns,
	.self_len = sizeof(struct live_options),
	.max_args = 1,
	.args_hint = "one TASK to begin with; 'probe sys' measures a COMMAND",
	.init = top_init,
	.check = top_check,
	.run = top_run,
	.deinit = top_deinit,
};
