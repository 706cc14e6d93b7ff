// SPDX-License-Identifier: GPL-2.0-only
/* probe list, status, dump, reset, stop: runs that go on in the background (see holder.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "command.h"
#include "report/debug_names.h"
#include "report/flat_report.h"
#include "stacks/control.h"
#include "stacks/stacks_fetch.h"

struct runs {
	const char *save;		/* file; NULL: show */
	double last_seconds;		/* 0: all */
	struct flat_report flat;	/* how it is shown */
	const char *shown_by;		/* the first of its options that was given; or NULL */
};

static const struct option_spec save_specs[] = {
	{ "save", "FILE", "keep it in FILE, for flat, graph and export; show nothing" },
	{ NULL, NULL, NULL }
};

static const struct option_spec last_specs[] = {
	{ "last", "T", "only the last T: 30, 5m" },
	{ NULL, NULL, NULL }
};

static int runs_set(void *context, const char *name, const char *value,
		    struct text_error *error_ret)
{
	struct runs *runs = context;

	if (!strcmp(name, "last"))
		return parse_seconds(value, &runs->last_seconds, error_ret);
	if (!strcmp(name, "save")) {
		runs->save = value;
		return 0;
	}
	if (!runs->shown_by)
		runs->shown_by = name;
	return flat_report_set(&runs->flat, name, value, error_ret);
}

static int check(struct runs *runs, struct text_error *error_ret)
{
	if (runs->save && runs->shown_by)
		return text_fail(error_ret, -EINVAL, "-save shows nothing, so -%s means nothing",
				 runs->shown_by);
	return flat_report_check(&runs->flat, error_ret);
}

/* Names the one run meant and the options; *status_ret when there is no going on. */
static bool parse(const struct command *command, char **argv, struct runs *runs,
		  const char **name_ret, int *status_ret)
{
	struct options_rest rest;
	struct text_error error;

	*status_ret = 0;
	if (command_wants_help(command, argv))
		return false;
	if (!options_parse(argv, command->options, runs_set, runs, &rest, &error) &&
	    !check(runs, &error)) {
		if (rest.nr_args <= 1 && !rest.command) {
			*name_ret = rest.nr_args ? rest.args[0] : CONTROL_NAME_DEFAULT;
			if (!control_check_name(*name_ret, &error))
				return true;
			text_report(&error);
			*status_ret = EXIT_USAGE;
			return false;
		}
		text_fail(&error, 0, "unexpected argument '%s'",
			  rest.command ? "--" : rest.args[1]);
	}
	*status_ret = command_misused(command, &error);
	return false;
}

/* The value of a line "KEY<tab>VALUE" of a status. */
static const char *value_of(const char *status, const char *key, char *value, size_t len)
{
	const char *at = strstr(status, key);
	size_t key_len = strlen(key);

	value[0] = '\0';
	if (at && (at == status || at[-1] == '\n') && at[key_len] == '\t')
		snprintf(value, len, "%.*s", (int)strcspn(at + key_len + 1, "\n"),
			 at + key_len + 1);
	return value;
}

static void print_status(const char *name, const char *status)
{
	char state[16], seconds[32], samples[32], lost[32], stacks[32], last[32], pid[16];

	printf("%-13s %7s  %-8s %8.0f s %10s %8s %7s %7s s\n", name,
	       value_of(status, "pid", pid, sizeof(pid)),
	       value_of(status, "state", state, sizeof(state)),
	       atof(value_of(status, "seconds", seconds, sizeof(seconds))),
	       value_of(status, "samples", samples, sizeof(samples)),
	       value_of(status, "lost", lost, sizeof(lost)),
	       value_of(status, "stacks", stacks, sizeof(stacks)),
	       value_of(status, "last_seconds", last, sizeof(last)));
}

static void print_status_head(void)
{
	printf("%-13s %7s  %-8s %10s %10s %8s %7s %9s\n", "Run", "Pid", "State", "For", "Samples",
	       "Lost", "Stacks", "Last");
}

static int show_status(const char *name)
{
	struct text_error error;
	char *status;
	size_t len;

	if (control_ask(name, "status", &status, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	print_status_head();
	print_status(name, status);
	free(status);
	return 0;
}

static int status_run(const struct command *command, char **argv)
{
	struct runs runs = { 0 };
	const char *name;
	int status;

	return parse(command, argv, &runs, &name, &status) ? show_status(name) : status;
}

static int list_run(const struct command *command, char **argv)
{
	char *names, *name, *rest, *status;
	struct runs runs = { 0 };
	struct text_error error;
	bool is_first = true;
	const char *unused;
	size_t len;
	int result;

	if (!parse(command, argv, &runs, &unused, &result))
		return result;
	names = rest = control_list();
	if (!names || !names[0])
		fprintf(stderr, "probe: no run goes on in the background\n");
	while (names && (name = strsep(&rest, "\n")) && name[0]) {
		if (control_ask(name, "status", &status, &len, &error)) {
			text_report(&error);
			result = EXIT_FAILED;
			continue;
		}
		if (is_first)
			print_status_head();
		is_first = false;
		print_status(name, status);
		free(status);
	}
	free(names);
	return result;
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

static int show(struct flat_report *flat, char *bytes, size_t len, const char *name,
		struct text_error *error_ret)
{
	struct stack_run stacks;
	int error = stacks_load_bytes(&stacks, bytes, len, name, error_ret);

	if (error)
		return error;
	error = flat_report_show(flat, &stacks, error_ret);
	if (!error)
		stacks_warn(&stacks);
	stacks_deinit(&stacks);
	return error;
}

/* Keeps or shows what a run has found; @request makes it say so. */
static int get_counts(const char *request, const char *name, struct runs *runs)
{
	struct text_error error, unshown;
	struct outfile out = { 0 };
	char *bytes = NULL;
	size_t len = 0;
	int result = 0;

	/* Before anything is ended: whether it can be kept at all. */
	if (runs->save) {
		result = outfile_open(&out, runs->save, &error);
		outfile_abandon(&out);
	}
	if (!result)
		result = control_ask(name, request, &bytes, &len, &error);
	if (!result && !runs->save) {
		result = show(&runs->flat, bytes, len, name, &error);
	} else if (!result) {
		result = write_file(runs->save, bytes, len, &error);
		/* A run that has ended has nothing else to leave. */
		if (result && !strcmp(request, "stop"))
			show(&runs->flat, bytes, len, name, &unshown);
	}
	if (result)
		text_report(&error);
	free(bytes);
	flat_report_deinit(&runs->flat);
	return result ? EXIT_FAILED : 0;
}

static int dump_run(const struct command *command, char **argv)
{
	char request[64] = "dump";
	struct runs runs = { 0 };
	const char *name;
	int status;

	if (!parse(command, argv, &runs, &name, &status))
		return status;
	if (runs.last_seconds)
		snprintf(request, sizeof(request), "dump %.3f", runs.last_seconds);
	return get_counts(request, name, &runs);
}

static int stop_run(const struct command *command, char **argv)
{
	struct runs runs = { 0 };
	const char *name;
	int status;

	return parse(command, argv, &runs, &name, &status) ?
		get_counts("stop", name, &runs) : status;
}

static int reset_run(const struct command *command, char **argv)
{
	struct runs runs = { 0 };
	struct text_error error;
	const char *name;
	char *answer;
	size_t len;
	int status;

	if (!parse(command, argv, &runs, &name, &status))
		return status;
	if (control_ask(name, "reset", &answer, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	free(answer);
	return 0;
}

static const struct option_spec *const no_options[] = { NULL };
static const struct option_spec *const dump_options[] = {
	last_specs, save_specs, flat_report_specs, debug_names_specs, columns_specs, form_specs,
		NULL
};
static const struct option_spec *const stop_options[] = {
	save_specs, flat_report_specs, debug_names_specs, columns_specs, form_specs, NULL
};
static const struct column_list *const flat_columns[] = { &flat_column_list, NULL };

const struct command command_list = {
	.name = "list",
	.arguments = "",
	.help = "runs in the background",
	.options = no_options,
	.run = list_run,
};

const struct command command_status = {
	.name = "status",
	.arguments = "[NAME]",
	.help = "how a run in the background is doing",
	.options = no_options,
	.run = status_run,
};

const struct command command_dump = {
	.name = "dump",
	.arguments = "[NAME]",
	.help = "what a run in the background has found; it goes on",
	.options = dump_options,
	.columns = flat_columns,
	.run = dump_run,
};

const struct command command_reset = {
	.name = "reset",
	.arguments = "[NAME]",
	.help = "set a run in the background back to zero",
	.options = no_options,
	.run = reset_run,
};

const struct command command_stop = {
	.name = "stop",
	.arguments = "[NAME]",
	.help = "end a run in the background, with what it has found",
	.options = stop_options,
	.columns = flat_columns,
	.run = stop_run,
};
