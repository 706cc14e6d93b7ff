// SPDX-License-Identifier: GPL-2.0-only
/* Checks of permissions and visibility: see doctor.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"

#define CAP_SYSLOG	34

/* Fixed inode numbers of the kernel's initial namespaces (proc_ns.h). */
#define FIRST_PID_NS	"pid:[4026531836]"
#define FIRST_USER_NS	"user:[4026531837]"

static bool has_capability(const struct doctor_machine *machine, unsigned int capability)
{
	return machine->capabilities >> capability & 1;
}

/* Whether our namespace is not the initial one; false if unknown. */
static bool is_inner(const struct doctor_machine *machine, const char *path, const char *first)
{
	char full[512], name[64];
	ssize_t len;

	snprintf(full, sizeof(full), "%s%s", machine->root, path);
	len = readlink(full, name, sizeof(name) - 1);
	if (len <= 0)
		return false;
	name[len] = '\0';
	return strcmp(name, first);
}

bool doctor_container(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	if (is_inner(machine, "/proc/self/ns/pid", FIRST_PID_NS)) {
		doctor_find(finding, DOCTOR_FAIL,
			    "in a pid namespace of its own, where the device does not open");
		return doctor_hint(
			finding, "run probe outside the container: pids differ inside");
	}
	if (is_inner(machine, "/proc/self/ns/user", FIRST_USER_NS)) {
		doctor_find(finding, DOCTOR_FAIL,
			    "in a user namespace, whose root has no rights outside");
		return doctor_hint(finding, "run probe outside the container");
	}
	return doctor_find(finding, DOCTOR_OK, "none");
}

static bool explain_open_error(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char gid[16];

	switch (-machine->device_error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		doctor_find(finding, DOCTOR_FAIL,
			    "the module is loaded, but there is no /dev/cpuprobe");
		return doctor_hint(finding,
				   "mount devtmpfs; in a container, give it access to the device");
	case EPERM:
	case EACCES:
		doctor_find(finding, DOCTOR_FAIL,
			    "/dev/cpuprobe does not open without CAP_PERFMON");
		doctor_line(machine, "/sys/module/cpuprobe/parameters/gid", gid, sizeof(gid));
		if (atoi(gid) >= 0 && gid[0])
			return doctor_hint(finding, "run probe as root or as a member of group %s",
					   gid);
		return doctor_hint(finding, "run probe as root; or load the module with gid=GROUP, "
				   "for members of a group");
	default:
		doctor_find(finding, DOCTOR_FAIL, "/dev/cpuprobe does not answer: %s",
			    strerror(-machine->device_error));
		return doctor_hint(finding,
				   "sudo rmmod cpuprobe; then install module and tool from "
				   "the same sources");
	}
}

bool doctor_access(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	if (doctor_loads_none(machine) || (!machine->is_loaded && machine->is_root))
		return false;
	if (!machine->is_loaded) {
		doctor_find(finding, DOCTOR_FAIL,
			    "the module is not loaded, and only root can load it");
		return doctor_hint(finding, "sudo modprobe cpuprobe; or run probe with sudo");
	}
	/* The check of the module reports the other version. */
	if (machine->device_error == -EPROTO)
		return doctor_find(finding, DOCTOR_OK, "the device opens");
	if (machine->device_error)
		return explain_open_error(machine, finding);
	if (machine->info.access >= 2)
		return doctor_find(finding, DOCTOR_OK, "full");
	doctor_find(finding, DOCTOR_WARN,
		    "only to the system table and the user code of your own programs");
	return doctor_hint(finding, "CAP_PERFMON gives full access: run probe as root");
}

bool doctor_lockdown(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char mode[32];

	doctor_lockdown_mode(machine, mode, sizeof(mode));
	if (!mode[0])
		return false;
	if (strcmp(mode, "confidentiality"))
		return doctor_find(finding, DOCTOR_OK, "%s", mode);
	doctor_find(finding, DOCTOR_WARN, "%s: no kernel addresses, no 'probe late'", mode);
	return doctor_hint(finding, "boot with lockdown=integrity to see kernel addresses");
}

/* -ENOENT: no kallsyms; -EACCES: all addresses are zero. */
static int check_kallsyms(const struct doctor_machine *machine)
{
	FILE *file = doctor_open(machine, "/proc/kallsyms");
	unsigned long long address = 0;
	int i;

	if (!file)
		return -ENOENT;
	/* The first addresses may be zero anyway: per-CPU variables begin at zero. */
	for (i = 0; i < 1000 && !address; i++)
		if (fscanf(file, "%llx%*[^\n]", &address) != 1)
			break;
	fclose(file);
	return address ? 0 : -EACCES;
}

bool doctor_symbols(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	int error = check_kallsyms(machine);
	char restrict_level[8];

	if (!error)
		return doctor_find(finding, DOCTOR_OK,
				   "kernel symbols and addresses can be read");
	if (error == -ENOENT) {
		doctor_find(finding, DOCTOR_WARN, "no /proc/kallsyms: kernel code has no names");
		return doctor_hint(finding, "use a kernel with CONFIG_KALLSYMS");
	}
	doctor_line(machine, "/proc/sys/kernel/kptr_restrict", restrict_level,
		    sizeof(restrict_level));
	if (restrict_level[0] == '2') {
		doctor_find(finding, DOCTOR_WARN,
			    "hidden by kernel.kptr_restrict=2: kernel code has no names");
		return doctor_hint(finding, "sudo sysctl kernel.kptr_restrict=1");
	}
	doctor_find(finding, DOCTOR_WARN, "hidden: kernel code has no names");
	return doctor_hint(finding, has_capability(machine, CAP_SYSLOG)
					    ? "this kernel shows no addresses"
					    : "run probe as root, or with CAP_SYSLOG");
}

bool doctor_calls(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char enabled[8];

	if (doctor_loads_none(machine))
		return false;
	if (doctor_line(machine, "/proc/sys/kernel/ftrace_enabled", enabled, sizeof(enabled))) {
		doctor_find(finding, DOCTOR_WARN, "this kernel cannot hook functions");
		return doctor_hint(finding, "'probe calls' needs CONFIG_DYNAMIC_FTRACE=y");
	}
	if (strcmp(enabled, "1")) {
		doctor_find(finding, DOCTOR_WARN, "ftrace is off: calls cannot be counted");
		return doctor_hint(finding, "sudo sysctl kernel.ftrace_enabled=1");
	}
	if (machine->nr_quiet) {
		doctor_find(finding, DOCTOR_WARN, "hooks in the kernel would interrupt isolated CPUs (%s)",
			    machine->quiet);
		return doctor_hint(finding, "'probe calls -disturb' allows it");
	}
	return doctor_find(finding, DOCTOR_OK, "kernel functions can be hooked");
}
