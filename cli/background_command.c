// SPDX-License-Identifier: GPL-2.0-only
/* Shared by the commands about background runs: see background_command.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "background_command.h"
#include "base/option_values.h"
#include "base/outfile.h"
#include "background/control.h"
#include "stacks/stacks_fetch.h"

const struct option_spec background_save_specs[] = {
	{ "save", "FILE", "save it in FILE, for flat, graph and export, instead of showing it",
	  option_text, BACKGROUND(save) },
	{ NULL }
};

const char *background_name(const struct options_rest *rest)
{
	return rest->nr_args ? rest->args[0] : CONTROL_NAME_DEFAULT;
}

int background_check_name(void *self, const struct options_rest *rest,
			  struct text_error *error_ret)
{
	return control_check_name(background_name(rest), error_ret);
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

/* Options about the report conflict with -save, which shows no report. */
int background_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	struct background_counts *counts = self;
	const char *shows = options_first(rest, flat_report_specs) ?:
		options_first(rest, count_specs) ?:
		options_first(rest, debug_names_specs) ?: options_first(rest, columns_specs) ?:
		options_first(rest, form_specs);

	if (counts->save && shows)
		return text_fail(error_ret, -EINVAL, "-save cannot be combined with -%s", shows);
	return flat_report_check(&counts->report, rest, error_ret) ?:
		background_check_name(self, rest, error_ret);
}

void background_deinit(void *self)
{
	struct background_counts *counts = self;

	flat_report_deinit(&counts->report);
}

/* Copies the value of the first line "KEY<tab>VALUE" of a status; "" if there is none. */
static const char *copy_status_value(const char *status, const char *key, char *value, size_t len)
{
	size_t key_len = strlen(key);

	value[0] = '\0';
	for (; *status; status += strcspn(status, "\n"), status += *status == '\n') {
		const char *at = status + key_len + 1;

		if (strncmp(status, key, key_len) || status[key_len] != '\t')
			continue;
		snprintf(value, len, "%.*s", (int)strcspn(at, "\n"), at);
		break;
	}
	return value;
}

static void print_status_line(const char *name, const char *status)
{
	char kind[16], state[16], seconds[32], paused[32], samples[32], lost[32], stacks[32];
	char pid[16], last[32];

	copy_status_value(status, "last_seconds", last, sizeof(last) - 1);
	strcat(last, last[0] ? "s" : "");
	printf("%-12s %7s %-6s %-8s %6.0fs %5.0fs %9s %5s %6s %5s\n", name,
	       copy_status_value(status, "pid", pid, sizeof(pid)),
	       copy_status_value(status, "kind", kind, sizeof(kind)),
	       copy_status_value(status, "state", state, sizeof(state)),
	       atof(copy_status_value(status, "seconds", seconds, sizeof(seconds))),
	       atof(copy_status_value(status, "paused", paused, sizeof(paused))),
	       copy_status_value(status, "samples", samples, sizeof(samples)),
	       copy_status_value(status, "lost", lost, sizeof(lost)),
	       copy_status_value(status, "stacks", stacks, sizeof(stacks)),
	       last);
}

int background_print_status(const char *name, bool has_titles)
{
	struct text_error error;
	char *status;
	size_t len;

	if (control_ask(name, "status", &status, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	if (has_titles)
		printf("%-12s %7s %-6s %-8s %7s %6s %9s %5s %6s %5s\n", "Run", "Pid", "Kind",
		       "State", "For", "Paused", "Samples", "Lost", "Stacks", "Last");
	print_status_line(name, status);
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

static int show_counts(struct background_counts *counts, char *bytes, size_t len,
		       const char *name, struct text_error *error_ret)
{
	struct stack_run stacks;
	int error = stacks_load_bytes(&stacks, bytes, len, name, error_ret);

	if (error)
		return error;
	if (counts->count)
		stacks.executions = counts->count;
	error = flat_report_show(&counts->report, &stacks, error_ret);
	if (!error)
		stacks_warn(&stacks);
	stacks_deinit(&stacks);
	return error;
}

int background_get(struct background_counts *counts, const char *request, const char *name)
{
	struct text_error error, unshown;
	struct outfile out = { 0 };
	char *bytes = NULL;
	size_t len = 0;
	int result = 0;

	/* Check that the file can be written before the request ends the run. */
	if (counts->save) {
		result = outfile_open(&out, counts->save, &error);
		outfile_abandon(&out);
	}
	if (!result)
		result = control_ask(name, request, &bytes, &len, &error);
	if (!result && !counts->save) {
		result = show_counts(counts, bytes, len, name, &error);
	} else if (!result) {
		result = write_file(counts->save, bytes, len, &error);
		/* The run has ended and its counts would be gone: show them at least. */
		if (result && !strcmp(request, "stop"))
			show_counts(counts, bytes, len, name, &unshown);
	}
	if (result)
		text_report(&error);
	free(bytes);
	return result ? EXIT_FAILED : 0;
}
