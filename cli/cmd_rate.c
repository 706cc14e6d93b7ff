// SPDX-License-Identifier: GPL-2.0-only
/* probe rate: show or change the rate of a background run, which keeps its counts. */
#include <stdlib.h>

#include "background_command.h"
#include "base/option_values.h"

static int check_rate(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	u64 period_ns;

	return background_check_name(self, rest, error_ret) ?:
		rest->nr_args < 2 ? 0 : option_rate(NULL, rest->args[1], &period_ns, error_ret);
}

static int show_or_set_rate(void *self, const struct options_rest *rest)
{
	struct text_error error;
	char request[64] = "rate", *answer;
	size_t len;

	if (rest->nr_args > 1)
		snprintf(request, sizeof(request), "rate %s", rest->args[1]);
	if (control_ask(background_name(rest), request, &answer, &len, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	if (rest->nr_args < 2)
		printf("%.*s Hz\n", (int)len, answer);
	free(answer);
	return 0;
}

const struct command command_rate = {
	.name = "rate",
	.arguments = "[NAME [HZ]]",
	.help = "show or change the rate of a background run, with the same counts",
	.max_args = 2,
	.check = check_rate,
	.run = show_or_set_rate,
};
