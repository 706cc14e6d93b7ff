// SPDX-License-Identifier: GPL-2.0-only
/* The capabilities that `probe agent` needs, and the loss without each: see doctor.h. */
#include <string.h>

#include "doctor/doctor.h"

#define PERFMON		(1ULL << 38)
#define SYS_ADMIN	(1ULL << 21)

/** A need of an agent; one capability of the set serves it. */
static const struct agent_need {
	u64 capabilities;
	const char *name;
	const char *loss;
	bool is_for_bpf;	/* the module needs it not */
} needs[] = {
	{ PERFMON | SYS_ADMIN, "CAP_PERFMON", "sampling at all", false },
	{ 1ULL << 39 | SYS_ADMIN, "CAP_BPF", "the BPF engine", true },
	{ 1ULL << 19, "CAP_SYS_PTRACE", "the functions of others' programs", false },
	{ 1ULL << 2 | 1ULL << 1, "CAP_DAC_READ_SEARCH", "names in files that others may not read", false },
	{ 1ULL << 34 | SYS_ADMIN, "CAP_SYSLOG", "names of kernel functions", false },
};

/* Debian's kernels demand more of the BPF engine. */
static bool is_paranoid(const struct doctor_machine *machine)
{
	char level[16];

	doctor_line(machine, "/proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	return level[0] >= '3' && level[0] <= '9';
}

bool doctor_agent(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char missing[sizeof(finding->what)] = "";
	size_t i, used = 0;

	for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (machine->capabilities & needs[i].capabilities || (needs[i].is_for_bpf && machine->is_loaded))
			continue;
		used += snprintf(missing + used, sizeof(missing) - used, "%s%s (%s)", used ? ", " : "",
				 needs[i].name, needs[i].loss);
	}
	if (!machine->is_loaded && is_paranoid(machine) && !(machine->capabilities & SYS_ADMIN))
		snprintf(missing + used, sizeof(missing) - used, "%sCAP_SYS_ADMIN (the BPF engine, as "
			 "kernel.perf_event_paranoid is above 2)", used ? ", " : "");
	if (!missing[0])
		return doctor_find(finding, DOCTOR_OK, "this user has all capabilities for an agent");
	doctor_find(finding, DOCTOR_WARN, "an agent of this user lacks %.440s", missing);
	return doctor_hint(finding, "the unit cpuprobe-agent.service has them: systemctl enable --now cpuprobe-agent");
}
