// SPDX-License-Identifier: GPL-2.0-only
/* The other events of `probe proc -event A,B`: a run and a report for each, beside those of the first. See proc_parts.h. */
#include "proc/proc_parts.h"
#include "proc/proc_save.h"
#include "run/run_events.h"

static void add_other_counts(void *context, u32 cpu, const struct cpuprobe_account *account, const void *entries)
{
	struct proc_other *other = context;
	const struct target_counts counts = {
		.objects = other->object_hits, .slots = other->report.hits,
		.elsewhere = &other->report.elsewhere, .missed = &other->report.missed,
	};

	target_counts_add(&counts, account, entries);
	teller_note(&other->proc->teller, account);
}

/* The first run looks for changes, and tells them to all. */
static int place_other_areas(void *context, struct device *device, struct text_error *error_ret)
{
	struct proc_other *other = context;

	other->device = device;
	return teller_tell(&other->proc->target.places, device, error_ret);
}

int proc_others_tell(struct proc *proc, struct text_error *error_ret)
{
	size_t i;
	int error = 0;

	for (i = 0; !error && i < proc->run.nr_beside; i++)
		if (proc->other[i].device)
			error = places_tell(&proc->target.places, proc->other[i].device, error_ret);
	return error;
}

void proc_others_prepare(struct proc *proc)
{
	struct run *run = &proc->run;
	unsigned int i;

	for (i = 0; i < run->options->nr_others; i++) {
		struct proc_other *other = &proc->other[i];

		other->proc = proc;
		other->report = proc->report;
		other->funcs = proc->funcs;
		sampling_beside(run->options, i, &other->sampling);
		other->run = (struct run){
			.options = &other->sampling, .start = run->start, .sink = add_other_counts,
			.place = place_other_areas, .context = other,
		};
		run->beside[i] = &other->run;
	}
	run->nr_beside = i;
}

void proc_others_end_block(struct proc *proc)
{
	size_t i;

	for (i = 0; i < proc->run.nr_beside; i++) {
		struct proc_other *other = &proc->other[i];
		const struct run_account *account = &other->run.result.account;

		funcs_end_block(&other->funcs, other->report.hits, account->taken - account->excluded);
	}
}

u64 proc_others_taken(const struct proc *proc)
{
	u64 taken = 0;
	size_t i;

	for (i = 0; i < proc->run.nr_beside; i++)
		taken += proc->other[i].run.result.account.taken;
	return taken;
}

/* Completes the report of an event. */
static void finish_report(struct proc_other *other)
{
	other->report.result = other->run.result;
	other->report.executions = other->proc->report.executions;
	target_name_objects(&other->report, other->object_hits, &other->proc->target.places);
}

int proc_others_show(struct proc *proc)
{
	bool is_below = proc->report.result.account.taken > 0;
	int result = 0;
	size_t i;

	for (i = 0; i < proc->run.nr_beside; i++) {
		struct proc_other *other = &proc->other[i];

		finish_report(other);
		if (!other->report.result.account.taken) {
			result = run_no_samples(&other->report.result);
			continue;
		}
		if (is_below)
			putchar('\n');
		is_below = true;
		result = proc_view_show(stdout, &other->report, &other->run.receipt, proc->target.symbols,
					&proc->options.view, false) ?: result;
		receipt_warn(&other->run.receipt, PROC_VIEW_DIGITS);
	}
	return result;
}

static void fill_run(struct record_writer *writer, const void *context)
{
	const struct proc_other *other = context;

	proc_save(writer, &other->report, &other->run, &other->funcs, other->proc->target.symbols,
		  other->proc->options.view.shows_all);
}

int proc_others_write(struct proc *proc, struct record_writer *writer)
{
	unsigned int i;
	int error = 0;

	for (i = 0; !error && i < proc->run.nr_beside; i++) {
		struct proc_other *other = &proc->other[i];

		finish_report(other);
		funcs_finish(&other->funcs, &other->report.layout, other->report.hits);
		error = run_events_add(writer, i, fill_run, other);
	}
	return error;
}

void proc_others_deinit(struct proc *proc)
{
	size_t i;

	for (i = 0; i < proc->run.nr_beside; i++)
		run_deinit(&proc->other[i].run);
}
