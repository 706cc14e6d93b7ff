// SPDX-License-Identifier: GPL-2.0-only
/* Hooks of the run of `probe proc`, called while it measures: see proc_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "proc/proc_parts.h"

/* The device's sink: add up objects and slots of all CPUs. */
static void add_counts(void *context, u32 cpu, const struct cpuprobe_account *account,
		       const void *entries)
{
	struct proc *proc = context;
	const struct target_counts counts = {
		.objects = proc->object_hits, .slots = proc->report.hits,
		.elsewhere = &proc->report.elsewhere, .missed = &proc->report.missed,
	};

	target_counts_add(&counts, account, entries);
	teller_note(&proc->teller, account);
}

/* Pass areas of new processes and new mappings to the module. */
static int place_proc_areas(void *context, struct device *device, struct text_error *error_ret)
{
	struct proc *proc = context;
	struct places *places = &proc->target.places;
	bool is_changed;

	teller_look(&proc->teller, places);
	is_changed = places->is_changed;
	return teller_tell(places, device, error_ret) ?: is_changed ? proc_others_tell(proc, error_ret) : 0;
}

static void clear_counts(struct proc_report *report)
{
	memset(report->hits, 0, sizeof(report->hits));
	memset(&report->elsewhere, 0, sizeof(report->elsewhere));
	report->missed = 0;
}

void proc_clear(struct proc *proc)
{
	clear_counts(&proc->report);
	memset(proc->object_hits, 0, sizeof(proc->object_hits));
}

bool proc_show_interval(void *context, const struct run_result *result)
{
	struct proc *proc = context;

	proc->report.result = *result;
	target_name_objects(&proc->report, proc->object_hits, &proc->target.places);
	if (result->account.taken)
		proc_view_show(stdout, &proc->report, NULL, proc->target.symbols,
			       &proc->options.view, true);
	else
		run_no_samples(result);
	proc_clear(proc);
	return !output_flush();
}

static void end_proc_block(void *context)
{
	struct proc *proc = context;
	const struct run_account *account = &proc->run.result.account;

	funcs_end_block(&proc->funcs, proc->report.hits, account->taken - account->excluded);
	proc_others_end_block(proc);
}

/* Whether the margin of error of every slot above SAMPLING_WITHIN_LEAST is within -within. */
static bool are_slots_precise(void *context, double elapsed_seconds, double *seconds_left_ret)
{
	struct proc *proc = context;
	const struct run_account *account = &proc->run.result.account;
	u64 n = account->taken - account->excluded;
	double most = 0;
	u32 i;

	for (i = 0; i < proc->report.layout.nr_slots; i++) {
		double share = n ? (double)proc->report.hits[i] / n : 0;
		double left = share > SAMPLING_WITHIN_LEAST ?
			stat_seconds_left(share, n, account->excess,
					  proc->options.sampling.within / 100, elapsed_seconds) : 0;

		most = left > most ? left : most;
	}
	*seconds_left_ret = most;
	return n && most <= 0;
}

static void begin_executions(void *context)
{
	struct proc *proc = context;

	counter_begin(&proc->counter);
}

static void end_executions(void *context)
{
	struct proc *proc = context;

	counter_end(&proc->counter);
}

static bool is_search_step_done(void *context, double seconds_left)
{
	struct proc *proc = context;

	/* The step's own result comes at its end. */
	proc->report.result.account.excess = proc->run.result.account.excess;
	return hunt_is_step_done(&proc->hunt, &proc->report, proc->target.symbols, seconds_left);
}

void proc_print_step(const struct proc *proc)
{
	if (proc->options.view.output.format == FORMAT_TEXT)
		proc_view_step(stdout, &proc->report, proc->report.nr_steps - 1,
			       output_cols(&proc->options.view.output));
}

/* Keeps what the next step replaces, in case that step has no samples. */
static void keep_step(struct proc *proc)
{
	struct run *run = &proc->run;

	proc_end_before(proc);
	proc->before.receipt = run->receipt;
	proc->before.funcs = proc->funcs;
	proc->before.cpus = run->cpus;
	proc->before.nr_cpus = run->nr_cpus;
	run->cpus = NULL;
	run->nr_cpus = 0;
}

void proc_end_before(struct proc *proc)
{
	free(proc->before.cpus);
	proc->before.cpus = NULL;
}

void proc_end_search(struct proc *proc)
{
	struct run *run = &proc->run;

	if (!hunt_end(&proc->hunt, &proc->report, proc->target.symbols))
		return;
	free(run->cpus);
	run->cpus = proc->before.cpus;
	run->nr_cpus = proc->before.nr_cpus;
	proc->before.cpus = NULL;
	run->receipt = proc->before.receipt;
	run->result = proc->report.result;
	proc->funcs = proc->before.funcs;
}

static void begin_next_step(void *context, struct cpuprobe_start *start)
{
	struct proc *proc = context;
	struct proc_report *report = &proc->report;

	report->result = proc->run.result;
	keep_step(proc);
	hunt_next_step(&proc->hunt, report);
	proc_print_step(proc);
	clear_counts(report);
	start->low = report->layout.low;
	start->high = report->layout.high;
	funcs_init(&proc->funcs, &report->layout, proc->target.symbols, report->object);
}

void proc_prepare_run(struct proc *proc)
{
	const struct proc_options *options = &proc->options;
	const struct target *target = &proc->target;
	struct run *run = &proc->run;

	run->options = &options->sampling;
	run->start = target_start(target, options->mode == 1);
	run->task_pid = target->task.pid;
	run->context = proc;
	run->sink = add_counts;
	run->place = place_proc_areas;
	/* For `probe diff`. */
	run->block = options->sampling.save || options->background ? end_proc_block : NULL;
	if (options->sampling.within > 0)
		run->is_precise = are_slots_precise;
	if (options->count_from) {
		run->began = begin_executions;
		run->ended = end_executions;
	}
	if (options->is_narrow) {
		run->harvest_seconds = HUNT_HARVEST_SECONDS;
		run->is_step_done = is_search_step_done;
		run->next_step = begin_next_step;
	}
	if (options->sampling.repeat_seconds)
		run->interval = proc_show_interval;
}

void proc_prepare_report(struct proc *proc)
{
	const struct target *target = &proc->target;
	struct proc_report *report = &proc->report;

	memcpy(report->task, target->task.name, sizeof(report->task));
	memcpy(report->object, target->object, sizeof(report->object));
	report->mode = proc->options.mode;
	report->is_exe = target->is_exe;
	report->object_start = target->object_start;
	report->layout = target->layout;
	funcs_init(&proc->funcs, &report->layout, target->symbols, report->object);
	hunt_init(&proc->hunt, proc->options.is_hot);
	proc->hunt.wants_bytes = proc->options.view.is_asm;
}
