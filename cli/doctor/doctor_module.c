// SPDX-License-Identifier: GPL-2.0-only
/* Checks of the module: is it installed, does it fit, will it load? See doctor.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/native.h"
#include "doctor/doctor.h"
#include "release.h"
#include "run/loader.h"

#define INSTALL_HINT	"in the sources of cpuprobe: sudo make install (again for each kernel)"
#define REBUILD_HINT	"in the sources of cpuprobe: make clean, sudo make install"
#define SIGN_HINT \
	"sudo make install KEY=... CERT=..., with a key that this machine trusts (mokutil)"
#define RELOAD_HINT	"sudo rmmod cpuprobe, then try again: this loads the installed module"

bool doctor_kernel(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	const char *release = machine->kernel.release;
	unsigned int major = 0, minor = 0;

	doctor_find(finding, DOCTOR_OK, "%s, %s", release, machine->kernel.machine);
	if (strcmp(machine->kernel.machine, native_machine)) {
		doctor_find(finding, DOCTOR_FAIL, "%s is for %s", release, machine->kernel.machine);
		return doctor_hint(finding, "cpuprobe supports only %s", native_name);
	}
	if (sscanf(release, "%u.%u", &major, &minor) == 2 && major * 1000 + minor < 6001) {
		doctor_find(finding, DOCTOR_WARN,
			    "%s is older than the kernels that cpuprobe is tested on", release);
		return doctor_hint(finding, "cpuprobe is tested on 6.1 and 6.12");
	}
	if (doctor_exists(machine, "/proc/lockdep") ||
	    doctor_exists(machine, "/sys/kernel/debug/kmemleak")) {
		doctor_find(finding, DOCTOR_WARN,
			    "%s is a debug kernel: samples cost several times as much", release);
		return doctor_hint(finding, "measure with a kernel without lockdep and kmemleak");
	}
	return true;
}

static bool judge_loaded(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	const struct cpuprobe_info *info = &machine->info;
	char release[32];

	if (info->version && info->version != CPUPROBE_ABI_VERSION) {
		doctor_find(finding, DOCTOR_FAIL,
			    "the loaded module speaks version %u of the interface, this tool %u",
			    info->version, CPUPROBE_ABI_VERSION);
		return doctor_hint(finding, RELOAD_HINT);
	}
	/* Every user may read this file, even if he may not open the device. */
	doctor_line(machine, "/sys/module/cpuprobe/version", release, sizeof(release));
	if (strcmp(release, CPUPROBE_RELEASE)) {
		doctor_find(finding, DOCTOR_WARN, "release %s is loaded, this tool is %s",
			    release[0] ? release : "unknown", CPUPROBE_RELEASE);
		return doctor_hint(finding, RELOAD_HINT);
	}
	if (!info->version)
		return doctor_find(finding, DOCTOR_OK, "loaded, release %s", release);
	return doctor_find(finding, DOCTOR_OK, "loaded, release %s, version %u of the interface",
			   release, info->version);
}

static bool judge_file(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	const struct modfile *file = &machine->file;

	if (machine->file_error == -ENOTSUP)
		return doctor_find(finding, DOCTOR_OK,
				   "installed, compressed, not loaded: the first run loads it");
	if (machine->file_error) {
		doctor_find(finding, DOCTOR_FAIL, "%s: %s", file->path,
			    machine->file_error == -EBADMSG ? "not a kernel module" :
			    strerror(-machine->file_error));
		return doctor_hint(finding, REBUILD_HINT);
	}
	if (strcmp(file->kernel, machine->kernel.release)) {
		doctor_find(finding, DOCTOR_FAIL, "the installed module is for kernel %s",
			    file->kernel);
		return doctor_hint(finding, REBUILD_HINT);
	}
	if (strtoul(file->interface, NULL, 10) != CPUPROBE_ABI_VERSION) {
		doctor_find(finding, DOCTOR_FAIL,
			    "the installed module speaks version %s of the interface, this tool %u",
			    file->interface[0] ? file->interface : "?", CPUPROBE_ABI_VERSION);
		return doctor_hint(
			finding,
			"install module and tool from the same sources: sudo make install");
	}
	return doctor_find(finding, DOCTOR_OK,
			   "installed for this kernel, not loaded: the first run loads it");
}

bool doctor_loads_none(const struct doctor_machine *machine)
{
	return !machine->is_loaded && loader_refusal(machine->root);
}

bool doctor_module(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	const struct loader_refusal *refusal = loader_refusal(machine->root);

	if (machine->is_loaded)
		return judge_loaded(machine, finding);
	if (refusal) {
		doctor_find(finding, machine->bpf_error && machine->perf_error ? DOCTOR_FAIL : DOCTOR_WARN,
			    "%s: no 'probe late', 'calls', 'trace', 'mark' and 'cost', no stacks by tables",
			    refusal->what);
		return doctor_hint(finding, "%s", refusal->hint);
	}
	if (machine->file_error == -ENOENT) {
		doctor_find(finding, DOCTOR_FAIL, "not loaded, and not installed for kernel %s",
			    machine->kernel.release);
		return doctor_hint(finding, INSTALL_HINT);
	}
	return judge_file(machine, finding);
}

/* Name the mechanism that enforces signatures of modules; "": none does. */
static void find_signature_enforcer(const struct doctor_machine *machine, char *who, size_t len)
{
	char mode[32], enforce[8];

	doctor_line(machine, "/sys/module/module/parameters/sig_enforce", enforce, sizeof(enforce));
	doctor_lockdown_mode(machine, mode, sizeof(mode));
	if (mode[0] && strcmp(mode, "none"))
		snprintf(who, len, "lockdown");
	else
		snprintf(who, len, "%s", enforce[0] == 'Y' ? "module.sig_enforce" : "");
}

bool doctor_signatures(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char who[32];

	if (doctor_loads_none(machine))
		return false;
	find_signature_enforcer(machine, who, sizeof(who));
	if (!who[0])
		return doctor_find(finding, DOCTOR_OK, "not required");
	if (machine->file_error == -ENOENT)
		return doctor_find(finding, DOCTOR_OK, "required (%s)", who);
	if (machine->file_error) {
		doctor_find(finding, DOCTOR_WARN,
			    "required (%s); it is unknown whether the module is signed", who);
		return doctor_hint(finding, "modinfo cpuprobe shows the signer, if there is one");
	}
	if (machine->file.is_signed)
		return doctor_find(finding, DOCTOR_OK, "required (%s), and the module is signed",
				   who);
	if (machine->is_loaded)
		doctor_find(finding, DOCTOR_WARN,
			    "required (%s): the unsigned module will not load again",
			    who);
	else
		doctor_find(finding, DOCTOR_FAIL, "required (%s), but the module is not signed",
			    who);
	return doctor_hint(finding, SIGN_HINT);
}
