// SPDX-License-Identifier: GPL-2.0-only
/* probe sys: every process by CPU mode, the paper's Figure 3. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "fold.h"
#include "run.h"
#include "table_view.h"

struct sys_options {
	struct sampling_options sampling;
	unsigned int sort;	/* enum fold_sort */
	uint64_t nr_rows;	/* 0: all */
};

static const struct option_spec sys_specs[] = {
	{ "sort", "KEY", "order of the rows: total, name, user or kernel (default total)" },
	{ "n", "ROWS", "show the ROWS largest, fold the others into one row" },
	{ NULL, NULL, NULL }
};

static int sys_set(void *context, const char *name, const char *value,
		   struct text_error *error_ret)
{
	static const char *const sorts[] = { "total", "name", "user", "kernel", NULL };
	struct sys_options *options = context;
	int result = sampling_set(&options->sampling, name, value, error_ret);

	if (result <= 0)
		return result;
	if (!strcmp(name, "sort"))
		return parse_choice(value, sorts, &options->sort, error_ret);
	result = parse_u64(value, &options->nr_rows, error_ret);
	if (!result && !options->nr_rows)
		return text_fail(error_ret, -EINVAL, "'%s' leaves no row", value);
	return result;
}

static int show(struct run *run, struct fold *fold, const struct sys_options *options)
{
	struct table_view view = {
		.taken = fold_taken(fold),
		.nr_cpus = run->nr_cpus,
		.ci = options->sampling.ci,
		.run = run,
	};
	struct fold_row *rows;

	if (!view.taken)
		return run_no_samples(run);
	rows = fold_finish(fold, &view.nr_rows);
	if (!rows) {
		fprintf(stderr, "probe: show the table: out of memory\n");
		return -ENOMEM;
	}
	view.nr_rows = fold_limit(rows, view.nr_rows, options->sort, options->nr_rows, view.taken);
	view.rows = rows;
	view.scale = options->sampling.of == OF_CPU ? 100.0 * view.nr_cpus : 100.0;
	table_render(stdout, &view, options->sampling.format);
	return 0;
}

static int measure_and_show(struct sys_options *options, char **command)
{
	struct run run = {
		.options = &options->sampling,
		.start = { .what = CPUPROBE_WHAT_SYSTEM, .exe_fd = -1 },
		.command = command,
		.sink = fold_add,
		.context = fold_create(),
	};
	struct text_error error;
	int result, shown;

	if (!run.context) {
		fprintf(stderr, "probe: measure: out of memory\n");
		return run_exit_status(&run, -ENOMEM);
	}
	result = run_measure(&run, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = show(&run, run.context, options);
		result = result ? result : shown;
	}
	fold_destroy(run.context);
	return run_exit_status(&run, result);
}

static int sys_run(const struct command *command, char **argv)
{
	struct sys_options options = { 0 };
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	sampling_init(&options.sampling);
	if (options_parse(argv, command->options, sys_set, &options, &rest, &error)) {
		status = command_misused(command, &error);
	} else if (rest.nr_args) {
		text_fail(&error, 0, "unexpected argument '%s'", rest.args[0]);
		text_hint(&error, "a command to measure goes after '--'");
		status = command_misused(command, &error);
	} else {
		status = measure_and_show(&options, rest.command);
	}
	sampling_deinit(&options.sampling);
	return status;
}

static const struct option_spec *const sys_options[] = { sampling_specs, sys_specs, NULL };

const struct command command_sys = {
	.name = "sys",
	.arguments = "[-- COMMAND...]",
	.help = "share of every process by CPU mode",
	.options = sys_options,
	.run = sys_run,
};
