// SPDX-License-Identifier: GPL-2.0-only
/* probe list: list the background runs. */
#include <stdlib.h>
#include <string.h>

#include "background/control.h"
#include "background_list.h"
#include "command.h"

/*
 * Root asks other users' runs, too. Any of them may never answer, so that all are asked before the first answer is
 * awaited: this is how long all of them take together.
 */
#define OTHER_SECONDS	10

struct list_command {
	struct output_options output;
};

/** A run in the list. */
struct listed_run {
	int error;		/* why it could not be asked, -errno, and in words */
	struct text_error why;
	struct control_asked asked;
};

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

static void ask_run(struct listed_run *run, const char *name)
{
	run->error = control_send(name, "status", OTHER_SECONDS, &run->asked, &run->why);
}

/* Returns whether the run has answered. */
static bool read_row(struct listed_run *run, struct background_row *row)
{
	char *status;
	size_t len;

	if (run->error || control_await(&run->asked, &status, &len, &run->why)) {
		text_report(&run->why);
		return false;
	}
	background_row_init(row, run->asked.name, status);
	free(status);
	return true;
}

/* Asks the runs of these names, and shows those that answer. Returns the exit status. */
static int list_runs(char *names, size_t nr, const struct output_options *output)
{
	struct listed_run *runs = calloc(nr + 1, sizeof(*runs));
	struct background_row *rows = calloc(nr + 1, sizeof(*rows));
	struct text_error error = { "list runs: out of memory", "" };
	size_t nr_rows = 0, i;
	bool is_shown;

	for (i = 0; runs && rows && i < nr; i++)
		ask_run(&runs[i], strsep(&names, "\n"));
	for (i = 0; runs && rows && i < nr; i++)
		nr_rows += read_row(&runs[i], &rows[nr_rows]);
	is_shown = runs && rows && !background_list_show(stdout, rows, nr_rows, output, &error);
	if (!is_shown)
		text_report(&error);
	free(rows);
	free(runs);
	return is_shown && nr_rows == nr ? 0 : EXIT_FAILED;
}

static int list_run(void *self, const struct options_rest *rest)
{
	const struct list_command *list = self;
	char *names = control_list();
	int status;

	if (!names) {
		fprintf(stderr, "probe: list runs: out of memory\n");
		return EXIT_FAILED;
	}
	if (!names[0])
		fprintf(stderr, "probe: there are no background runs\n");
	status = list_runs(names, count_lines(names), &list->output);
	free(names);
	return status;
}

static int list_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct list_command *list = self;

	return columns_check(&background_column_list, list->output.columns, error_ret);
}

static const struct option_list list_options[] = {
	{ columns_specs, offsetof(struct list_command, output) },
	{ form_specs, offsetof(struct list_command, output) },
	{ NULL }
};

static const struct column_list *const list_columns[] = { &background_column_list, NULL };

const struct command command_list = {
	.name = "list",
	.arguments = "",
	.help = "list the background runs",
	.options = list_options,
	.columns = list_columns,
	.self_len = sizeof(struct list_command),
	.check = list_check,
	.run = list_run,
};
