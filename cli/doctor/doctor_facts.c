// SPDX-License-Identifier: GPL-2.0-only
/* Collects the facts that the checks judge: see doctor.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "doctor/doctor.h"
#include "run/cpus.h"
#include "run/device.h"

#define CLOCK_READS	1000

bool doctor_find(struct doctor_finding *finding, enum doctor_result result, const char *format, ...)
{
	va_list args;

	finding->result = result;
	va_start(args, format);
	vsnprintf(finding->what, sizeof(finding->what), format, args);
	va_end(args);
	return true;
}

bool doctor_hint(struct doctor_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->hint, sizeof(finding->hint), format, args);
	va_end(args);
	return true;
}

static const char *prefix_root(const struct doctor_machine *machine, const char *path, char *full,
			       size_t len)
{
	snprintf(full, len, "%s%s", machine->root, path);
	return full;
}

int doctor_line(const struct doctor_machine *machine, const char *path, char *line, size_t len)
{
	char full[512];

	return sysfile_line(prefix_root(machine, path, full, sizeof(full)), line, len);
}

bool doctor_exists(const struct doctor_machine *machine, const char *path)
{
	char full[512];

	return !access(prefix_root(machine, path, full, sizeof(full)), F_OK);
}

FILE *doctor_open(const struct doctor_machine *machine, const char *path)
{
	char full[512];

	return fopen(prefix_root(machine, path, full, sizeof(full)), "re");
}

void doctor_lockdown_mode(const struct doctor_machine *machine, char *mode, size_t len)
{
	char line[128], *begin;

	/* "none [integrity] confidentiality" */
	doctor_line(machine, "/sys/kernel/security/lockdown", line, sizeof(line));
	begin = strchr(line, '[');
	snprintf(mode, len, "%.*s", begin ? (int)strcspn(begin + 1, "]") : 0,
		 begin ? begin + 1 : "");
}

static u64 read_capabilities(const struct doctor_machine *machine)
{
	FILE *file = doctor_open(machine, "/proc/self/status");
	u64 capabilities = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "CapEff:", 7))
			capabilities = strtoull(line + 7, NULL, 16);
	if (file)
		fclose(file);
	return capabilities;
}

static u64 read_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static double measure_clock_ns(void)
{
	u64 begin = read_clock_ns();
	int i;

	for (i = 0; i < CLOCK_READS; i++)
		read_clock_ns();
	return (double)(read_clock_ns() - begin) / CLOCK_READS;
}

/* Reads the module's properties, without loading the module. */
static int ask_device(const struct doctor_machine *machine, struct cpuprobe_info *info_ret)
{
	struct device device;
	int error;

	if (!doctor_exists(machine, "/dev/" CPUPROBE_DEVICE))
		return -ENOENT;
	error = device_open(&device, NULL);
	*info_ret = device.info;
	if (!error)
		device_close(&device);
	return error;
}

static void copy_text(char *text, size_t len, const char *from)
{
	snprintf(text, len, "%.*s", (int)len - 1, from);
}

/* Samples for a moment with each engine that needs no module. */
static void try_engines(struct doctor_machine *machine)
{
	struct text_error error = { .what = "" };

	machine->bpf_error = device_try_bpf(&error);
	copy_text(machine->bpf_reason, sizeof(machine->bpf_reason), error.what);
	/* This is where the hint sends. */
	if (!strstr(error.hint, "doctor"))
		copy_text(machine->bpf_hint, sizeof(machine->bpf_hint), error.hint);
	error = (struct text_error){ .what = "" };
	machine->perf_error = device_try_perf(&error);
	copy_text(machine->perf_reason, sizeof(machine->perf_reason), error.what);
	copy_text(machine->perf_hint, sizeof(machine->perf_hint), error.hint);
}

void doctor_gather(struct doctor_machine *machine_ret)
{
	struct timespec resolution = { 0, 0 };
	struct cpus cpus = { 0 };
	struct cpus quiet = { 0 };

	memset(machine_ret, 0, sizeof(*machine_ret));
	machine_ret->root = "";
	uname(&machine_ret->kernel);
	machine_ret->is_root = geteuid() == 0;
	machine_ret->capabilities = read_capabilities(machine_ret);
	clock_getres(CLOCK_MONOTONIC, &resolution);
	machine_ret->timer_ns = resolution.tv_sec * 1000000000ULL + resolution.tv_nsec;
	machine_ret->clock_ns = measure_clock_ns();
	machine_ret->is_loaded = doctor_exists(machine_ret, "/sys/module/cpuprobe");
	machine_ret->device_error = ask_device(machine_ret, &machine_ret->info);
	machine_ret->file_error = modfile_find("", machine_ret->kernel.release, "cpuprobe",
					       machine_ret->file.path,
					       sizeof(machine_ret->file.path));
	if (!machine_ret->file_error) {
		char path[sizeof(machine_ret->file.path)];

		memcpy(path, machine_ret->file.path, sizeof(path));
		machine_ret->file_error = modfile_read(path, &machine_ret->file);
	}
	try_engines(machine_ret);
	if (!cpus_default(&cpus, &quiet, NULL)) {
		machine_ret->nr_cpus = cpus.nr + quiet.nr;
		machine_ret->nr_quiet = quiet.nr;
		cpus_print(&quiet, machine_ret->quiet, sizeof(machine_ret->quiet));
	}
	cpus_deinit(&cpus);
	cpus_deinit(&quiet);
}
