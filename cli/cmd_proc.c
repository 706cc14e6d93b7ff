// SPDX-License-Identifier: GPL-2.0-only
/* probe proc: where one task spends its time, as in the paper's Figures 4 and 5. */
#include <errno.h>
#include <string.h>

#include "background_command.h"
#include "base/option_values.h"
#include "code/listing_view.h"
#include "command.h"
#include "proc/proc_parts.h"

static const char *const modes[] = { "user", "kernel", NULL };

#define PROC(field)	offsetof(struct proc, options.field)

static const struct option_spec proc_specs[] = {
	{ "low", "A", "start of the range: 0x-hex, decimal, 0-octal, SYMBOL or SYMBOL+N",
	  option_text,
	  PROC(low) },
	{ "high", "B", "end of the range (exclusive)", option_text,
	  PROC(high) },
	{ "map", "NAME", "library, vdso, anon or kernel module to look at",
	  option_text, PROC(map) },
	{ "mode", "M", "CPU mode: user or kernel (default user)", option_choice, PROC(mode),
	  modes },
	{ "count", "N", "print the time of one execution; the range was executed N times",
	  option_count,
	  PROC(count) },
	{ "count-from", "FILE",
	  "like -count; N is how much the number in FILE grows during the run", option_text,
	  PROC(count_from) },
	{ "narrow", NULL, "narrow the range step by step to the part with hits", option_flag,
	  PROC(is_narrow) },
	{ "hot", NULL, "like -narrow, then search the hottest part, down to an instruction",
	  option_flag, PROC(is_hot) },
	{ NULL }
};

/* Only narrow slots distinguish instructions: unless a range is given, search for one. */
static void search_for_asm(struct proc_options *options)
{
	if (options->view.is_asm && !options->is_narrow && !options->low && !options->high &&
	    !options->count && !options->count_from && !(options->sampling.within > 0))
		options->is_narrow = options->is_hot = true;
}

/* The option that is about one event; NULL: there is none. */
static const char *find_option_of_one(const struct proc_options *options)
{
	return options->view.is_asm ? "asm" : options->is_hot ? "hot" : options->is_narrow ? "narrow" :
		options->sampling.repeat_seconds ? "repeat" : options->sampling.within > 0 ? "within" :
		options->background ? "background" : export_is_asked(&options->exports) ? "html" :
		options->view.output.format == FORMAT_TSV ? "tsv" : NULL;
}

static int check_events(const struct proc_options *options, struct text_error *error_ret)
{
	const char *one = options->sampling.nr_others ? find_option_of_one(options) : NULL;

	if (!one)
		return 0;
	text_fail(error_ret, 0, "-%s is of one event; -event has %u", one, options->sampling.nr_others + 1);
	text_hint(error_ret, "measure each by itself: -event %s", options->sampling.event.name);
	return -EINVAL;
}

static int check_options(struct proc_options *options, struct text_error *error_ret)
{
	const char *count = options->count ? "count" : "count-from";

	options->is_narrow = options->is_narrow || options->is_hot;
	if (proc_view_check(&options->view, error_ret))
		return -EINVAL;
	if (options->view.is_asm && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-asm cannot be combined with -repeat");
	search_for_asm(options);
	if (options->is_narrow && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -repeat",
				 options->is_hot ? "hot" : "narrow");
	if (options->is_narrow && (options->count || options->count_from ||
				   options->sampling.within > 0))
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -%s",
				 options->is_hot ? "hot" : "narrow",
				 options->sampling.within > 0 ? "within" : count);
	if ((options->count || options->count_from) && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -repeat", count);
	if (options->count && options->count_from)
		return text_fail(error_ret, -EINVAL, "-count cannot be combined with -count-from");
	if (options->sampling.uses_nmi && options->mode != 1)
		return text_fail(error_ret, -EINVAL, "-nmi needs -mode kernel");
	return sampling_check(&options->sampling, error_ret) ?:
		check_events(options, error_ret) ?:
		export_check(&options->exports, options->sampling.save,
			     options->sampling.repeat_seconds > 0, error_ret);
}

/* For -asm code is required. For -save it is saved too, if it can be read. */
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

static int measure_and_show(struct proc *proc)
{
	struct text_error error;
	int result = 0, shown;

	proc_prepare_report(proc);
	proc_prepare_run(proc);
	proc_others_prepare(proc);
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
		shown = proc_show_and_save(proc);
		result = result ? result : shown;
	}
	record_abandon(&proc->writer);
	export_abandon(&proc->page);
	hunt_deinit(&proc->hunt);
	proc_end_before(proc);
	listing_destroy(proc->listing);
	instructions_close(&proc->instructions);
	run_deinit(&proc->run);
	proc_others_deinit(proc);
	return result;
}

static void proc_init(void *self)
{
	struct proc *proc = self;

	sampling_init(&proc->options.sampling);
}

static int proc_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	static const struct option_spec *const reports[] = {
		proc_view_specs, export_page_specs, output_specs, columns_specs, form_specs, NULL
	};
	struct proc *proc = self;
	int error = background_check_start(proc->options.background, rest, reports, error_ret) ?:
		check_options(&proc->options, error_ret);

	if (error || rest->nr_args || rest->command)
		return error;
	text_fail(error_ret, 0, "no TASK given");
	text_hint(error_ret, "a pid, a path, or the name of a running executable");
	return -EINVAL;
}

static int proc_run(void *self, const struct options_rest *rest)
{
	struct proc *proc = self;
	const struct target_request request = {
		.word = rest->args[0], .command = rest->command, .symbols = rest->args[1],
		.map = proc->options.map, .low = proc->options.low, .high = proc->options.high,
		.is_kernel = proc->options.mode == 1, .is_plain = proc->options.view.is_plain,
	};
	struct text_error error;
	int result;

	proc->run.command = rest->command;
	proc->options.word = rest->args[0];
	result = target_init(&proc->target, &request, &error);
	if (result) {
		text_report(&error);
		/* A missing COMMAND is a failure of the COMMAND, not of probe. */
		if (proc->target.is_command_missing)
			proc->run.command_error = result;
	} else {
		proc->options.sampling.has_exports = export_is_asked(&proc->options.exports);
		result = proc->options.background ?
			background_start(proc->options.background, &proc_background_kind, proc,
					 &proc->options.sampling) : measure_and_show(proc);
		target_deinit(&proc->target);
	}
	return run_exit_status(&proc->run, result);
}

static void proc_deinit(void *self)
{
	struct proc *proc = self;

	sampling_deinit(&proc->options.sampling);
}

static const struct option_list proc_options[] = {
	{ proc_specs, 0 },
	{ background_specs, PROC(background) },
	{ proc_view_specs, PROC(view) },
	{ sec_report_specs, PROC(sampling) },
	{ sampling_specs, PROC(sampling) },
	{ report_specs, PROC(sampling) },
	{ events_specs, PROC(sampling) },
	{ nmi_specs, PROC(sampling) },
	{ export_page_specs, PROC(exports) },
	{ output_specs, PROC(view.output) },
	{ columns_specs, PROC(view.output) },
	{ form_specs, PROC(view.output) },
	{ NULL }
};

static const struct column_list *const proc_columns[] = {
	&proc_column_list, &listing_column_list, NULL
};

const struct command command_proc = {
	.name = "proc",
	.arguments = "TASK [SYMBOLS] [-- COMMAND...]",
	.help = "histogram of the addresses where one task spends its time",
	.options = proc_options,
	.columns = proc_columns,
	.self_len = sizeof(struct proc),
	.max_args = 2,
	.takes_command = true,
	.init = proc_init,
	.check = proc_check,
	.run = proc_run,
	.deinit = proc_deinit,
};
