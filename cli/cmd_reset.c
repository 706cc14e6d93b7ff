// SPDX-License-Identifier: GPL-2.0-only
/* probe reset: set the counts of a background run to zero. */
#include <stdlib.h>

#include "background.h"
#include "stacks/control.h"

static int reset_run(void *self, const struct options_rest *rest)
{
	struct text_error error;
	char *answer;
	size_t len;

	if (control_ask(background_name(rest), "reset", &answer, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	free(answer);
	return 0;
}

const struct command command_reset = {
	.name = "reset",
	.arguments = "[NAME]",
	.help = "set the counts of a background run to zero",
	.max_args = 1,
	.check = background_check_name,
	.run = reset_run,
};
