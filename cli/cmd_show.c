// SPDX-License-Identifier: GPL-2.0-only
/* probe show: show a saved run again. */
#include <errno.h>
#include <sys/stat.h>

#include "calls/call_save.h"
#include "calls/call_view.h"
#include "code/listing_view.h"
#include "command.h"
#include "profile/profile_save.h"
#include "report/flat_view.h"
#include "saved_report.h"
#include "sys/table_columns.h"
#include "trace/trace_save.h"

/* Refuses an option or argument that does not apply to the run in the file. */
static int refuse_option(const char *dash, const char *what, const char *kind,
			 struct text_error *error_ret)
{
	return text_fail(error_ret, OPTIONS_UNFIT,
			 "%s%s does not apply to a run of 'probe %s'", dash, what, kind);
}

static int show_record(const struct record *record, struct saved_report_options *options,
		       const struct options_rest *rest, struct export *page,
		       struct text_error *error_ret)
{
	const char *only_sys = options_first(rest, table_specs);
	const char *only_proc = options_first(rest, proc_view_specs);
	const char *symbols = rest->args[1];
	size_t len;

	if (record_find(record, "TASK", &len))
		return only_sys ? refuse_option("-", only_sys, "proc", error_ret) :
			saved_report_show(record, options, symbols, page, error_ret);
	if (!record_find(record, "CELL", &len))
		return text_fail(error_ret, -EBADMSG, "it has no report that this probe can show");
	return only_proc ? refuse_option("-", only_proc, "sys", error_ret) :
		symbols ? refuse_option("", "SYMBOLS", "sys", error_ret) :
		saved_report_show(record, options, NULL, page, error_ret);
}

static int show_saved_run(const struct record *record, struct saved_report_options *options,
			  const struct options_rest *rest)
{
	struct text_error error = { "", "" }, full;
	struct export page;
	int result;

	if (saved_report_check(options, record, &error))
		return command_misused(&command_show, &error);
	if (export_open(&page, &options->exports, rest->args[0], &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	result = show_record(record, options, rest, &page, &error);
	export_abandon(&page);
	if (!result)
		return 0;
	if (result != -EBADMSG || !error.what[0])
		return command_failed(&command_show, result, &error);
	text_fail(&full, 0, "show %s: %s", rest->args[0], error.what);
	text_report(&full);
	return EXIT_FAILED;
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
	status = show_saved_run(&record, self, rest);
	record_deinit(&record);
	return status;
}

/* A file is a run of its own command, whose options these are; a pipe could not be read again. */
static const struct command *find_command_of(const char *path)
{
	const struct command *command;
	struct record record;
	struct stat status;

	if (stat(path, &status) || !S_ISREG(status.st_mode) || record_read(path, &record, NULL))
		return NULL;
	command = trace_is_kept(&record) ? &command_trace : call_is_kept(&record) ? &command_calls :
		profile_is_kept(&record) ? &command_flat : NULL;
	record_deinit(&record);
	return command;
}

/* Traces, counted calls and stacks are shown by their own commands. Which words are options is for those to say. */
static const struct command *show_find_other(char **argv)
{
	const struct command *command = NULL;

	for (argv++; *argv && !command; argv++)
		if ((*argv)[0] != '-')
			command = find_command_of(*argv);
	return command;
}

#define SHOW(field)	offsetof(struct saved_report_options, field)

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
	.self_len = sizeof(struct saved_report_options),
	.min_args = 1,
	.max_args = 2,
	.args_hint = "a file that -save has written, and optionally a file with symbols",
	.find_other = show_find_other,
	.run = show_run,
};
