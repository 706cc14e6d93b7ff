// SPDX-License-Identifier: GPL-2.0-only
/* Whether stacks can be followed by unwinding tables: see doctor.h. */
#include <string.h>

#include "doctor/doctor.h"

#define KALLSYMS	"/proc/kallsyms"
#define ENABLED		"/sys/kernel/debug/kprobes/enabled"

/* Whether the kernel lacks kprobes, as far as its symbols tell. Their names are not secret. */
static bool lacks_kprobes(const struct doctor_machine *machine)
{
	FILE *file = doctor_open(machine, KALLSYMS);
	char line[1024], name[128];
	bool is_found = !file;

	while (!is_found && fgets(line, sizeof(line), file))
		is_found = sscanf(line, "%*x %*c %127s", name) == 1 && !strcmp(name, "register_kprobe");
	if (file)
		fclose(file);
	return !is_found;
}

bool doctor_unwind(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char enabled[8];

	if (doctor_loads_none(machine))
		return false;
	if (lacks_kprobes(machine)) {
		doctor_find(finding, DOCTOR_WARN,
			    "no kprobes: stacks end in code without frame pointers");
		return doctor_hint(finding, "use a kernel with CONFIG_KPROBES=y");
	}
	/* Only root can read this, and only if debugfs is mounted. */
	if (!doctor_line(machine, ENABLED, enabled, sizeof(enabled)) && !strcmp(enabled, "0")) {
		doctor_find(finding, DOCTOR_WARN,
			    "kprobes are off: stacks end in code without frame pointers");
		return doctor_hint(finding, "echo 1 >" ENABLED);
	}
	if (machine->nr_quiet) {
		doctor_find(finding, DOCTOR_WARN, "unwinding tables would interrupt isolated CPUs (%s): "
			    "stacks end in code without frame pointers", machine->quiet);
		return doctor_hint(finding, "'-unwind tables' allows it");
	}
	return doctor_find(finding, DOCTOR_OK, "stacks can be followed by unwinding tables");
}
