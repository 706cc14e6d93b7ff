// SPDX-License-Identifier: GPL-2.0-only
/* probe mark: write a mark into the traces that are being recorded. */
#include <errno.h>
#include <stdio.h>

#include "command.h"
#include "cpuprobe.h"
#include "runtime/cpuprobe_mark.h"

static int mark_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	size_t len = strlen(rest->args[0]);

	return len && len <= CPUPROBE_MARK_MAX ? 0 :
		text_fail(error_ret, -EINVAL, "a mark has from 1 to %d bytes", CPUPROBE_MARK_MAX);
}

static int mark_run(void *self, const struct options_rest *rest)
{
	struct text_error error;

	if (!cpuprobe_mark(rest->args[0]))
		return 0;
	text_fail(&error, 0, "write a mark to /dev/" CPUPROBE_DEVICE ": %s", strerror(errno));
	if (errno == ENOENT)
		text_hint(&error, "the module is not loaded: 'probe trace' loads it");
	text_report(&error);
	return EXIT_FAILED;
}

const struct command command_mark = {
	.name = "mark",
	.arguments = "TEXT",
	.help = "write a mark into the traces that are being recorded",
	.min_args = 1,
	.max_args = 1,
	.args_hint = "a text of at most 64 bytes",
	.check = mark_check,
	.run = mark_run,
};
