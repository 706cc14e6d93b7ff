// SPDX-License-Identifier: GPL-2.0-only
/* probe proc: where one task spends its time, the paper's Figures 4 and 5. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/listing_view.h"
#include "command.h"
#include "proc/proc_parts.h"

static const char *const modes[] = { "user", "kernel", NULL };

static const struct option_spec proc_specs[] = {
	{ "low", "A", "first address: 0x-hex, decimal, 0-octal, SYMBOL or SYMBOL+N" },
	{ "high", "B", "the first address above it, which no longer counts" },
	{ "map", "NAME", "the addresses of a library, vdso, anon, or a kernel module" },
	{ "mode", "M", "user or kernel (default user)", modes },
	{ "count", "N", "the range was executed N times: print the time of one" },
	{ "count-from", "FILE", "the same; N is how much the number in FILE grows" },
	{ "narrow", NULL, "step by step cut off what has no hits" },
	{ "hot", NULL, "like -narrow, then into what stands out, down to an instruction" },
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
		return text_fail(error_ret, -EINVAL,
				 "-asm is about one report, -repeat makes many");
	search_for_asm(options);
	if (options->is_narrow && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL,
				 "-%s takes all the time there is, -repeat parts of it",
				 options->is_hot ? "hot" : "narrow");
	if (options->is_narrow && (options->count || options->count_from ||
				   options->sampling.within > 0))
		return text_fail(error_ret, -EINVAL,
				 "-%s changes the range, -%s is about one range",
				 options->is_hot ? "hot" : "narrow",
				 options->sampling.within > 0 ? "within" : "count");
	if ((options->count || options->count_from) && options->sampling.repeat_seconds)
		return text_fail(error_ret, -EINVAL,
				 "-count is about one report, -repeat makes many");
	if (options->count && options->count_from)
		return text_fail(error_ret, -EINVAL, "-count and -count-from say the same twice");
	return sampling_check(&options->sampling, error_ret) ?:
		export_check(&options->exports, options->sampling.save,
			     options->sampling.repeat_seconds > 0, error_ret);
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

static int measure_and_show(struct proc *proc)
{
	struct text_error error;
	int result = 0, shown;

	proc_prepare_report(proc);
	proc_prepare_run(proc);
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
	listing_destroy(proc->listing);
	instructions_close(&proc->instructions);
	run_deinit(&proc->run);
	return result;
}

static int prepare_and_run(struct proc *proc, const char *symbols)
{
	const struct target_request request = {
		.word = proc->options.word, .command = proc->run.command,
		.symbols = symbols, .map = proc->options.map,
		.low = proc->options.low, .high = proc->options.high,
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
		proc->options.word = rest.nr_args ? rest.args[0] : NULL;
		status = prepare_and_run(proc, rest.nr_args > 1 ? rest.args[1] : NULL);
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
