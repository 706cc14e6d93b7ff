// SPDX-License-Identifier: GPL-2.0-only
/* probe verify: whether the sums of a kept run hold. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "verify.h"

static int no_options(void *context, const char *name, const char *value,
		      struct text_error *error_ret)
{
	return 0;
}

static int verify(const char *path)
{
	struct verify_result result;
	struct text_error error = { "", "" };
	struct record record;
	int failed;

	if (record_read(path, &record, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	failed = verify_record(&record, stdout, &result, &error);
	record_deinit(&record);
	if (failed) {
		fprintf(stderr, "probe: verify %s: %s\n", path, error.what);
		return EXIT_FAILED;
	}
	printf("%s: a run of 'probe %s', %llu samples%s: ", path, result.command,
	       (unsigned long long)result.taken,
	       result.has_receipt ? "" : ", kept without a receipt");
	if (result.nr_wrong)
		printf("%u of %u sums do not hold\n", result.nr_wrong, result.nr_checked);
	else
		printf("all %u sums hold\n", result.nr_checked);
	return result.nr_wrong ? EXIT_FAILED : 0;
}

static int verify_run(const struct command *command, char **argv)
{
	struct options_rest rest;
	struct text_error error;

	if (command_wants_help(command, argv))
		return 0;
	if (options_parse(argv, command->options, no_options, NULL, &rest, &error))
		return command_misused(command, &error);
	if (rest.nr_args == 1 && !rest.command)
		return verify(rest.args[0]);
	if (!rest.nr_args)
		text_fail(&error, 0, "no FILE given");
	else
		text_fail(&error, 0, "unexpected argument '%s'",
			  rest.nr_args > 1 ? rest.args[1] : "--");
	text_hint(&error, "-save of 'probe sys' and 'probe proc' keeps runs in files");
	return command_misused(command, &error);
}

static const struct option_spec *const verify_options[] = { NULL };

const struct command command_verify = {
	.name = "verify",
	.arguments = "FILE",
	.help = "check that every sample of a kept run is accounted for",
	.options = verify_options,
	.run = verify_run,
};
