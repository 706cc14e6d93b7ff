// SPDX-License-Identifier: GPL-2.0-only
/* Shows a saved run of probe sys or probe proc: see saved_report.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "proc/instructions.h"
#include "proc/proc_page.h"
#include "proc/proc_save.h"
#include "run/run_events.h"
#include "run/run_save.h"
#include "saved_report.h"
#include "sys/sys_events.h"
#include "sys/sys_page.h"
#include "sys/sys_save.h"
#include "sys/table_columns.h"

/* The other events of the run. The fold of the first one gets their processes. */
static int load_others(const struct record *record, struct fold *fold, struct sys_events *others_ret,
		       struct text_error *error_ret)
{
	int error = sys_events_load(record, others_ret, error_ret);
	unsigned int i;

	for (i = 0; !error && i < others_ret->nr; i++)
		if (fold_include(fold, others_ret->fold[i]))
			error = text_fail(error_ret, -ENOMEM, "out of memory");
	return error;
}

static int show_sys(const struct record *record, const struct saved_report_options *options,
		    struct export *page_file, struct text_error *error_ret)
{
	struct run_result result;
	struct receipt receipt;
	struct sys_events others;
	struct table_events events;
	bool has_receipt = !run_load_receipt(record, &receipt);
	struct fold *fold = sys_load(record, &result, error_ret);
	const struct sys_page page = {
		.fold = fold, .result = &result, .receipt = has_receipt ? &receipt : NULL,
		.others = &events, .options = &options->table,
	};
	int status;

	if (!fold)
		return -EBADMSG;
	result.flags = has_receipt ? receipt.flags : 0;
	status = load_others(record, fold, &others, error_ret);
	if (!status) {
		events = sys_events_table(&others, page.receipt);
		status = table_show(stdout, fold, &result, page.receipt, &options->table, &events, false);
		/* table_show() has reported its error. */
		error_ret->what[0] = '\0';
	}
	if (!status)
		status = export_write_page(page_file, sys_page_write, &page, error_ret);
	sys_events_deinit(&others);
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

static int show_proc(const struct record *record, struct saved_report_options *options,
		     const char *path, struct export *page_file, struct text_error *error_ret)
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

	report.result.flags = page.receipt ? receipt.flags : 0;
	if (!error && path)
		error = read_symbol_file(path, &given, error_ret);
	page.symbols = given ? given : symbols;
	if (!error)
		error = list_saved_code(record, &report, page.symbols, &options->proc, &listing,
					error_ret);
	if (!error) {
		options->proc.listing = listing;
		proc_report_warn(&report);
		error = report.result.account.taken ? print_proc(&page) :
			run_no_samples(&report.result);
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

/* The option that is about one event; NULL: there is none. */
static const char *find_option_of_one(const struct saved_report_options *options)
{
	return options->proc.is_asm ? "asm" : export_is_asked(&options->exports) ? "html" :
		options->output.format == FORMAT_TSV ? "tsv" : NULL;
}

/* The reports of all events, which are of one range. */
static int show_proc_events(const struct record *record, struct saved_report_options *options, const char *path,
			    struct export *page, struct text_error *error_ret)
{
	const char *one = find_option_of_one(options);
	struct record run = *record;
	unsigned int at = 0;
	int result = 0, error;

	if (one && run_events_find(record, 0, &run, error_ret) != -ENOENT)
		return text_fail(error_ret, OPTIONS_UNFIT, "-%s is of one event; the run has several", one);
	do {
		if (at)
			putchar('\n');
		error = show_proc(&run, options, path, page, error_ret);
		if (error == -EBADMSG)
			return error;
		result = result ?: error;
		error = run_events_find(record, at++, &run, error_ret);
	} while (!error);
	return error == -ENOENT ? result : error;
}

static bool is_of_proc(const struct record *record)
{
	size_t len;

	return record_find(record, "TASK", &len);
}

int saved_report_check(const struct saved_report_options *options, const struct record *record,
		       struct text_error *error_ret)
{
	struct proc_view_options proc = options->proc;

	proc.output = options->output;
	return is_of_proc(record) ? proc_view_check(&proc, error_ret) :
		columns_check(&table_column_list, options->output.columns, error_ret);
}

int saved_report_show(const struct record *record, struct saved_report_options *options,
		      const char *symbols, struct export *page, struct text_error *error_ret)
{
	options->table.output = options->proc.output = options->output;
	return is_of_proc(record) ? show_proc_events(record, options, symbols, page, error_ret) :
		show_sys(record, options, page, error_ret);
}
