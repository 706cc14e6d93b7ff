// SPDX-License-Identifier: GPL-2.0-only
/* The tool's access to the module: see device.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run/device_parts.h"
#include "run/loader.h"

#define DEVICE_PATH	"/dev/" CPUPROBE_DEVICE
#define AREAS_ACTION	"send the memory map to the module"
#define MASK_BYTES	1024	/* 8192 CPUs, the most that Linux supports */

static int open_device_node(void)
{
	return open(DEVICE_PATH, O_RDWR | O_CLOEXEC);
}

static bool is_device_absent(int error)
{
	return error == ENOENT || error == ENXIO || error == ENODEV;
}

static int report_open_error(int error, struct text_error *error_ret)
{
	if (error == EDQUOT)
		return device_explain_memory("open " DEVICE_PATH, error, error_ret);
	text_fail(error_ret, 0, "open " DEVICE_PATH ": %s",
		  error == ENOENT ? "no such device" :
		  error == EPERM ? "not allowed" : strerror(error));
	if (is_device_absent(error))
		text_hint(error_ret,
			  "the module is loaded; in a container, give it access to the device");
	else if (error == EPERM || error == EACCES)
		text_hint(error_ret, "run as root, or with CAP_PERFMON, outside of containers");
	return -error;
}

int device_open(struct device *device, struct text_error *error_ret)
{
	int error;

	memset(device, 0, sizeof(*device));
	device->fd = open_device_node();
	if (device->fd < 0 && is_device_absent(errno)) {
		error = loader_load("", error_ret);
		if (error)
			return error;
		device->fd = open_device_node();
	}
	if (device->fd < 0)
		return report_open_error(errno, error_ret);
	device->info.size = sizeof(device->info);
	if (ioctl(device->fd, CPUPROBE_IOC_INFO, &device->info)) {
		error = errno;
		device_close(device);
		text_fail(error_ret, 0, "ask " DEVICE_PATH " for its version: %s", strerror(error));
		text_hint(error_ret, "is it the device of cpuprobe.ko?");
		return -error;
	}
	if (device->info.version != CPUPROBE_ABI_VERSION) {
		text_fail(error_ret, 0, "use " DEVICE_PATH
			  ": the module speaks version %u of the interface, this tool version %u",
			  device->info.version, CPUPROBE_ABI_VERSION);
		text_hint(error_ret,
			  "sudo rmmod cpuprobe, then try again: this loads the installed module");
		device_close(device);
		return -EPROTO;
	}
	return 0;
}

int device_start(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
		 size_t nr_cpus, struct text_error *error_ret)
{
	unsigned char mask[MASK_BYTES] = { 0 };
	size_t i;

	/* After a refusal the caller may try again. */
	free(device->buffer);
	free(device->cpus);
	device->kind = run_kind_of(start->what);
	device->buffer_len = device->kind->buffer_len(start);
	device->buffer = malloc(device->buffer_len);
	device->cpus = calloc(nr_cpus, sizeof(*device->cpus));
	if (!device->buffer || !device->cpus)
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	for (i = 0; i < nr_cpus; i++) {
		device->cpus[i].cpu = cpus[i];
		mask[cpus[i] / 8] |= 1u << cpus[i] % 8;
	}
	device->nr_cpus = nr_cpus;
	start->size = sizeof(*start);
	start->version = CPUPROBE_ABI_VERSION;
	start->cpus = (uintptr_t)mask;
	start->cpus_len = sizeof(mask);
	if (ioctl(device->fd, CPUPROBE_IOC_START, start))
		return device_explain_start(start, &device->info, errno, error_ret);
	device->has_tables = start->flags & CPUPROBE_START_UNWIND;
	return 0;
}

int device_set_areas(struct device *device, const struct cpuprobe_area *areas, size_t nr_areas,
		     bool is_exact, struct text_error *error_ret)
{
	struct cpuprobe_areas request = {
		.size = sizeof(request),
		.version = CPUPROBE_ABI_VERSION,
		.nr_areas = nr_areas,
		.flags = is_exact ? CPUPROBE_AREAS_EXACT : 0,
		.areas = (uintptr_t)areas,
	};

	device->has_areas = true;
	while (ioctl(device->fd, CPUPROBE_IOC_AREAS, &request)) {
		if (errno == EDQUOT)
			return device_explain_memory(AREAS_ACTION, errno, error_ret);
		if (errno != EINTR)
			return text_fail(error_ret, -errno, AREAS_ACTION ": %s", strerror(errno));
	}
	return 0;
}

int device_open_exe(const struct device *device, u32 cpu, const struct cpuprobe_account *account,
		    u32 exe)
{
	const struct cpuprobe_open request = {
		.size = sizeof(request), .version = CPUPROBE_ABI_VERSION, .cpu = cpu,
		.exe = exe - 1,
		.seq = account->seq,
	};
	int fd;

	do {
		fd = ioctl(device->fd, CPUPROBE_IOC_EXE, &request);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

static int check_account_sums(const struct device *device, struct device_cpu *cpu,
			      const struct cpuprobe_account *account, struct text_error *error_ret)
{
	const struct run_kind *kind = device->kind;
	u64 sum = kind->sum(account, device->buffer);

	cpu->expected += account->expected;
	cpu->counted += account->taken + account->missed;
	if (sum != account->taken ||
	    (kind->others_add_up && !kind->others_add_up(account, device->buffer)) ||
	    account->flags & CPUPROBE_ACCOUNT_DAMAGED)
		return text_fail(error_ret, -EBADMSG, "check CPU %u: %llu samples taken but %llu "
				 "accounted for; please report this", cpu->cpu,
				 account->taken, sum);
	if (cpu->counted + account->pending != cpu->expected)
		return text_fail(error_ret, -EBADMSG, "check CPU %u: %llu samples expected by the "
				 "clock but %llu taken, missed or pending; please report this",
				 cpu->cpu, cpu->expected, cpu->counted + account->pending);
	return 0;
}

static int harvest_cpu(struct device *device, struct device_cpu *cpu, bool only_due,
		       device_sink sink, void *context, struct text_error *error_ret)
{
	struct cpuprobe_harvest request = {
		.size = sizeof(request),
		.version = CPUPROBE_ABI_VERSION,
		.cpu = cpu->cpu,
		.buffer = (uintptr_t)device->buffer,
		.buffer_len = device->buffer_len,
		.flags = only_due ? CPUPROBE_HARVEST_DUE : 0,
		.ack = cpu->seq,
	};

	while (ioctl(device->fd, CPUPROBE_IOC_HARVEST, &request))
		if (errno != EINTR)
			return text_fail(error_ret, -errno, "harvest CPU %u: %s", cpu->cpu,
					 errno == EPERM ? "the kernel is locked down now" :
					 strerror(errno));
	if (request.account.seq == cpu->seq)
		return 0;
	cpu->seq = request.account.seq;
	sink(context, cpu->cpu, &request.account, device->buffer);
	return check_account_sums(device, cpu, &request.account, error_ret);
}

int device_harvest(struct device *device, bool only_due, device_sink sink, void *context,
		   struct text_error *error_ret)
{
	int result = 0, error;
	size_t i;

	for (i = 0; i < device->nr_cpus; i++) {
		error = harvest_cpu(device, &device->cpus[i], only_due, sink, context, error_ret);
		if (error)
			result = error;
	}
	return result;
}

int device_stop(struct device *device, struct text_error *error_ret)
{
	while (ioctl(device->fd, CPUPROBE_IOC_STOP))
		if (errno != EINTR)
			return text_fail(error_ret, -errno, "stop sampling: %s", strerror(errno));
	return 0;
}

void device_close(struct device *device)
{
	if (device->fd >= 0)
		close(device->fd);
	device->fd = -1;
	free(device->buffer);
	free(device->cpus);
	device->buffer = NULL;
	device->cpus = NULL;
	device->nr_cpus = 0;
}
