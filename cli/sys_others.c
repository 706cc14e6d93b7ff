// SPDX-License-Identifier: GPL-2.0-only
/* Several events in one table: see sys_others.h. */
#include <errno.h>

#include "sys/sys_events.h"
#include "sys_others.h"

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
		run->beside[i] = &others->run[i];
	}
	run->nr_beside = run->options->nr_others;
	return 0;
}

void sys_others_finish(const struct run *run, const struct table_options *options)
{
	const struct output_options *output = &options->output;
	unsigned int i;

	receipt_finish(&run->receipt, output);
	for (i = 0; i < run->nr_beside; i++)
		if (output->format == FORMAT_JSON)
			receipt_finish(&run->beside[i]->receipt, output);
		else
			receipt_print_beside(output->format == FORMAT_TSV ? stderr : stdout,
					     &run->beside[i]->receipt, output_cols(output));
}

void sys_others_warn(const struct run *run)
{
	unsigned int i;

	receipt_warn(&run->receipt, TABLE_DIGITS);
	for (i = 0; i < run->nr_beside; i++)
		receipt_warn(&run->beside[i]->receipt, TABLE_DIGITS);
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

/* Events since the last table. */
static double count_events(const struct receipt_event *now, const struct receipt_event *before)
{
	struct receipt_event event = *now;

	event.counted -= before->counted;
	event.enabled_ns -= before->enabled_ns;
	event.running_ns -= before->running_ns;
	return receipt_events(&event);
}

int sys_others_table(const struct sys_others *others, struct fold *fold, const struct run *run,
		     struct table_events *table_ret)
{
	struct table_events table = { .nr = run->nr_beside };
	unsigned int i;
	int error = 0;

	if (table.nr && !fold_taken(fold))
		return report_no_samples(&run->result);
	table.counted[0] = count_events(&run->receipt.event, &others->shown[0]);
	for (i = 0; !error && i < table.nr; i++) {
		table.fold[i] = others->other[i].fold;
		table.result[i] = &others->run[i].result;
		table.receipt[i] = &others->run[i].receipt;
		table.counted[i + 1] = count_events(&others->run[i].receipt.event, &others->shown[i + 1]);
		/* A row may have samples of other events only. */
		error = fold_include(fold, table.fold[i]);
	}
	if (error)
		fprintf(stderr, "probe: show the table: out of memory\n");
	*table_ret = table;
	return error;
}

void sys_others_end_block(struct sys_others *others)
{
	unsigned int i;

	for (i = 0; i < RUN_BESIDE && others->other[i].fold; i++)
		fold_end_block(others->other[i].fold);
}

int sys_others_restart(struct sys_others *others, const struct run *run)
{
	struct fold *next[RUN_BESIDE] = { NULL };
	unsigned int i;

	for (i = 0; i < run->nr_beside; i++) {
		next[i] = sys_fold_create(others->other[i].by);
		if (next[i])
			continue;
		while (i--)
			fold_destroy(next[i]);
		return -ENOMEM;
	}
	others->shown[0] = run->receipt.event;
	for (i = 0; i < run->nr_beside; i++) {
		fold_destroy(others->other[i].fold);
		others->other[i].fold = next[i];
		others->shown[i + 1] = run->beside[i]->receipt.event;
	}
	return 0;
}

int sys_others_save(const struct sys_others *others, const struct run *run, struct record_writer *writer)
{
	unsigned int i;
	int error = 0;

	for (i = 0; !error && i < run->nr_beside; i++)
		error = sys_events_save(writer, i, others->other[i].fold, &others->run[i]);
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
