// SPDX-License-Identifier: GPL-2.0-only
/* Shared by the commands about background runs: see background_command.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/window_merge.h"
#include "background_command.h"
#include "base/option_values.h"
#include "base/outfile.h"
#include "calls/call_view.h"
#include "code/listing_view.h"
#include "run/run_events.h"
#include "run/run_save.h"
#include "stacks/stacks_fetch.h"
#include "sys/table_columns.h"
#include "times/time_view.h"

const struct option_spec background_last_specs[] = {
	{ "last", "T", "of a run of stacks, only the most recent T: 30, 5m", option_seconds,
	  BACKGROUND(last_seconds) },
	{ NULL }
};

const struct option_spec background_save_specs[] = {
	{ "save", "FILE", "save it in FILE instead of showing it", option_file, BACKGROUND(save) },
	{ NULL }
};

const struct option_spec background_specs[] = {
	{ "background", "NAME", "measure in the background; see status, dump, reset, pause, stop",
	  option_text, 0 },
	{ NULL }
};

const struct column_list *const background_columns[] = {
	&flat_column_list, &table_column_list, &proc_column_list, &listing_column_list,
	&call_column_list, &time_column_list, NULL
};

/* Options of a command that no background run can have, besides those of its report. */
static const char *const foreground_options[] = {
	"repeat", "narrow", "hot", "count", "count-from", NULL
};

static const struct option_list stacks_lists[] = {
	{ background_last_specs, 0 },
	{ background_save_specs, 0 },
	{ count_specs, BACKGROUND(count) },
	{ flat_report_specs, BACKGROUND(stacks) },
	{ debug_names_specs, BACKGROUND(stacks.is_fetched) },
	{ columns_specs, BACKGROUND(stacks.output) },
	{ form_specs, BACKGROUND(stacks.output) },
	{ NULL }
};

#define OTHER_LISTS \
	{ background_save_specs, 0 }, \
	{ export_page_specs, BACKGROUND(other.exports) }, \
	{ output_specs, BACKGROUND(other.output) }, \
	{ columns_specs, BACKGROUND(other.output) }, \
	{ form_specs, BACKGROUND(other.output) }, \
	{ NULL }

static const struct option_list sys_lists[] = {
	{ table_specs, BACKGROUND(other.table) },
	OTHER_LISTS
};

static const struct option_list proc_lists[] = {
	{ proc_view_specs, BACKGROUND(other.proc) },
	OTHER_LISTS
};

static const struct option_list calls_lists[] = {
	{ background_save_specs, 0 },
	{ call_view_specs, BACKGROUND(calls.view) },
	{ calls_report_specs, BACKGROUND(calls) },
	{ export_path_specs, BACKGROUND(other.exports) },
	{ columns_specs, BACKGROUND(calls.view.output) },
	{ form_specs, BACKGROUND(calls.view.output) },
	{ NULL }
};

static int check_stacks(struct background_counts *counts, const struct options_rest *rest,
			struct text_error *error_ret)
{
	return flat_report_check(&counts->stacks, rest, error_ret);
}

static int check_sys(struct background_counts *counts, const struct options_rest *rest,
		     struct text_error *error_ret)
{
	return columns_check(&table_column_list, counts->other.output.columns, error_ret);
}

static int check_proc(struct background_counts *counts, const struct options_rest *rest,
		      struct text_error *error_ret)
{
	counts->other.proc.output = counts->other.output;
	if (!strcmp(counts->code, "0") && counts->other.proc.is_asm) {
		text_fail(error_ret, 0, "-asm needs the code of the range, which the run does not have");
		text_hint(error_ret, "its file is unreadable or has changed, or the range is too long for -asm");
		return -EINVAL;
	}
	return proc_view_check(&counts->other.proc, error_ret);
}

static int check_calls(struct background_counts *counts, const struct options_rest *rest,
		       struct text_error *error_ret)
{
	counts->calls.exports = counts->other.exports;
	counts->calls.warns = true;
	if (call_view_check(&counts->calls.view, error_ret))
		return -EINVAL;
	return counts->calls_flags[0] ? calls_report_check(&counts->calls, atoi(counts->calls_flags), error_ret) : 0;
}

static int show_stacks(struct background_counts *counts, char *bytes, size_t len, const char *name,
		       struct export *page, struct text_error *error_ret)
{
	struct stack_run stacks;
	int error = stacks_load_bytes(&stacks, bytes, len, name, error_ret);

	if (error)
		return error;
	if (counts->count)
		stacks.executions = counts->count;
	error = flat_report_show(&counts->stacks, &stacks, error_ret);
	if (!error)
		stacks_warn(&stacks);
	stacks_deinit(&stacks);
	return error;
}

/* The windows of an agent are shown as one run; then where they are. */
static int show_agent(struct background_counts *counts, char *bytes, size_t len, const char *name,
		      struct export *page, struct text_error *error_ret)
{
	const struct record record = { bytes, len };
	int error = show_stacks(counts, bytes, len, name, page, error_ret);

	if (!error)
		window_merge_tell(&record, stderr);
	return error;
}

static int show_calls(struct background_counts *counts, char *bytes, size_t len, const char *name,
		      struct export *page, struct text_error *error_ret)
{
	const struct record record = { bytes, len };
	struct stack_run stacks;
	int error = stacks_load_bytes(&stacks, bytes, len, name, error_ret);

	if (error)
		return error;
	error = calls_report_record(&counts->calls, &record, &stacks, page, error_ret);
	stacks_deinit(&stacks);
	return error;
}

static int show_other(struct background_counts *counts, char *bytes, size_t len, const char *name,
		      struct export *page, struct text_error *error_ret);

/** How runs of each kind are shown. The names are those of holders. */
static const struct background_kind {
	const char *name;
	const struct option_list *lists;
	/* As command.check. */
	int (*check)(struct background_counts *counts, const struct options_rest *rest,
		     struct text_error *error_ret);
	/* Print the report of a saved run. -errno; the reason is "" if it was reported. */
	int (*show)(struct background_counts *counts, char *bytes, size_t len, const char *name,
		    struct export *page, struct text_error *error_ret);
	int digits;	/* of a percentage in the report */
} kinds[] = {
	{ "stacks", stacks_lists, check_stacks, show_stacks },
	{ "sys", sys_lists, check_sys, show_other, TABLE_DIGITS },
	{ "proc", proc_lists, check_proc, show_other, PROC_VIEW_DIGITS },
	{ "calls", calls_lists, check_calls, show_calls },
	{ "agent", stacks_lists, check_stacks, show_agent },
};

static int show_other(struct background_counts *counts, char *bytes, size_t len, const char *name,
		      struct export *page, struct text_error *error_ret)
{
	const struct record record = { bytes, len };
	const struct output_options *output = &counts->other.output;
	struct record run = record;
	struct receipt receipt;
	unsigned int at = 0;
	int error = record_check(&record, name, error_ret);

	if (!error)
		error = saved_report_show(&record, &counts->other, NULL, page, error_ret);
	if (error || run_load_receipt(&record, &receipt))
		return error;
	if (output->format == FORMAT_TSV)
		receipt_finish(&receipt, output);
	receipt_warn(&receipt, counts->kind->digits);
	for (; !run_events_find(&record, at, &run, error_ret) && !run_load_receipt(&run, &receipt); at++) {
		if (output->format == FORMAT_TSV)
			receipt_print_beside(stderr, &receipt, output_cols(output));
		receipt_warn(&receipt, counts->kind->digits);
	}
	return 0;
}

const char *background_name(const struct options_rest *rest)
{
	return rest->nr_args ? rest->args[0] : CONTROL_NAME_DEFAULT;
}

int background_check_name(void *self, const struct options_rest *rest,
			  struct text_error *error_ret)
{
	return control_check_asked(background_name(rest), error_ret);
}

int background_start(const char *name, const struct holder_kind *kind, void *self,
		     struct sampling_options *sampling)
{
	int pid = holder_start(name, kind, self, sampling);

	if (pid < 0)
		return EXIT_FAILED;
	printf("run %s is sampling in the background (pid %d)\n", name, pid);
	return 0;
}

int background_order(const char *request, const struct options_rest *rest)
{
	struct text_error error;
	char *answer;
	size_t len;

	if (control_ask(background_name(rest), request, &answer, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	free(answer);
	return 0;
}

int background_check_start(const char *name, const struct options_rest *rest,
			   const struct option_spec *const *reports, struct text_error *error_ret)
{
	const char *const *option, *shows = NULL;

	if (!name)
		return 0;
	if (rest->command) {
		text_fail(error_ret, 0, "-background cannot be combined with a COMMAND");
		text_hint(error_ret, "start the COMMAND when the run has begun");
		return -EINVAL;
	}
	for (option = foreground_options; *option; option++)
		if (options_given(rest, *option))
			return text_fail(error_ret, -EINVAL,
					 "-background cannot be combined with -%s", *option);
	for (; *reports && !shows; reports++)
		shows = options_first(rest, *reports);
	if (!shows)
		return control_check_name(name, error_ret);
	text_fail(error_ret, 0, "-background cannot be combined with -%s", shows);
	text_hint(error_ret, "give -%s to 'probe dump' or 'probe stop'", shows);
	return -EINVAL;
}

/* Options about the report conflict with -save, which shows no report. */
int background_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct option_list files[] = {
		{ background_last_specs }, { background_save_specs }, { NULL }
	};
	struct background_counts *counts = self;
	const char *shows = options_lack(rest, files);

	if (counts->save && shows)
		return text_fail(error_ret, -EINVAL, "-save cannot be combined with -%s", shows);
	return counts->kind->check(counts, rest, error_ret) ?:
		background_check_name(self, rest, error_ret);
}

void background_deinit(void *self)
{
	struct background_counts *counts = self;

	flat_report_deinit(&counts->stacks);
}

const char *background_status_value(const char *status, const char *key, char *value, size_t len)
{
	size_t key_len = strlen(key);

	value[0] = '\0';
	for (; *status; status += strcspn(status, "\n"), status += *status == '\n') {
		const char *at = status + key_len + 1;

		if (strncmp(status, key, key_len) || status[key_len] != '\t')
			continue;
		snprintf(value, len, "%.*s", (int)strcspn(at, "\n"), at);
		text_plain(value);
		break;
	}
	return value;
}

int background_choose(const struct command *command, void *self, char **argv,
		      const struct option_list **lists_ret, struct text_error *error_ret)
{
	struct background_counts *counts = self;
	struct options_rest rest;
	char *status, kind[16];
	const char *lacks;
	size_t len, i;

	counts->kind = kinds;
	if (options_parse(argv, command->options, NULL, &rest, error_ret))
		return -EINVAL;
	if (control_ask(background_name(&rest), "status", &status, &len, &counts->unasked))
		return 0;
	background_status_value(status, "kind", kind, sizeof(kind));
	background_status_value(status, "calls", counts->calls_flags, sizeof(counts->calls_flags));
	background_status_value(status, "code", counts->code, sizeof(counts->code));
	free(status);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, kind))
			counts->kind = &kinds[i];
	*lists_ret = counts->kind->lists;
	lacks = options_lack(&rest, counts->kind->lists);
	return lacks ? text_fail(error_ret, -EINVAL, "-%s does not apply to a run of kind %s",
				 lacks, counts->kind->name) : 0;
}

static void print_status_row(const char *name, const char *status)
{
	char kind[16], state[16], seconds[32], paused[32], samples[32], lost[32], stacks[32];
	char pid[16], last[32];

	background_status_value(status, "last_seconds", last, sizeof(last) - 1);
	strcat(last, last[0] ? "s" : "");
	printf("%-12s %7s %-6s %-8s %7s %6s %9s %5s %6s %5s\n", "Run", "Pid", "Kind", "State", "For", "Paused", "Samples",
	       "Lost", "Stacks", "Last");
	printf("%-12s %7s %-6s %-8s %6.0fs %5.0fs %9s %5s %6s %5s\n", name,
	       background_status_value(status, "pid", pid, sizeof(pid)),
	       background_status_value(status, "kind", kind, sizeof(kind)),
	       background_status_value(status, "state", state, sizeof(state)),
	       atof(background_status_value(status, "seconds", seconds, sizeof(seconds))),
	       atof(background_status_value(status, "paused", paused, sizeof(paused))),
	       background_status_value(status, "samples", samples, sizeof(samples)),
	       background_status_value(status, "lost", lost, sizeof(lost)),
	       background_status_value(status, "stacks", stacks, sizeof(stacks)),
	       last);
}

/* Whether a line of a status is in the row that all kinds of runs have. */
static bool is_in_row(const char *line, size_t len)
{
	static const char *const keys[] = { "pid", "kind", "state", "began", "seconds", "paused", "samples", "lost",
					    "stacks", "last_seconds", NULL };
	const char *const *key;

	for (key = keys; *key; key++)
		if (strlen(*key) == len && !strncmp(*key, line, len))
			return true;
	return false;
}

/* Prints the lines that only some kinds of runs have. */
static void print_status_details(const char *status)
{
	char line[512], *tab;
	size_t len;

	for (; *status; status += len + (status[len] == '\n')) {
		len = strcspn(status, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, status);
		tab = strchr(line, '\t');
		if (!tab || is_in_row(line, tab - line))
			continue;
		*tab++ = '\0';
		text_plain(line);
		text_plain(tab);
		printf("%-18s ", line);
		text_put(stdout, tab);
		putchar('\n');
	}
}

/* Prints the events of a run that samples some. */
static void print_status_events(const char *status)
{
	char event[EVENT_NAME_LEN + 40];

	for (; *status; status += strcspn(status, "\n"), status += *status == '\n') {
		if (strncmp(status, "event\t", 6))
			continue;
		background_status_value(status, "event", event, sizeof(event));
		printf("%-12s %s\n", "Event", event);
	}
}

int background_print_status(const char *name)
{
	struct text_error error;
	char *status, kind[16];
	size_t len;

	if (control_ask(name, "status", &status, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	print_status_row(name, status);
	if (!strcmp(background_status_value(status, "kind", kind, sizeof(kind)), "agent"))
		print_status_details(status);
	else
		print_status_events(status);
	free(status);
	return 0;
}

static int write_file(const char *path, const char *bytes, size_t len, struct text_error *error_ret)
{
	struct outfile out = { 0 };
	int error = outfile_open(&out, path, error_ret);

	if (error)
		return error;
	fwrite(bytes, 1, len, out.file);
	return outfile_commit(&out, error_ret);
}

int background_get(struct background_counts *counts, const char *request, const char *name)
{
	struct text_error error = { "", "" }, unshown;
	struct outfile out = { 0 };
	struct export page;
	char *bytes = NULL;
	size_t len = 0;
	int result;

	if (counts->unasked.what[0]) {
		text_report(&counts->unasked);
		return EXIT_FAILED;
	}
	/* Check that files can be written before the request ends the run. */
	result = export_open(&page, &counts->other.exports, NULL, &error);
	if (!result && counts->save) {
		result = outfile_open(&out, counts->save, &error);
		outfile_abandon(&out);
	}
	if (!result)
		result = control_ask(name, request, &bytes, &len, &error);
	if (!result && !counts->save) {
		result = counts->kind->show(counts, bytes, len, name, &page, &error);
	} else if (!result) {
		result = write_file(counts->save, bytes, len, &error);
		/* The run has ended and its counts would be gone: show them at least. */
		if (result && !strcmp(request, "stop"))
			counts->kind->show(counts, bytes, len, name, &page, &unshown);
	}
	if (result && error.what[0])
		text_report(&error);
	export_abandon(&page);
	free(bytes);
	return result == OPTIONS_UNFIT ? EXIT_USAGE : result ? EXIT_FAILED : 0;
}
