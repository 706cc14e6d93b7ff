// SPDX-License-Identifier: GPL-2.0-only
/* The engine that is the module: every request is an ioctl of /dev/cpuprobe. See engine.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run/device_parts.h"
#include "run/engine.h"
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

static void module_close(struct device *device)
{
	if (device->fd >= 0)
		close(device->fd);
	device->fd = -1;
	free(device->buffer);
	device->buffer = NULL;
}

static int module_open(struct device *device, struct text_error *error_ret)
{
	int error;

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
		module_close(device);
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
		module_close(device);
		return -EPROTO;
	}
	return 0;
}

static const char *module_lacks(const struct cpuprobe_start *start)
{
	return NULL;
}

static int module_start(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
			size_t nr_cpus, struct text_error *error_ret)
{
	unsigned char mask[MASK_BYTES] = { 0 };
	size_t i;

	/* After a refusal the caller may try again. */
	free(device->buffer);
	device->buffer_len = device->kind->buffer_len(start);
	device->buffer = malloc(device->buffer_len);
	if (!device->buffer)
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	for (i = 0; i < nr_cpus; i++)
		mask[cpus[i] / 8] |= 1u << cpus[i] % 8;
	start->size = sizeof(*start);
	start->version = CPUPROBE_ABI_VERSION;
	start->cpus = (uintptr_t)mask;
	start->cpus_len = sizeof(mask);
	if (ioctl(device->fd, CPUPROBE_IOC_START, start))
		return device_explain_start(start, &device->info, errno, error_ret);
	return 0;
}

static int module_set_areas(struct device *device, const struct cpuprobe_area *areas,
			    size_t nr_areas, bool is_exact, struct text_error *error_ret)
{
	struct cpuprobe_areas request = {
		.size = sizeof(request),
		.version = CPUPROBE_ABI_VERSION,
		.nr_areas = nr_areas,
		.flags = is_exact ? CPUPROBE_AREAS_EXACT : 0,
		.areas = (uintptr_t)areas,
	};

	while (ioctl(device->fd, CPUPROBE_IOC_AREAS, &request)) {
		if (errno == EDQUOT)
			return device_explain_memory(AREAS_ACTION, errno, error_ret);
		if (errno != EINTR)
			return text_fail(error_ret, -errno, AREAS_ACTION ": %s", strerror(errno));
	}
	return 0;
}

static int module_open_exe(const struct device *device, u32 cpu,
			   const struct cpuprobe_account *account, u32 exe)
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

static int module_harvest(struct device *device, u32 cpu, u64 ack, bool only_due,
			  struct cpuprobe_account *account_ret, const void **entries_ret,
			  struct text_error *error_ret)
{
	struct cpuprobe_harvest request = {
		.size = sizeof(request),
		.version = CPUPROBE_ABI_VERSION,
		.cpu = cpu,
		.buffer = (uintptr_t)device->buffer,
		.buffer_len = device->buffer_len,
		.flags = only_due ? CPUPROBE_HARVEST_DUE : 0,
		.ack = ack,
	};

	while (ioctl(device->fd, CPUPROBE_IOC_HARVEST, &request))
		if (errno != EINTR)
			return text_fail(error_ret, -errno, "harvest CPU %u: %s", cpu,
					 errno == EPERM ? "the kernel is locked down now" :
					 strerror(errno));
	*account_ret = request.account;
	*entries_ret = device->buffer;
	return 0;
}

static int module_stop(struct device *device, struct text_error *error_ret)
{
	while (ioctl(device->fd, CPUPROBE_IOC_STOP))
		if (errno != EINTR)
			return text_fail(error_ret, -errno, "stop sampling: %s", strerror(errno));
	return 0;
}

const struct engine engine_module = {
	.open = module_open,
	.lacks = module_lacks,
	.start = module_start,
	.set_areas = module_set_areas,
	.harvest = module_harvest,
	.open_exe = module_open_exe,
	.stop = module_stop,
	.close = module_close,
};
