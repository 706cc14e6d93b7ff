// SPDX-License-Identifier: GPL-2.0-only
/* Shows and saves the counts of `probe proc`: see proc_parts.h. */
#include <errno.h>

#include "proc/proc_hint.h"
#include "proc/proc_page.h"
#include "proc/proc_parts.h"
#include "proc/proc_save.h"

/* Warn of changes of the task during the run that make the counts questionable. */
static void warn_about_task(const struct proc *proc)
{
	if (proc->run.end == RUN_TASK_ENDED)
		fprintf(stderr, "probe: process %d ended after %.1f s\n", proc->target.task.pid,
			proc->run.whole_seconds);
	if (proc->report.elsewhere.other_exe)
		fprintf(stderr, "probe: warning: process %d ran another executable for %llu "
			"samples, counted separately\n", proc->target.task.pid,
			proc->report.elsewhere.other_exe);
	proc_report_warn(&proc->report);
}

/* After a search without -map and range, suggest an object with more samples. */
static void hint_elsewhere(const struct proc *proc)
{
	const struct proc_options *options = &proc->options;
	const struct proc_hint hint = {
		.places = &proc->target.places, .object_hits = proc->object_hits,
		.excess = proc->run.result.account.excess,
		.search = !options->is_hot ? "narrow" : options->view.is_asm ? "asm" : "hot",
		.word = options->word, .has_command = proc->run.command != NULL,
		.is_kernel = options->mode == 1,
	};
	char text[1024];

	if (options->is_narrow && !options->map && !options->low && !options->high &&
	    proc_hint_text(&hint, text, sizeof(text)))
		fprintf(stderr, "hint: %s\n", text);
}

/* Get the number of executions. On failure the report is shown without it. */
static int find_executions(struct proc *proc)
{
	struct text_error error;

	proc->report.executions = proc->options.count;
	if (!proc->options.count_from ||
	    !counter_get(&proc->counter, &proc->report.executions, &error))
		return 0;
	text_report(&error);
	return -EINVAL;
}

/* Make the listing for report and page; on failure, print why and show the report without it. */
static int make_listing(struct proc *proc)
{
	struct proc_view_options *view = &proc->options.view;
	struct text_error error;
	int result;

	if (!view->is_asm || !proc_report_hits(&proc->report))
		return 0;
	result = instructions_list(&proc->instructions, &proc->report,
				   view->is_plain ? NULL : proc->target.symbols,
				   view->shows_all ? SIZE_MAX : 0, &proc->listing, &error);
	if (result)
		text_report(&error);
	view->listing = proc->listing;
	return result;
}

static int show_report(struct proc *proc)
{
	int result = make_listing(proc);

	return proc_view_show(stdout, &proc->report, &proc->run.receipt, proc->target.symbols,
			      &proc->options.view, false) ?: result;
}

int proc_write(struct proc *proc, struct record_writer *writer)
{
	funcs_finish(&proc->funcs, &proc->report.layout, proc->report.hits);
	proc_save(writer, &proc->report, &proc->run, &proc->funcs, proc->target.symbols,
		  proc->options.view.shows_all);
	if (proc->has_code)
		instructions_save(writer, &proc->instructions, &proc->report, proc->target.symbols);
	return proc_others_write(proc, writer);
}

static int save_report(struct proc *proc)
{
	struct text_error error;
	int result;

	if (!proc->options.sampling.save)
		return 0;
	result = proc_write(proc, &proc->writer);
	result = result ? text_fail(&error, result, "save the run: out of memory") :
		record_commit(&proc->writer, &error);
	if (result)
		text_report(&error);
	return result;
}

static int write_proc_page(struct proc *proc)
{
	const struct proc_page page = {
		.report = &proc->report, .receipt = &proc->run.receipt,
		.symbols = proc->target.symbols, .options = &proc->options.view,
	};
	struct text_error error;
	int result = export_write_page(&proc->page, proc_page_write, &page, &error);

	if (result)
		text_report(&error);
	return result;
}

int proc_show_and_save(struct proc *proc)
{
	struct proc_report *report = &proc->report;
	int result;

	if (proc->options.sampling.repeat_seconds) {
		if (proc->run.result.account.taken)
			proc_show_interval(proc, &proc->run.result);
		receipt_finish(&proc->run.receipt, &proc->options.view.output);
		receipt_warn(&proc->run.receipt, PROC_VIEW_DIGITS);
		return 0;
	}
	report->result = proc->run.result;
	target_name_objects(report, proc->object_hits, &proc->target.places);
	report->mappings = proc->target.places.mappings;
	if (proc->options.is_narrow) {
		proc_end_search(proc);
		proc_print_step(proc);
		if (proc->options.view.output.format == FORMAT_TEXT)
			putchar('\n');
	}
	if (!report->result.account.taken && !proc_others_taken(proc))
		return run_no_samples(&report->result);
	warn_about_task(proc);
	result = find_executions(proc);
	result = (report->result.account.taken ? show_report(proc) : run_no_samples(&report->result)) ?: result;
	if (proc->options.view.output.format == FORMAT_TSV)
		receipt_finish(&proc->run.receipt, &proc->options.view.output);
	receipt_warn(&proc->run.receipt, PROC_VIEW_DIGITS);
	result = proc_others_show(proc) ?: result;
	run_tell_precision(&proc->run);
	hint_elsewhere(proc);
	result = save_report(proc) ?: result;
	return write_proc_page(proc) ?: result;
}
