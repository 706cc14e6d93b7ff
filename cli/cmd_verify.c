// SPDX-License-Identifier: GPL-2.0-only
/* probe verify: check the sums of a saved run. */
#include <limits.h>
#include <string.h>

#include "command.h"
#include "run/host.h"
#include "verify/verify.h"

/* The runs that a merged run was made of. */
static void print_hosts(const struct record *record)
{
	char name[HOST_NAME_LEN];
	size_t nr, i;
	const struct run_host *hosts = host_load(record, &nr);

	for (i = 0; nr > 1 && i < nr; i++) {
		host_name(&hosts[i], name);
		printf("  %s: %llu of %llu samples taken in %.6g s of CPU time\n", name[0] ? name : "(no name)",
		       hosts[i].taken, hosts[i].expected, hosts[i].sampled_ns / 1e9);
	}
}

static int verify_file(const char *path)
{
	struct verify_result result;
	struct text_error error = { "", "" }, why;
	struct record record;
	char shown[PATH_MAX];
	int failed;

	if (record_read(path, &record, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	failed = verify_record(&record, stdout, &result, &error);
	if (failed) {
		text_fail(&why, failed, "verify %s: %s", path, error.what);
		text_report(&why);
		record_deinit(&record);
		return EXIT_FAILED;
	}
	snprintf(shown, sizeof(shown), "%s", path);
	text_plain(shown);
	if (!strcmp(result.command, "trace"))
		printf("%s: a run of 'probe trace', %llu events: ", shown, result.events);
	else
		printf("%s: a run of 'probe %s', %llu samples%s: ", shown, result.command, result.taken,
		       result.has_receipt ? "" : ", saved without a receipt");
	if (result.nr_wrong)
		printf("%u of %u sums do not hold\n", result.nr_wrong, result.nr_checked);
	else
		printf("all %u sums hold\n", result.nr_checked);
	print_hosts(&record);
	record_deinit(&record);
	return result.nr_wrong ? EXIT_FAILED : 0;
}

static int verify_run(void *self, const struct options_rest *rest)
{
	return verify_file(rest->args[0]);
}

const struct command command_verify = {
	.name = "verify",
	.arguments = "FILE",
	.help = "check that every sample of a saved run is accounted for",
	.min_args = 1,
	.max_args = 1,
	.args_hint = "'probe sys', 'probe proc' and 'probe flat' save runs with -save",
	.run = verify_run,
};
