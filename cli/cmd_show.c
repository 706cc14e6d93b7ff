// SPDX-License-Identifier: GPL-2.0-only
/* probe show: show a saved run again. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "calls/call_save.h"
#include "calls/call_view.h"
#include "code/listing_view.h"
#include "command.h"
#include "export/export_options.h"
#include "proc/instructions.h"
#include "proc/proc_page.h"
#include "proc/proc_save.h"
#include "profile/profile_save.h"
#include "report/flat_view.h"
#include "run/run_save.h"
#include "sys/sys_page.h"
#include "sys/sys_save.h"
#include "sys/table_columns.h"

/** The options of all reports; the kind of the run decides which of them apply. */
struct show_options {
	struct table_options table;
	struct proc_view_options proc;
	struct export_options exports;
	struct output_options output;	/* options of every report */
};

static int show_sys(const struct record *record, const struct show_options *options,
		    struct export *page_file, struct text_error *error_ret)
{
	struct run_result result;
	struct receipt receipt;
	bool has_receipt = !run_load_receipt(record, &receipt);
	struct fold *fold = sys_load(record, &result, error_ret);
	const struct sys_page page = {
		.fold = fold, .result = &result, .receipt = has_receipt ? &receipt : NULL,
		.options = &options->table,
	};
	int status;

	if (!fold)
		return -EBADMSG;
	status = table_show(stdout, fold, &result, page.receipt, &options->table, false);
	/* table_show() has reported its error. */
	error_ret->what[0] = '\0';
	if (!status)
		status = export_write_page(page_file, sys_page_write, &page, error_ret);
	fold_destroy(fold);
	return status;
}

static int read_symbol_file(const char *path, struct sym_index **symbols_ret,
			    struct text_error *error_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	struct sym_error reason;

	if (fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	error = sym_index_create(fd, symbols_ret, &reason);
	if (error)
		text_fail(error_ret, 0, "read symbols of %s: %s", path, reason.text);
	close(fd);
	return error;
}

static int print_proc(const struct proc_page *page)
{
	const struct proc_report *report = page->report;
	u32 step;

	if (page->options->output.format == FORMAT_TEXT && report->nr_steps) {
		for (step = 0; step < report->nr_steps; step++)
			proc_view_step(stdout, report, step,
				       output_cols(&page->options->output));
		putchar('\n');
	}
	return proc_view_show(stdout, report, page->receipt, page->symbols, page->options, false);
}

/* Lists the instructions of a saved run; NULL: not requested, or no hits. */
static int list_saved_code(const struct record *record, const struct proc_report *report,
			   const struct sym_index *symbols,
			   const struct proc_view_options *options, struct listing **listing_ret,
			   struct text_error *error_ret)
{
	struct instructions instructions;
	int error;

	*listing_ret = NULL;
	if (!options->is_asm || !proc_report_hits(report))
		return 0;
	error = instructions_open_kept(&instructions, record, error_ret);
	if (error)
		return error;
	if (instructions.is_changed)
		fprintf(stderr, "probe: %s has changed or is gone since the run; its instructions "
			"come from the saved run,\nwithout source lines\n",
			instructions.code.path);
	error = instructions_list(&instructions, report, options->is_plain ? NULL : symbols,
				  options->shows_all ? SIZE_MAX : 0, listing_ret, error_ret);
	instructions_close(&instructions);
	return error;
}

static int show_proc(const struct record *record, const char *path, struct show_options *options,
		     struct export *page_file, struct text_error *error_ret)
{
	static struct proc_report report;	/* large */
	struct sym_index *symbols = NULL, *given = NULL;
	struct receipt receipt;
	struct proc_page page = {
		.report = &report, .options = &options->proc,
		.receipt = run_load_receipt(record, &receipt) ? NULL : &receipt,
	};
	struct listing *listing = NULL;
	int error = proc_load(record, &report, &symbols, error_ret);

	if (!error && path)
		error = read_symbol_file(path, &given, error_ret);
	page.symbols = given ? given : symbols;
	if (!error)
		error = list_saved_code(record, &report, page.symbols, &options->proc, &listing,
					error_ret);
	if (!error) {
		options->proc.listing = listing;
		error = print_proc(&page);
		/* print_proc() has reported its error. */
		error_ret->what[0] = '\0';
		if (!error)
			error = export_write_page(page_file, proc_page_write, &page, error_ret);
	}
	options->proc.listing = NULL;
	listing_destroy(listing);
	sym_index_destroy(symbols);
	sym_index_destroy(given);
	return error;
}

/* Refuses an option or argument that does not apply to the run in the file. */
static int refuse_option(const char *dash, const char *what, const char *kind,
			 struct text_error *error_ret)
{
	return text_fail(error_ret, -EBADMSG,
			 "%s%s does not apply to a run of 'probe %s'", dash, what, kind);
}

static int show_record(const struct record *record, struct show_options *options,
		       const struct options_rest *rest, struct export *page,
		       struct text_error *error_ret)
{
	const char *only_sys = options_first(rest, table_specs);
	const char *only_proc = options_first(rest, proc_view_specs);
	const char *symbols = rest->args[1];
	size_t len;

	if (record_find(record, "TASK", &len))
		return only_sys ? refuse_option("-", only_sys, "proc", error_ret) :
			show_proc(record, symbols, options, page, error_ret);
	if (!record_find(record, "CELL", &len))
		return text_fail(error_ret, -EBADMSG, "it has no report that this probe can show");
	return only_proc ? refuse_option("-", only_proc, "sys", error_ret) :
		symbols ? refuse_option("", "SYMBOLS", "sys", error_ret) :
		show_sys(record, options, page, error_ret);
}

/* -EINVAL with a reason: the report of this run does not have these columns. */
static int check_run_columns(const struct show_options *options, const struct record *record,
			     struct text_error *error_ret)
{
	size_t len;

	if (record_find(record, "TASK", &len))
		return proc_view_check(&options->proc, error_ret);
	return columns_check(&table_column_list, options->output.columns, error_ret);
}

static int show_saved_run(const struct record *record, struct show_options *options,
			  const struct options_rest *rest)
{
	struct text_error error = { "", "" }, full;
	struct export page;
	int result;

	options->table.output = options->proc.output = options->output;
	if (check_run_columns(options, record, &error))
		return command_misused(&command_show, &error);
	if (export_open(&page, &options->exports, rest->args[0], &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	result = show_record(record, options, rest, &page, &error);
	export_abandon(&page);
	if (result == -EBADMSG && error.what[0]) {
		text_fail(&full, 0, "show %s: %s", rest->args[0], error.what);
		text_report(&full);
	} else if (result && error.what[0]) {
		text_report(&error);
	}
	return result ? EXIT_FAILED : 0;
}

static int show_run(void *self, const struct options_rest *rest)
{
	struct text_error error;
	struct record record;
	int status;

	if (record_read(rest->args[0], &record, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	/* Runs with stacks are shown by their own commands, which parse the options anew. */
	if (call_is_kept(&record))
		status = command_run(&command_calls, rest->argv);
	else if (profile_is_kept(&record))
		status = command_run(&command_flat, rest->argv);
	else
		status = show_saved_run(&record, self, rest);
	record_deinit(&record);
	return status;
}

#define SHOW(field)	offsetof(struct show_options, field)

static const struct option_list show_options[] = {
	{ table_specs, SHOW(table) },
	{ proc_view_specs, SHOW(proc) },
	{ export_page_specs, SHOW(exports) },
	{ output_specs, SHOW(output) },
	{ columns_specs, SHOW(output) },
	{ form_specs, SHOW(output) },
	{ NULL }
};

static const struct column_list *const show_columns[] = {
	&table_column_list, &proc_column_list, &listing_column_list, &flat_column_list,
	&call_column_list, NULL
};

const struct command command_show = {
	.name = "show",
	.arguments = "FILE [SYMBOLS]",
	.help = "show a saved run again, with other symbols, order, width or format",
	.options = show_options,
	.columns = show_columns,
	.self_len = sizeof(struct show_options),
	.min_args = 1,
	.max_args = 2,
	.args_hint = "a file that -save has written, and optionally a file with symbols",
	.run = show_run,
};
