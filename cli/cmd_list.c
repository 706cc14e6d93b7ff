// SPDX-License-Identifier: GPL-2.0-only
/* probe list: list the background runs. */
#include <stdlib.h>
#include <string.h>

#include "background_command.h"
#include "background/control.h"

/*
 * Root asks other users' runs, too. Any of them may never answer, so that all are asked before the first answer is
 * awaited: this is how long all of them take together.
 */
#define OTHER_SECONDS	10

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

static bool print_run(struct listed_run *run, bool has_titles)
{
	char *status;
	size_t len;

	if (run->error || control_await(&run->asked, &status, &len, &run->why)) {
		text_report(&run->why);
		return false;
	}
	background_put_status(run->asked.name, status, has_titles);
	free(status);
	return true;
}

static int list_run(void *self, const struct options_rest *rest)
{
	char *names = control_list(), *at = names;
	size_t nr = names ? count_lines(names) : 0, nr_printed = 0, i;
	struct listed_run *runs = calloc(nr + 1, sizeof(*runs));

	if (!names || !runs) {
		fprintf(stderr, "probe: list runs: out of memory\n");
		nr = 1;
	} else if (!nr) {
		fprintf(stderr, "probe: there are no background runs\n");
	} else {
		for (i = 0; i < nr; i++)
			ask_run(&runs[i], strsep(&at, "\n"));
		for (i = 0; i < nr; i++)
			nr_printed += print_run(&runs[i], !nr_printed);
	}
	free(runs);
	free(names);
	return nr_printed == nr ? 0 : EXIT_FAILED;
}

const struct command command_list = {
	.name = "list",
	.arguments = "",
	.help = "list the background runs",
	.run = list_run,
};
