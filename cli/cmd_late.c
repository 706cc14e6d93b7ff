// SPDX-License-Identifier: GPL-2.0-only
/* probe late: how late samples are, and which code kept interrupts off. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "command.h"
#include "run/beside.h"
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
	struct beside beside;		/* with -nmi: a timer's samples, whose lateness is compared */
	struct late_report inferred;	/* its report */
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
	if (late->sampling.uses_nmi) {
		late_report_name(&late->inferred, symbols);
		late_report_compare(&late->report, &late->inferred);
		error = late_view_show_nmi(stdout, &late->report, &late->run.receipt, &late->output);
	} else {
		error = late_view_show(stdout, &late->report, &late->run.receipt, &late->output);
	}
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

/* Before the run's session begins, and after each of its harvests. */
static int attend_beside(void *context, struct device *device, struct text_error *error_ret)
{
	struct late_command *late = context;

	return late->beside.is_running ? beside_harvest(&late->beside, error_ret) :
		beside_start(&late->beside, &late->sampling, error_ret);
}

static void end_beside(void *context)
{
	struct late_command *late = context;
	struct text_error error;

	if (beside_stop(&late->beside, &error))
		text_report(&error);
}

static void add_by_nmi(void *context, u32 cpu, const struct cpuprobe_account *account, const void *entries)
{
	struct late_command *late = context;

	late_report_add(&late->report, cpu, account, entries);
}

/* Samples by NMI, and by a timer beside them. */
static void prepare_nmi(struct late_command *late)
{
	late->report.is_by_nmi = true;
	late->beside.start.what = CPUPROBE_WHAT_LATE;
	late->beside.sink = late_report_add;
	late->beside.context = &late->inferred;
	late->run.place = attend_beside;
	late->run.ended = end_beside;
	late->run.sink = add_by_nmi;
	late->run.context = late;
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
	if (late->sampling.uses_nmi)
		prepare_nmi(late);
	result = run_measure(run, &error);
	if (result && result != -EBADMSG)
		text_report(&error);
	else if (!run->result.account.taken)
		result = run_no_samples(&run->result);
	else
		result = show_late(late) ?: result;
	beside_close(&late->beside);
	late_report_clear(&late->inferred);
	late_report_clear(&late->report);
	run_deinit(run);
	return run_exit_status(run, result);
}

static void late_init(void *self)
{
	struct late_command *late = self;

	sampling_init(&late->sampling);
	late->beside.device.fd = -1;
}

static int late_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct late_command *late = self;
	struct sampling_options sampling = late->sampling;

	/* The bound is that of the samples beside those by NMI. */
	sampling.deferred_ns = RECEIPT_DEFERRED_NS;
	if (late->sampling.uses_nmi && late->shows_handlers)
		return text_fail(error_ret, -EINVAL, "-nmi cannot be combined with -handler");
	return sampling_check(&sampling, error_ret) ?:
		columns_check(late->shows_handlers ? &handler_column_list :
			      late->sampling.uses_nmi ? &nmi_column_list : &late_column_list,
			      late->output.columns, error_ret);
}

static void late_deinit(void *self)
{
	struct late_command *late = self;

	sampling_deinit(&late->sampling);
}

static const struct option_list late_options[] = {
	{ sec_specs, offsetof(struct late_command, sampling) },
	{ sampling_specs, offsetof(struct late_command, sampling) },
	{ nmi_specs, offsetof(struct late_command, sampling) },
	{ late_specs, 0 },
	{ columns_specs, offsetof(struct late_command, output) },
	{ form_specs, offsetof(struct late_command, output) },
	{ NULL }
};

static const struct column_list *const late_columns[] = {
	&late_column_list, &nmi_column_list, &handler_column_list, NULL
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
