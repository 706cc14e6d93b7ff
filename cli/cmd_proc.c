// SPDX-License-Identifier: GPL-2.0-only
/* probe proc: where one task spends its time, the paper's Figures 4 and 5. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "counter.h"
#include "export.h"
#include "hunt.h"
#include "instructions.h"
#include "listing_view.h"
#include "proc_page.h"
#include "sampling.h"
#include "save.h"
#include "target_counts.h"

struct proc_options {
	struct sampling_options sampling;
	struct proc_view_options view;
	struct export_options exports;
	const char *low;
	const char *high;
	const char *map;
	unsigned int mode;	/* 0: user, 1: kernel */
	uint64_t count;		/* executions of the range; 0: not given */
	const char *count_from;	/* file that counts them; NULL: none */
	bool is_narrow;
	bool is_hot;
};

/** All that one run of the command holds. */
struct proc {
	struct proc_options options;
	struct target target;
	struct proc_report report;
	struct hunt hunt;
	struct instructions instructions;
	bool has_code;				/* these are open */
	struct funcs funcs;
	struct counter counter;
	uint64_t object_hits[CPUPROBE_OBJECTS];	/* of all steps */
	struct teller teller;
	struct run run;
	struct record_writer writer;
	struct export page;
};

static const char *const modes[] = { "user", "kernel", NULL };

static const struct option_spec proc_specs[] = {
	{ "low", "A", "first address: 0x-hex, decimal, 0-octal, SYMBOL or SYMBOL+N" },
	{ "high", "B", "first address above that no longer counts" },
	{ "map", "NAME", "the addresses of a library, vdso, anon, or a kernel module" },
	{ "mode", "M", "user or kernel (default user)", modes },
	{ "count", "N", "the range is executed N times: print the time of one" },
	{ "count-from", "FILE", "the same, N is by how much the number in FILE grows" },
	{ "narrow", NULL, "step by step leave away what holds no hits" },
	{ "hot", NULL, "and go on into what stands out, down to an instruction" },
	{ NULL, NULL, NULL }
};

static int proc_set(void *context, const char *name, const char *value,
		    struct text_error *error_ret)
{
	struct proc_options *options = context;
	int result = sampling_set(&options->sampling, name, value, error_ret);

	if (result > 0)
		result = export_set(&options->exports, name, value, error_ret);
	if (result <= 0)
		return result;
	if (!strcmp(name, "low"))
		options->low = value;
	else if (!strcmp(name, "high"))
		options->high = value;
	else if (!strcmp(name, "map"))
		options->map = value;
	else if (!strcmp(name, "mode"))
		return parse_choice(value, modes, &options->mode, error_ret);
	else if (!strcmp(name, "count"))
		return parse_count(value, &options->count, error_ret);
	else if (!strcmp(name, "count-from"))
		options->count_from = value;
	else if (!strcmp(name, "narrow"))
		options->is_narrow = true;
	else if (!strcmp(name, "hot"))
		options->is_narrow = options->is_hot = true;
	else
		return proc_view_set(&options->view, name, value, error_ret);
	return 0;
}

/* Instructions are told apart where slots are narrow: unless a range is given, find the place. */
static void search_for_asm(struct proc_options *options)
{
	if (options->view.is_asm && !options->is_narrow && !options->low && !options->high &&
	    !options->count && !options->count_from && !(options->sampling.within > 0))
		options->is_narrow = options->is_hot = true;
}

static int proc_check(struct proc_options *options, struct text_error *error_ret)
{
	if (proc_view_check(&options->view, error_ret))
		return -EINVAL;
	if (options->view.is_asm && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-asm is about one report, -repeat makes many");
	search_for_asm(options);
	if (options->is_narrow && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-%s takes all the time there is, -repeat parts of it",
				 options->is_hot ? "hot" : "narrow");
	if (options->is_narrow && (options->count || options->count_from || options->sampling.within > 0))
		return text_fail(error_ret, -EINVAL, "-%s changes the range, -%s is about one range",
				 options->is_hot ? "hot" : "narrow",
				 options->sampling.within > 0 ? "within" : "count");
	if ((options->count || options->count_from) && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-count is about one report, -repeat makes many");
	if (options->count && options->count_from)
		return text_fail(error_ret, -EINVAL, "-count and -count-from say the same twice");
	return sampling_check(&options->sampling, error_ret) ?:
		export_check(&options->exports, options->sampling.save,
			     options->sampling.repeat_seconds > 0, error_ret);
}

/* The device's sink: objects and slots of all CPUs add up. */
static void add_counts(void *context, uint32_t cpu, const struct cpuprobe_account *account,
		       const void *entries)
{
	struct proc *proc = context;
	const struct target_counts counts = {
		.objects = proc->object_hits, .slots = proc->report.hits,
		.elsewhere = &proc->report.elsewhere, .missed = &proc->report.missed,
	};

	(void)cpu;
	target_counts_add(&counts, account, entries);
	teller_note(&proc->teller, account);
}

/* Processes that came, and what was mapped meanwhile, get their places. */
static int place(void *context, struct device *device, struct text_error *error_ret)
{
	struct proc *proc = context;

	return teller_tell(&proc->teller, &proc->target.places, device, error_ret);
}

static int compare_objects(const void *a, const void *b)
{
	const struct proc_object *x = a, *y = b;

	return (x->hits < y->hits) - (x->hits > y->hits) ?: strcmp(x->name, y->name);
}

static void name_objects(struct proc *proc)
{
	struct proc_report *report = &proc->report;
	uint32_t i;

	report->nr_objects = 0;
	for (i = 0; i < CPUPROBE_OBJECTS; i++) {
		struct proc_object *object = &report->objects[report->nr_objects];

		if (!proc->object_hits[i])
			continue;
		object->hits = proc->object_hits[i];
		snprintf(object->name, sizeof(object->name), "%s",
			 proc->target.places.objects[i].name);
		report->nr_objects++;
	}
	qsort(report->objects, report->nr_objects, sizeof(report->objects[0]), compare_objects);
}

static void clear_counts(struct proc_report *report)
{
	memset(report->hits, 0, sizeof(report->hits));
	memset(&report->elsewhere, 0, sizeof(report->elsewhere));
	report->missed = 0;
}

static bool show_interval(void *context, const struct run_result *result)
{
	struct proc *proc = context;

	proc->report.result = *result;
	name_objects(proc);
	if (result->account.taken)
		proc_view_show(stdout, &proc->report, NULL, proc->target.symbols, &proc->options.view,
			       true);
	else
		run_no_samples(result);
	clear_counts(&proc->report);
	memset(proc->object_hits, 0, sizeof(proc->object_hits));
	return !output_flush();
}

static void end_block(void *context)
{
	struct proc *proc = context;
	const struct run_account *account = &proc->run.result.account;

	funcs_end_block(&proc->funcs, proc->report.hits, account->taken - account->excluded);
}

/* Whether every slot above 1% is known to the points asked for. */
static bool is_precise(void *context, double elapsed_seconds, double *seconds_left_ret)
{
	struct proc *proc = context;
	const struct run_account *account = &proc->run.result.account;
	uint64_t n = account->taken - account->excluded;
	double most = 0;
	uint32_t i;

	for (i = 0; i < proc->report.layout.nr_slots; i++) {
		double share = n ? (double)proc->report.hits[i] / n : 0;
		double left = share > SAMPLING_WITHIN_LEAST ?
			stat_seconds_left(share, n, proc->options.sampling.within / 100,
					  elapsed_seconds) : 0;

		most = left > most ? left : most;
	}
	*seconds_left_ret = most;
	return n && most <= 0;
}

static void began(void *context)
{
	struct proc *proc = context;

	counter_begin(&proc->counter);
}

static void ended(void *context)
{
	struct proc *proc = context;

	counter_end(&proc->counter);
}

static bool is_step_done(void *context, double seconds_left)
{
	struct proc *proc = context;

	return hunt_is_step_done(&proc->hunt, &proc->report, proc->target.symbols, seconds_left);
}

static void print_step(const struct proc *proc)
{
	if (proc->options.view.output.format == FORMAT_TEXT)
		proc_view_step(stdout, &proc->report, proc->report.nr_steps - 1);
}

static void next_step(void *context, struct cpuprobe_start *start)
{
	struct proc *proc = context;
	struct proc_report *report = &proc->report;

	report->result = proc->run.result;
	hunt_next_step(&proc->hunt, report);
	print_step(proc);
	clear_counts(report);
	start->low = report->layout.low;
	start->high = report->layout.high;
	funcs_init(&proc->funcs, &report->layout, proc->target.symbols, report->object);
	proc->teller.has_told = false;
}

/* What became of the task during the run, as far as it makes the counts questionable. */
static void warn(const struct proc *proc)
{
	if (proc->run.end == RUN_TASK_ENDED)
		fprintf(stderr, "probe: process %d ended after %.1f s\n", proc->target.task.pid,
			proc->run.result.elapsed_seconds);
	if (proc->report.elsewhere.other_exe)
		fprintf(stderr, "probe: warning: process %d ran another executable for %llu samples, "
			"which count apart\n", proc->target.task.pid,
			(unsigned long long)proc->report.elsewhere.other_exe);
	places_warn(&proc->target.places);
}

/* How often the range was executed. On failure the report is shown without. */
static int find_executions(struct proc *proc)
{
	struct text_error error;

	proc->report.executions = proc->options.count;
	if (!proc->options.count_from || !counter_get(&proc->counter, &proc->report.executions, &error))
		return 0;
	text_report(&error);
	return -EINVAL;
}

/* Code that nobody asked for is read to be kept, if that is possible. */
static int open_code(struct proc *proc, struct text_error *error_ret)
{
	const struct proc_options *options = &proc->options;
	int error;

	if (!options->view.is_asm && !options->sampling.save)
		return 0;
	error = instructions_open(&proc->instructions, &proc->target, options->mode == 1,
				  options->view.is_asm, error_ret);
	proc->has_code = !error;
	return options->view.is_asm ? error : 0;
}

/* The report, with its instructions if they were asked for; else, and why, without. */
static int show_report(struct proc *proc)
{
	struct proc_view_options *view = &proc->options.view;
	struct listing *listing = NULL;
	struct text_error error;
	int result = 0, shown;

	if (view->is_asm && proc_report_hits(&proc->report)) {
		result = instructions_list(&proc->instructions, &proc->report,
					   view->is_plain ? NULL : proc->target.symbols,
					   view->shows_all ? SIZE_MAX : 0, &listing, &error);
		if (result)
			text_report(&error);
	}
	view->listing = listing;
	shown = proc_view_show(stdout, &proc->report, &proc->run.receipt, proc->target.symbols, view,
			       false);
	view->listing = NULL;
	listing_destroy(listing);
	return result ?: shown;
}

static int save(struct proc *proc)
{
	struct text_error error;
	int result;

	if (!proc->options.sampling.save)
		return 0;
	funcs_finish(&proc->funcs, &proc->report.layout, proc->report.hits);
	save_proc(&proc->writer, &proc->report, &proc->run, &proc->funcs, proc->target.symbols,
		  proc->options.view.shows_all);
	if (proc->has_code)
		instructions_save(&proc->writer, &proc->instructions, &proc->report,
				  proc->target.symbols);
	result = record_commit(&proc->writer, &error);
	if (result)
		text_report(&error);
	return result;
}

static int write_page(struct proc *proc)
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

static int show_and_save(struct proc *proc)
{
	struct proc_report *report = &proc->report;
	int result;

	if (proc->options.sampling.repeat_seconds) {
		if (proc->run.result.account.taken)
			show_interval(proc, &proc->run.result);
		receipt_finish(&proc->run.receipt, &proc->options.view.output);
		receipt_warn(&proc->run.receipt, PROC_VIEW_DIGITS);
		return 0;
	}
	report->result = proc->run.result;
	name_objects(proc);
	if (proc->options.is_narrow) {
		hunt_end(&proc->hunt, report, proc->target.symbols);
		print_step(proc);
		if (proc->options.view.output.format == FORMAT_TEXT)
			putchar('\n');
	}
	if (!report->result.account.taken)
		return run_no_samples(&report->result);
	warn(proc);
	result = find_executions(proc);
	result = show_report(proc) ?: result;
	if (proc->options.view.output.format == FORMAT_TSV)
		receipt_finish(&proc->run.receipt, &proc->options.view.output);
	receipt_warn(&proc->run.receipt, PROC_VIEW_DIGITS);
	run_tell_precision(&proc->run);
	result = save(proc) ?: result;
	return write_page(proc) ?: result;
}

static void prepare_run(struct proc *proc)
{
	const struct proc_options *options = &proc->options;
	const struct target *target = &proc->target;
	struct run *run = &proc->run;

	run->options = &options->sampling;
	run->start = target_start(target, options->mode == 1);
	run->task_pid = target->task.pid;
	run->context = proc;
	run->sink = add_counts;
	run->place = place;
	run->block = options->sampling.save ? end_block : NULL;	/* only a kept run is compared */
	if (options->sampling.within > 0)
		run->is_precise = is_precise;
	if (options->count_from) {
		run->began = began;
		run->ended = ended;
	}
	if (options->is_narrow) {
		run->harvest_seconds = HUNT_HARVEST_SECONDS;
		run->is_step_done = is_step_done;
		run->next_step = next_step;
	}
	if (options->sampling.repeat_seconds)
		run->interval = show_interval;
}

static void prepare_report(struct proc *proc)
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

static int measure_and_show(struct proc *proc)
{
	struct text_error error;
	int result = 0, shown;

	prepare_report(proc);
	prepare_run(proc);
	result = open_code(proc, &error);
	if (!result && proc->options.count_from)
		result = counter_init(&proc->counter, proc->options.count_from, &error);
	if (!result && proc->options.sampling.save)
		result = record_create(&proc->writer, proc->options.sampling.save, &error);
	if (!result)
		result = export_open(&proc->page, &proc->options.exports, NULL, &error);
	if (!result)
		result = run_measure(&proc->run, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = show_and_save(proc);
		result = result ? result : shown;
	}
	record_abandon(&proc->writer);
	export_abandon(&proc->page);
	hunt_deinit(&proc->hunt);
	instructions_close(&proc->instructions);
	run_deinit(&proc->run);
	return result;
}

static int prepare_and_run(struct proc *proc, const char *word, const char *symbols)
{
	const struct target_request request = {
		.word = word, .command = proc->run.command, .symbols = symbols,
		.map = proc->options.map, .low = proc->options.low, .high = proc->options.high,
		.is_kernel = proc->options.mode == 1, .is_plain = proc->options.view.is_plain,
	};
	struct text_error error;
	int result = target_init(&proc->target, &request, &error);

	if (result) {
		text_report(&error);
		/* A command that is not there has failed as a command, not we. */
		if (proc->target.is_command_missing)
			proc->run.command_error = result;
	} else {
		result = measure_and_show(proc);
		target_deinit(&proc->target);
	}
	return run_exit_status(&proc->run, result);
}

static int proc_run(const struct command *command, char **argv)
{
	struct proc *proc;
	struct options_rest rest;
	struct text_error error;
	int status;

	if (command_wants_help(command, argv))
		return 0;
	proc = calloc(1, sizeof(*proc));	/* too large for the stack */
	if (!proc) {
		fprintf(stderr, "probe: measure: out of memory\n");
		return EXIT_FAILED;
	}
	sampling_init(&proc->options.sampling);
	if (options_parse(argv, command->options, proc_set, &proc->options, &rest, &error) ||
	    proc_check(&proc->options, &error) || options_check_arguments(&rest, 2, &error)) {
		status = command_misused(command, &error);
	} else if (!rest.nr_args && !rest.command) {
		text_fail(&error, 0, "no TASK given");
		text_hint(&error, "a pid, a path, or the name of a running executable");
		status = command_misused(command, &error);
	} else {
		proc->run.command = rest.command;
		status = prepare_and_run(proc, rest.nr_args ? rest.args[0] : NULL,
					 rest.nr_args > 1 ? rest.args[1] : NULL);
	}
	sampling_deinit(&proc->options.sampling);
	free(proc);
	return status;
}

static const struct option_spec *const proc_options[] = {
	proc_specs, proc_view_specs, sampling_specs, report_specs, export_page_specs, output_specs,
	columns_specs, form_specs, NULL
};

static const struct column_list *const proc_columns[] = {
	&proc_column_list, &listing_column_list, NULL
};

const struct command command_proc = {
	.name = "proc",
	.arguments = "TASK [SYMBOLS] [-- COMMAND...]",
	.help = "histogram of the addresses at which one task spends its time",
	.options = proc_options,
	.columns = proc_columns,
	.run = proc_run,
};
