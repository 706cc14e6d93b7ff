// SPDX-License-Identifier: GPL-2.0-only
/* The checks of the engines that need no module: see doctor.h. */
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"

#define CAP_SYS_ADMIN	21
#define CAP_PERFMON	38
#define CAP_BPF		39

static bool may(const struct doctor_machine *machine, unsigned int capability)
{
	return machine->capabilities >> capability & 1 ||
	       machine->capabilities >> CAP_SYS_ADMIN & 1;
}

static int read_level(const struct doctor_machine *machine, const char *path)
{
	char line[16];

	return doctor_line(machine, path, line, sizeof(line)) ? -1 : atoi(line);
}

/* The remedy where a capability is missing. */
static bool hint_rights(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	/* Only a patch of Debian knows levels above 2. */
	if (read_level(machine, "/proc/sys/kernel/perf_event_paranoid") > 2 &&
	    may(machine, CAP_PERFMON) && !(machine->capabilities >> CAP_SYS_ADMIN & 1))
		return doctor_hint(finding, "kernel.perf_event_paranoid above 2 demands "
				   "CAP_SYS_ADMIN: run probe as root");
	if (!may(machine, CAP_BPF) && !may(machine, CAP_PERFMON))
		return doctor_hint(finding, "run probe as root, or with CAP_BPF and CAP_PERFMON");
	if (!may(machine, CAP_BPF))
		return doctor_hint(finding, "CAP_PERFMON alone is not enough: CAP_BPF is missing");
	if (!may(machine, CAP_PERFMON))
		return doctor_hint(finding, "CAP_BPF alone is not enough: CAP_PERFMON is missing");
	return doctor_hint(finding, "the kernel or a security module refuses BPF to everybody");
}

bool doctor_bpf(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	if (!machine->bpf_error)
		return doctor_find(finding, DOCTOR_OK,
				   "'probe sys', 'proc', 'top', 'flat', 'graph', 'start' and 'agent' work without "
				   "the module, with callers by frame pointers");
	doctor_find(finding, DOCTOR_WARN, "without the module %s: %s", machine->perf_error ?
		    "nothing works" : "only your own processes can be sampled",
		    machine->bpf_reason);
	if (machine->bpf_hint[0] && may(machine, CAP_BPF) && may(machine, CAP_PERFMON))
		return doctor_hint(finding, "%s", machine->bpf_hint);
	return hint_rights(machine, finding);
}

bool doctor_perf(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	if (!machine->perf_error)
		return doctor_find(finding, DOCTOR_OK, "'probe sys', 'proc' and 'top' can sample your own "
				   "processes, in user mode, without the module and BPF");
	doctor_find(finding, DOCTOR_WARN, "%s", machine->perf_reason);
	return doctor_hint(finding, "%s", machine->perf_hint);
}
