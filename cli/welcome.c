// SPDX-License-Identifier: GPL-2.0-only
/* The output of `probe` alone: whether it works here, and first steps. */
#include <string.h>

#include "base/output.h"
#include "command.h"
#include "doctor/doctor.h"

#define EXAMPLE_COLS 20

static const struct {
	const char *line;
	const char *what;
} first_steps[] = {
	{ "probe doctor", "checks this machine for problems and says how to fix them" },
	{ "probe top", "live view of the machine; Enter zooms in, down to an instruction" },
	{ "probe sys -sec 10", "which processes used the CPUs in ten seconds, by CPU mode" },
	{ "probe flat -sec 10", "which functions used them, in all programs and the kernel" },
	{ "probe proc -hot TASK", "where one program spends its time, narrowed down step by step" },
};

static void list_command_names(FILE *out, int cols)
{
	const struct command *const *all = command_all();
	char names[512] = "Commands:";
	size_t used = strlen(names), i;

	for (i = 0; all[i] && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s %s", i ? "," : "",
				 all[i]->name);
	text_wrap(out, names, cols);
}

void welcome(FILE *out)
{
	static struct doctor_machine machine;	/* large */
	struct doctor_finding finding;
	const char *name;
	int cols = output_terminal_cols(out);
	size_t i;

	doctor_gather(&machine);
	text_wrap(out, "probe shows where processor time goes. Sampled numbers have 95% intervals.", cols);
	fputc('\n', out);
	fputs(doctor_first(&machine, &name, &finding) ? "Not ready on this machine:\n" :
	      "Ready on this machine:\n", out);
	doctor_print(out, name, &finding, cols);
	fputs("\nTo begin:\n", out);
	for (i = 0; i < sizeof(first_steps) / sizeof(first_steps[0]); i++) {
		fprintf(out, "  %-*s  ", EXAMPLE_COLS, first_steps[i].line);
		text_wrap_at(out, first_steps[i].what, EXAMPLE_COLS + 4, cols);
	}
	fputc('\n', out);
	list_command_names(out, cols);
	text_wrap(out, "'probe help' describes them, 'probe help COMMAND' lists the options of "
		  "one. The manual has more: man probe, man probe-top and so on.", cols);
}
