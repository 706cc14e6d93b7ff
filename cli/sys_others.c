// SPDX-License-Identifier: GPL-2.0-only
/* Several events in one table: see sys_others.h. */
#include <errno.h>
#include <unistd.h>

#include "run/cgroup.h"
#include "sys_others.h"

int sys_rows_init(struct sys_rows_by *by)
{
	if (by->by == SYS_BY_CONTAINER)
		by->containers = container_map_create(cgroup_name, "");
	if (by->by == SYS_BY_VM)
		by->machines = machine_map_create("/proc", !access("/dev/kvm", F_OK));
	return (by->by == SYS_BY_CONTAINER && !by->containers) || (by->by == SYS_BY_VM && !by->machines) ? -ENOMEM : 0;
}

void sys_rows_trim(const struct sys_rows_by *by)
{
	if (by->containers)
		container_map_trim(by->containers);
	if (by->machines)
		machine_map_trim(by->machines);
}

void sys_rows_deinit(struct sys_rows_by *by)
{
	container_map_destroy(by->containers);
	machine_map_destroy(by->machines);
}

unsigned int sys_rows_counted_by(const struct sys_rows_by *by)
{
	return by->by == SYS_BY_CONTAINER ? CPUPROBE_BY_CGROUP : by->by == SYS_BY_VM ? CPUPROBE_BY_PID : by->by;
}

struct fold *sys_fold_create(const struct sys_rows_by *by)
{
	struct fold *fold = fold_create();

	if (fold && by->by == CPUPROBE_BY_CGROUP)
		fold_name_by(fold, cgroup_name);
	if (fold && by->containers)
		fold_name_with(fold, container_map_name, by->containers);
	if (fold && by->machines)
		fold_name_with(fold, machine_map_name, by->machines);
	return fold;
}

void sys_fold_add(struct fold *fold, const struct sys_rows_by *by, u32 cpu,
		  const struct cpuprobe_account *account, const void *records)
{
	const void *mapped = by->containers ?
		container_map_records(by->containers, records, account->entries) : by->machines ?
		machine_map_records(by->machines, records, account->entries) : records;

	/* Out of memory: each group or process has its own row. */
	fold_add(fold, cpu, account, mapped ? mapped : records);
}

static void add_other_records(void *context, u32 cpu, const struct cpuprobe_account *account,
			      const void *records)
{
	struct sys_other *other = context;

	sys_fold_add(other->fold, other->by, cpu, account, records);
}

int sys_others_begin(struct sys_others *others, struct run *run, const struct sys_rows_by *by)
{
	unsigned int i;

	for (i = 0; i < run->options->nr_others; i++) {
		struct sys_other *other = &others->other[i];

		other->by = by;
		other->fold = sys_fold_create(by);
		if (!other->fold)
			return -ENOMEM;
		sampling_beside(run->options, i, &other->sampling);
		others->run[i] = (struct run){
			.options = &other->sampling, .start = run->start, .sink = add_other_records,
			.context = other,
		};
	}
	run->beside = others->run;
	run->nr_beside = run->options->nr_others;
	return 0;
}

/* Receipts that the table does not contain, and warnings. */
static void finish(const struct run *run, const struct table_options *options)
{
	const bool is_tsv = options->output.format == FORMAT_TSV;
	unsigned int i;

	if (is_tsv)
		receipt_finish(&run->receipt, &options->output);
	for (i = 0; is_tsv && i < run->nr_beside; i++)
		receipt_print_beside(stderr, &run->beside[i].receipt, output_cols(&options->output));
	receipt_warn(&run->receipt, TABLE_DIGITS);
	for (i = 0; i < run->nr_beside; i++)
		receipt_warn(&run->beside[i].receipt, TABLE_DIGITS);
	run_tell_precision(run);
}

/* Shares are of the first event: without its samples there is no table. */
static int report_no_samples(const struct run_result *result)
{
	struct text_error error;

	text_fail(&error, 0, "no sample of %s was taken in %.3g s", result->event.name, result->elapsed_seconds);
	text_hint(&error, "begin -event with an event that occurs more often, or sample longer (-sec) or more often (-period)");
	text_report(&error);
	return -ENODATA;
}

int sys_others_show(const struct sys_others *others, struct fold *fold, const struct run *run,
		    const struct table_options *options)
{
	struct table_events events = { .nr = run->nr_beside };
	unsigned int i;
	int error = 0;

	if (!fold_taken(fold))
		return report_no_samples(&run->result);
	for (i = 0; !error && i < events.nr; i++) {
		events.fold[i] = others->other[i].fold;
		events.result[i] = &others->run[i].result;
		events.receipt[i] = &others->run[i].receipt;
		/* A row may have samples of other events only. */
		error = fold_include(fold, events.fold[i]);
	}
	if (error)
		fprintf(stderr, "probe: show the table: out of memory\n");
	else
		error = table_show_events(stdout, fold, &run->result, &run->receipt, options, &events);
	if (!error)
		finish(run, options);
	return error;
}

void sys_others_deinit(struct sys_others *others)
{
	unsigned int i;

	for (i = 0; i < RUN_BESIDE; i++) {
		fold_destroy(others->other[i].fold);
		run_deinit(&others->run[i]);
	}
}
