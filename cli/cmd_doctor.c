// SPDX-License-Identifier: GPL-2.0-only
/* probe doctor: check this machine for problems and say how to fix them. */
#include <string.h>

#include "base/output.h"
#include "command.h"
#include "doctor/doctor.h"

static void print_check_json(const char *name, const struct doctor_finding *finding, bool is_first)
{
	printf("%s    {\"result\": \"%s\", \"check\": \"%s\", \"finding\": ", is_first ? "" : ",\n",
	       doctor_result_name(finding->result), name);
	text_json(stdout, finding->what);
	fputs(", \"hint\": ", stdout);
	text_json(stdout, finding->hint);
	putchar('}');
}

static int run_checks(const struct output_options *options)
{
	static struct doctor_machine machine;	/* large */
	const struct doctor_check *check;
	unsigned int nr[3] = { 0 };
	struct doctor_finding finding;

	doctor_gather(&machine);
	if (options->format == FORMAT_TSV)
		puts("result\tcheck\tfinding\thint");
	if (options->format == FORMAT_JSON)
		puts("{\n  \"checks\": [");
	for (check = doctor_checks; check->name; check++) {
		memset(&finding, 0, sizeof(finding));
		if (!check->run(&machine, &finding))
			continue;
		text_clean(finding.what);
		text_clean(finding.hint);
		if (options->format == FORMAT_TSV)
			printf("%s\t%s\t%s\t%s\n", doctor_result_name(finding.result), check->name,
			       finding.what, finding.hint);
		else if (options->format == FORMAT_JSON)
			print_check_json(check->name, &finding, !(nr[0] + nr[1] + nr[2]));
		else
			doctor_print(stdout, check->name, &finding, output_cols(options));
		nr[finding.result]++;
	}
	if (options->format == FORMAT_JSON)
		printf("\n  ],\n  \"ok\": %u,\n  \"warned\": %u,\n  \"failed\": %u\n}\n",
		       nr[DOCTOR_OK], nr[DOCTOR_WARN], nr[DOCTOR_FAIL]);
	return nr[DOCTOR_FAIL] ? EXIT_FAILED : 0;
}

static int doctor_run(void *self, const struct options_rest *rest)
{
	return run_checks(self);
}

static const struct option_list doctor_options[] = { { form_specs, 0 }, { NULL } };

const struct command command_doctor = {
	.name = "doctor",
	.arguments = "",
	.help = "check this machine for problems and say how to fix them",
	.options = doctor_options,
	.self_len = sizeof(struct output_options),
	.run = doctor_run,
};
