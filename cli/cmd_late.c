// SPDX-License-Identifier: GPL-2.0-only
/* probe late: how late samples are, and which code kept interrupts off. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "command.h"
#include "run/run.h"
#include "run/sampling.h"
#include "sys/late_columns.h"
#include "sys/late_view.h"

/** State of one run of the command. */
struct late_command {
	struct sampling_options sampling;
	struct output_options output;
	bool shows_handlers;
	struct late_report report;
	struct run run;
};

static const struct option_spec late_specs[] = {
	{ "handler", NULL, "show how long the handler of a sample takes on each CPU", option_flag,
	  offsetof(struct late_command, shows_handlers) },
	{ NULL }
};

static int show_places(struct late_command *late)
{
	struct sym_index *symbols = NULL;
	struct sym_error reason;
	int error;

	/* Read symbols after the run, so that modules loaded during the run have names. */
	if (late->report.nr_places &&
	    sym_index_create_kallsyms("/proc/kallsyms", &symbols, &reason))
		fprintf(stderr, "probe: read /proc/kallsyms: %s\n"
			"hint: kernel symbols need CAP_SYSLOG and kernel.kptr_restrict "
			"below 2\n",
			reason.text);
	late_report_name(&late->report, symbols);
	error = late_view_show(stdout, &late->report, &late->run.receipt, &late->output);
	sym_index_destroy(symbols);
	return error;
}

static int show_late(struct late_command *late)
{
	int error = late->shows_handlers ?
		late_view_show_handlers(stdout, &late->report, &late->run.receipt, &late->output) :
		show_places(late);

	if (!error && late->output.format == FORMAT_TSV)
		receipt_finish(&late->run.receipt, &late->output);
	return error;
}

static int late_run(void *self, const struct options_rest *rest)
{
	struct late_command *late = self;
	struct run *run = &late->run;
	struct text_error error;
	int result;

	run->command = rest->command;
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
		result = show_late(late) ?: result;
	late_report_clear(&late->report);
	run_deinit(run);
	return run_exit_status(run, result);
}

static void late_init(void *self)
{
	struct late_command *late = self;

	sampling_init(&late->sampling);
}

static int late_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct late_command *late = self;

	return columns_check(late->shows_handlers ? &handler_column_list : &late_column_list,
			     late->output.columns, error_ret);
}

static void late_deinit(void *self)
{
	struct late_command *late = self;

	sampling_deinit(&late->sampling);
}

static const struct option_list late_options[] = {
	{ sampling_specs, offsetof(struct late_command, sampling) },
	{ late_specs, 0 },
	{ columns_specs, offsetof(struct late_command, output) },
	{ form_specs, offsetof(struct late_command, output) },
	{ NULL }
};

static const struct column_list *const late_columns[] = {
	&late_column_list, &handler_column_list, NULL
};

const struct command command_late = {
	.name = "late",
	.arguments = "[-- COMMAND...]",
	.help = "how late samples are, and which code kept interrupts off",
	.options = late_options,
	.columns = late_columns,
	.self_len = sizeof(struct late_command),
	.takes_command = true,
	.init = late_init,
	.check = late_check,
	.run = late_run,
	.deinit = late_deinit,
};
