// SPDX-License-Identifier: GPL-2.0-only
/* probe late: how late samples come, and who kept interrupts off meanwhile. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "run/run.h"
#include "run/sampling.h"
#include "sys/late_columns.h"
#include "sys/late_view.h"

/** All that one run of the command holds. */
struct late {
	struct sampling_options sampling;
	struct output_options output;
	struct late_report report;
	struct run run;
};

static int late_set(void *context, const char *name, const char *value,
		    struct text_error *error_ret)
{
	struct late *late = context;
	int result = sampling_set(&late->sampling, name, value, error_ret);

	if (!strcmp(name, "o") && columns_check(&late_column_list, value, error_ret))
		return -EINVAL;
	return result <= 0 ? result : output_set(&late->output, name, value, error_ret);
}

static int show(struct late *late)
{
	struct sym_index *symbols = NULL;
	struct sym_error reason;
	int error;

	/* After the run, so that modules loaded meanwhile have names. */
	if (late->report.nr_places &&
	    sym_index_create_kallsyms("/proc/kallsyms", &symbols, &reason))
		fprintf(stderr, "probe: read /proc/kallsyms: %s\n"
			"hint: names of the kernel need CAP_SYSLOG and kernel.kptr_restrict "
			"below 2\n",
			reason.text);
	late_report_name(&late->report, symbols);
	error = late_view_show(stdout, &late->report, &late->run.receipt, &late->output);
	if (!error && late->output.format == FORMAT_TSV)
		receipt_finish(&late->run.receipt, &late->output);
	sym_index_destroy(symbols);
	return error;
}

static int measure_and_show(struct late *late)
{
	struct run *run = &late->run;
	struct text_error error;
	int result;

	run->options = &late->sampling;
	run->start = (struct cpuprobe_start){ .what = CPUPROBE_WHAT_LATE, .exe_fd = -1,
					      .cgroup_fd = -1 };
	run->sink = late_report_add;
	run->context = &late->report;
	result = run_measure(run, &error);
	if (result && result != -EBADMSG)
		text_report(&error);
	else if (!run->result.account.taken)
		result = run_no_samples(&run->result);
	else
		result = show(late) ?: result;
	late_report_clear(&late->report);
	run_deinit(run);
	return run_exit_status(run, result);
}

static int late_run(const struct command *command, char **argv)
{
	struct late late = { 0 };
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	sampling_init(&late.sampling);
	if (options_parse(argv, command->options, late_set, &late, &rest, &error) ||
	    options_check_arguments(&rest, 0, &error)) {
		status = command_misused(command, &error);
	} else {
		late.run.command = rest.command;
		status = measure_and_show(&late);
	}
	sampling_deinit(&late.sampling);
	return status;
}

static const struct option_spec *const late_options[] = {
	sampling_specs, columns_specs, form_specs, NULL
};

static const struct column_list *const late_columns[] = { &late_column_list, NULL };

const struct command command_late = {
	.name = "late",
	.arguments = "[-- COMMAND...]",
	.help = "how late samples come, and who kept interrupts off",
	.options = late_options,
	.columns = late_columns,
	.run = late_run,
};
