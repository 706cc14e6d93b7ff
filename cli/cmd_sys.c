// SPDX-License-Identifier: GPL-2.0-only
/* probe sys: every process by CPU mode, the paper's Figure 3. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "sampling.h"
#include "save.h"
#include "table_view.h"

/** All that one run of the command holds. */
struct sys {
	struct sampling_options sampling;
	struct table_options table;
	struct fold *fold;
	struct run run;
	struct record_writer writer;
};

static int sys_set(void *context, const char *name, const char *value,
		   struct text_error *error_ret)
{
	struct sys *sys = context;
	int result = sampling_set(&sys->sampling, name, value, error_ret);

	return result <= 0 ? result : table_set(&sys->table, name, value, error_ret);
}

static void add_records(void *context, uint32_t cpu, const struct cpuprobe_account *account,
			const void *records)
{
	struct sys *sys = context;

	fold_add(sys->fold, cpu, account, records);
}

/* One table of a stream; the next one begins empty. */
static bool show_interval(void *context, const struct run_result *result)
{
	struct sys *sys = context;
	struct fold *next = fold_create();

	if (!next)
		return true;	/* the samples stay for the next table */
	table_show(stdout, sys->fold, result, &sys->table, true);
	fold_destroy(sys->fold);
	sys->fold = next;
	return !output_flush();
}

static int show_and_save(struct sys *sys)
{
	const struct run_result *result = &sys->run.result;
	struct text_error error;
	int status;

	/* What is left of a stream, unless it is nothing. */
	if (sys->sampling.repeat_seconds) {
		if (result->account.taken)
			show_interval(sys, result);
		return 0;
	}
	status = table_show(stdout, sys->fold, result, &sys->table, false);
	if (status || !sys->sampling.save)
		return status;
	save_sys(&sys->writer, sys->fold, result);
	status = record_commit(&sys->writer, &error);
	if (status)
		text_report(&error);
	return status;
}

static int measure(struct sys *sys, struct text_error *error_ret)
{
	sys->fold = fold_create();
	if (!sys->fold)
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	if (sys->sampling.save && record_create(&sys->writer, sys->sampling.save, error_ret))
		return -EIO;
	return run_measure(&sys->run, error_ret);
}

static int measure_and_show(struct sys *sys)
{
	struct text_error error;
	int result, shown;

	sys->run.options = &sys->sampling;
	sys->run.start = (struct cpuprobe_start){ .what = CPUPROBE_WHAT_SYSTEM, .exe_fd = -1 };
	sys->run.sink = add_records;
	sys->run.interval = sys->sampling.repeat_seconds ? show_interval : NULL;
	sys->run.context = sys;
	result = measure(sys, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = show_and_save(sys);
		result = result ? result : shown;
	}
	record_abandon(&sys->writer);
	fold_destroy(sys->fold);
	return run_exit_status(&sys->run, result);
}

static int sys_run(const struct command *command, char **argv)
{
	struct sys sys = { 0 };
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	sampling_init(&sys.sampling);
	if (options_parse(argv, command->options, sys_set, &sys, &rest, &error) ||
	    sampling_check(&sys.sampling, &error)) {
		status = command_misused(command, &error);
	} else if (rest.nr_args) {
		text_fail(&error, 0, "unexpected argument '%s'", rest.args[0]);
		text_hint(&error, "a command to measure goes after '--'");
		status = command_misused(command, &error);
	} else {
		sys.run.command = rest.command;
		status = measure_and_show(&sys);
	}
	sampling_deinit(&sys.sampling);
	return status;
}

static const struct option_spec *const sys_options[] = {
	sampling_specs, table_specs, output_specs, NULL
};

const struct command command_sys = {
	.name = "sys",
	.arguments = "[-- COMMAND...]",
	.help = "share of every process by CPU mode",
	.options = sys_options,
	.run = sys_run,
};
