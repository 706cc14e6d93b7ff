// SPDX-License-Identifier: GPL-2.0-only
/* probe sys: share of every process, by CPU mode, as in the paper's Figure 3. */
#include <errno.h>
#include <string.h>

#include "background_command.h"
#include "base/option_values.h"
#include "command.h"
#include "export/export_options.h"
#include "metrics/listen.h"
#include "metrics/metrics_run.h"
#include "run/sampling.h"
#include "sys/alarms.h"
#include "sys/rows.h"
#include "sys/sys_page.h"
#include "sys/sys_save.h"
#include "sys/table_columns.h"
#include "sys_others.h"

#define EXIT_ALARM	3

/** State of one run of the command. */
struct sys {
	struct sampling_options sampling;
	struct table_options table;
	struct export_options exports;
	struct alarms alarms;
	struct metrics_file_options prom;
	struct listen_options listening;
	struct sys_rows_by by;
	const char *background;	/* name of the run; NULL: measure here */
	struct metrics *metrics;	/* NULL: no metrics are wanted */
	struct listen *listen;		/* NULL: not listening */
	int metrics_status;		/* error of the last file of metrics */
	struct fold *fold;
	struct run run;
	struct sys_others others;	/* of several events */
	struct record_writer writer;
	struct export page;
};

static const char *const bys[] = { "exe", "pid", "thread", "comm", "cgroup", "container", "vm", NULL };

static const struct option_spec sys_specs[] = {
	{ "by", "WHAT", "a row per exe, pid, thread, comm, cgroup, container or vm (default exe)",
	  option_choice, offsetof(struct sys, by.by), bys },
	{ NULL }
};

static void add_records(void *context, u32 cpu, const struct cpuprobe_account *account,
			const void *records)
{
	struct sys *sys = context;

	sys_fold_add(sys->fold, &sys->by, cpu, account, records);
}

static void end_sys_block(void *context)
{
	struct sys *sys = context;

	fold_end_block(sys->fold);
	sys_others_end_block(&sys->others);
}

/* Whether every row above 1% is as precise as -within demands. */
static bool are_rows_precise(void *context, double elapsed_seconds, double *seconds_left_ret)
{
	struct sys *sys = context;
	double most = 0, excess = sys->run.result.account.excess;
	struct rows rows;
	size_t i;

	if (!fold_taken(sys->fold) || rows_init(&rows, sys->fold, excess))
		return false;
	for (i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.row[i];
		double left = row->total > SAMPLING_WITHIN_LEAST ?
			stat_seconds_left(row->total, rows.taken, excess, sys->sampling.within / 100,
					  elapsed_seconds) : 0;

		most = left > most ? left : most;
	}
	rows_deinit(&rows);
	*seconds_left_ret = most;
	return most <= 0;
}

/* Adds the counts to the metrics and hands these out. An error does not end the run. */
static void write_metrics(struct sys *sys, const struct run_result *result)
{
	struct text_error error;

	if (!sys->metrics)
		return;
	if (metrics_add_run(sys->metrics, &sys->run, sys->fold, result))
		metrics_skip(sys->metrics);
	if (sys->listen)
		listen_publish(sys->listen, sys->metrics);
	if (!sys->prom.path)
		return;
	sys->metrics_status = metrics_file_write(sys->prom.path, sys->metrics, &error);
	if (sys->metrics_status)
		text_report(&error);
}

/* Begins again with empty folds. -ENOMEM: they are as before. */
static int replace_folds(struct sys *sys)
{
	struct fold *next = sys_fold_create(&sys->by);

	if (!next || sys_others_restart(&sys->others, &sys->run)) {
		fold_destroy(next);
		return -ENOMEM;
	}
	fold_destroy(sys->fold);
	sys->fold = next;
	sys_rows_trim(&sys->by);
	return 0;
}

static int show_table(struct sys *sys, const struct run_result *result, const struct receipt *receipt,
		      bool is_repeated)
{
	struct table_events events;

	return sys_others_table(&sys->others, sys->fold, &sys->run, &events) ?:
		table_show(stdout, sys->fold, result, receipt, &sys->table, &events, is_repeated);
}

/* Shows the table of one interval and judges the alarms; the next table begins empty. */
static bool show_interval(void *context, const struct run_result *result)
{
	struct sys *sys = context;
	bool goes_on;

	show_table(sys, result, NULL, true);
	write_metrics(sys, result);
	goes_on = alarms_judge(&sys->alarms, sys->fold, result, sys->table.output.ci);
	/* Out of memory: the samples stay for the next table. */
	replace_folds(sys);
	return !output_flush() && goes_on;
}

/* Writes a saved run, which says what its rows are. -ENOMEM. */
static int write_saved_sys(struct sys *sys, struct record_writer *writer)
{
	size_t i;

	sys->run.receipt.by = sys->by.by;
	for (i = 0; i < sys->run.nr_beside; i++)
		sys->run.beside[i]->receipt.by = sys->by.by;
	sys_save(writer, sys->fold, &sys->run);
	return sys_others_save(&sys->others, &sys->run, writer);
}

static int save_sys(struct sys *sys)
{
	struct text_error error;
	int status;

	if (!sys->sampling.save)
		return 0;
	status = write_saved_sys(sys, &sys->writer);
	status = status ? text_fail(&error, status, "save the run: out of memory") :
		record_commit(&sys->writer, &error);
	if (status)
		text_report(&error);
	return status;
}

static int write_sys_report_page(struct sys *sys)
{
	struct table_events events;
	const struct sys_page page = {
		.fold = sys->fold, .result = &sys->run.result, .receipt = &sys->run.receipt,
		.others = &events, .options = &sys->table,
	};
	struct text_error error;
	int status;

	status = sys_others_table(&sys->others, sys->fold, &sys->run, &events);
	if (status)
		return status;
	status = export_write_page(&sys->page, sys_page_write, &page, &error);

	if (status)
		text_report(&error);
	return status;
}

static int show_and_save_sys(struct sys *sys)
{
	const struct run_result *result = &sys->run.result;
	int status;

	/* The last, partial interval, unless it is empty or an alarm has ended the run. */
	if (sys->sampling.repeat_seconds) {
		if (result->account.taken && !sys->alarms.is_raised)
			show_interval(sys, result);
		sys_others_finish(&sys->run, &sys->table);
		sys_others_warn(&sys->run);
		return sys->metrics_status;
	}
	status = show_table(sys, result, &sys->run.receipt, false);
	if (status)
		return status;
	if (sys->table.output.format == FORMAT_TSV)
		sys_others_finish(&sys->run, &sys->table);
	sys_others_warn(&sys->run);
	run_tell_precision(&sys->run);
	status = save_sys(sys);
	write_metrics(sys, result);
	return write_sys_report_page(sys) ?: status ?: sys->metrics_status;
}

/* Prepares the run and its counts. */
static int prepare_sys(struct sys *sys, struct text_error *error_ret)
{
	struct run *run = &sys->run;

	if (sys_rows_init(&sys->by))
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	sys->fold = sys_fold_create(&sys->by);
	if (!sys->fold)
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	run->options = &sys->sampling;
	run->start = (struct cpuprobe_start){
		.what = CPUPROBE_WHAT_SYSTEM, .exe_fd = -1, .cgroup_fd = -1,
		.by = sys_rows_counted_by(&sys->by),
	};
	run->by_cpu = table_option_of_cpus(&sys->table);
	run->not_perf = sys->by.by == SYS_BY_CONTAINER ? "-by container" : NULL;
	run->sink = add_records;
	run->block = end_sys_block;
	run->is_precise = sys->sampling.within > 0 ? are_rows_precise : NULL;
	run->interval = sys->sampling.repeat_seconds ? show_interval : NULL;
	run->context = sys;
	return sys_others_begin(&sys->others, run, &sys->by) ? text_fail(error_ret, -ENOMEM, "measure: out of memory") : 0;
}

static int start_listening(struct sys *sys, struct text_error *error_ret)
{
	int error = listen_start(&sys->listen, &sys->listening, error_ret);

	if (!error)
		fprintf(stderr, "probe: metrics at port %u\n", listen_port(sys->listen));
	return error;
}

/* Prepares the metrics, so that errors of their file and of their port show before the run. */
static int prepare_metrics(struct sys *sys, struct text_error *error_ret)
{
	const struct metrics_options options = {
		.nr_rows = metrics_file_rows(&sys->prom), .by = bys[sys->by.by], .containers = sys->by.containers,
	};

	if (!sys->prom.path && !sys->listening.address)
		return 0;
	sys->metrics = metrics_create(&options);
	if (!sys->metrics)
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	return (sys->prom.path ? metrics_file_probe(sys->prom.path, error_ret) : 0) ?:
		(sys->listening.address ? start_listening(sys, error_ret) : 0);
}

static int measure_sys(struct sys *sys, struct text_error *error_ret)
{
	int error = prepare_sys(sys, error_ret) ?: prepare_metrics(sys, error_ret);

	if (error)
		return error;
	if (sys->sampling.save && record_create(&sys->writer, sys->sampling.save, error_ret))
		return -EIO;
	if (export_open(&sys->page, &sys->exports, NULL, error_ret))
		return -EIO;
	return run_measure(&sys->run, error_ret);
}

static int begin_background(void *self, struct run **run_ret, struct text_error *error_ret)
{
	struct sys *sys = self;

	*run_ret = &sys->run;
	return prepare_sys(sys, error_ret);
}

static int save_background(void *self, struct record_writer *writer)
{
	struct sys *sys = self;

	return write_saved_sys(sys, writer);
}

static int reset_background(void *self)
{
	return replace_folds(self);
}

static void end_background(void *self)
{
	struct sys *sys = self;

	fold_destroy(sys->fold);
	run_deinit(&sys->run);
	sys_others_deinit(&sys->others);
}

static const struct holder_kind sys_kind = {
	.name = "sys",
	.rate = HOLDER_ANY_RATE,
	.begin = begin_background,
	.save = save_background,
	.reset = reset_background,
	.end = end_background,
};

static int sys_run(void *self, const struct options_rest *rest)
{
	struct sys *sys = self;
	struct run *run = &sys->run;
	struct text_error error;
	int result, shown;

	if (sys->background)
		return background_start(sys->background, &sys_kind, sys, &sys->sampling);
	run->command = rest->command;
	sys->sampling.has_exports = export_is_asked(&sys->exports) || sys->prom.path;
	result = measure_sys(sys, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = show_and_save_sys(sys);
		result = result ? result : shown;
	}
	record_abandon(&sys->writer);
	export_abandon(&sys->page);
	fold_destroy(sys->fold);
	run_deinit(run);
	sys_others_deinit(&sys->others);
	return !result && sys->alarms.is_raised ? EXIT_ALARM : run_exit_status(run, result);
}

static void sys_init(void *self)
{
	struct sys *sys = self;

	sampling_init(&sys->sampling);
	alarms_init(&sys->alarms);
}

/* Metrics count seconds, and one CPU is 100% of a time. */
static int check_event(const struct sys *sys, struct text_error *error_ret)
{
	const char *option = sys->prom.path ? "prom" : sys->listening.address ? "listen" :
		sys->table.output.of == OF_CPU ? "of cpu" : NULL;

	const struct event event = sampling_event(&sys->sampling);

	return !option || !event_is_sampled(&event) ? 0 :
		text_fail(error_ret, -EINVAL, "-%s cannot be combined with -%s", sys->sampling.uses_nmi ? "nmi" : "event",
			  option);
}

static int check_metrics(const struct sys *sys, struct text_error *error_ret)
{
	if (sys->background && (sys->prom.path || sys->listening.address))
		return text_fail(error_ret, -EINVAL, "-background cannot be combined with -%s",
				 sys->prom.path ? "prom" : "listen");
	if (sys->listening.address && !sys->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-listen needs -repeat");
	return listen_check(&sys->listening, error_ret) ?:
		metrics_file_check(&sys->prom, sys->listening.address, sys->sampling.save, error_ret);
}

static int sys_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	static const struct option_spec *const reports[] = {
		table_specs, export_page_specs, output_specs, columns_specs, form_specs, NULL
	};
	const struct sys *sys = self;

	return background_check_start(sys->background, rest, reports, error_ret) ?:
		columns_check(&table_column_list, sys->table.output.columns, error_ret) ?:
		sampling_check(&sys->sampling, error_ret) ?:
		alarms_check(&sys->alarms, sys->sampling.repeat_seconds > 0, rest->command,
			     sys->table.output.of, error_ret) ?:
		check_metrics(sys, error_ret) ?:
		check_event(sys, error_ret) ?:
		export_check(&sys->exports, sys->sampling.save, sys->sampling.repeat_seconds > 0,
			     error_ret) ?:
		export_check_other(&sys->exports, "prom", sys->prom.path, error_ret);
}

static void sys_deinit(void *self)
{
	struct sys *sys = self;

	listen_stop(sys->listen);
	metrics_destroy(sys->metrics);
	sys_rows_deinit(&sys->by);
	sampling_deinit(&sys->sampling);
}

static const struct option_list sys_options[] = {
	{ sec_report_specs, offsetof(struct sys, sampling) },
	{ sampling_specs, offsetof(struct sys, sampling) },
	{ report_specs, offsetof(struct sys, sampling) },
	{ events_specs, offsetof(struct sys, sampling) },
	{ nmi_specs, offsetof(struct sys, sampling) },
	{ sys_specs, 0 },
	{ alarm_specs, offsetof(struct sys, alarms) },
	{ background_specs, offsetof(struct sys, background) },
	{ table_specs, offsetof(struct sys, table) },
	{ export_page_specs, offsetof(struct sys, exports) },
	{ metrics_file_specs, offsetof(struct sys, prom) },
	{ listen_specs, offsetof(struct sys, listening) },
	{ output_specs, offsetof(struct sys, table.output) },
	{ columns_specs, offsetof(struct sys, table.output) },
	{ form_specs, offsetof(struct sys, table.output) },
	{ NULL }
};

static const struct column_list *const sys_columns[] = { &table_column_list, NULL };

const struct command command_sys = {
	.name = "sys",
	.arguments = "[-- COMMAND...]",
	.help = "share of every process, by CPU mode",
	.options = sys_options,
	.columns = sys_columns,
	.self_len = sizeof(struct sys),
	.takes_command = true,
	.init = sys_init,
	.check = sys_check,
	.run = sys_run,
	.deinit = sys_deinit,
};
