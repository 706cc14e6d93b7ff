// SPDX-License-Identifier: GPL-2.0-only
/* probe list: list the background runs. */
#include <stdlib.h>
#include <string.h>

#include "background_command.h"
#include "background/control.h"

static int list_run(void *self, const struct options_rest *rest)
{
	char *names = control_list(), *at = names, *name;
	bool is_first = true;
	int result = 0;

	if (!names || !names[0])
		fprintf(stderr, "probe: there are no background runs\n");
	while (names && (name = strsep(&at, "\n")) && name[0]) {
		if (background_print_status(name, is_first, false))
			result = EXIT_FAILED;
		else
			is_first = false;
	}
	free(names);
	return result;
}

const struct command command_list = {
	.name = "list",
	.arguments = "",
	.help = "list the background runs",
	.run = list_run,
};
