// SPDX-License-Identifier: GPL-2.0-only
/* Following calls: see device_trace.h. */
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "run/device_hooks.h"
#include "run/device_trace.h"

int device_trace(struct device *device, struct cpuprobe_trace *request, struct text_error *error_ret)
{
	struct device_hooks refused = { .action = "follow calls", .hooks_returns = true };
	int error;

	request->size = sizeof(*request);
	request->version = CPUPROBE_ABI_VERSION;
	if (!ioctl(device->fd, CPUPROBE_IOC_TRACE, request))
		return 0;
	error = errno;
	refused.reason = request->reason;
	refused.used_overhead_ppm = request->used_overhead_ppm;
	refused.holder_pid = request->holder_pid;
	refused.holder_comm = request->holder_comm;
	return device_hooks_explain(&refused, &device->info, error, error_ret);
}

int device_copy_events(const struct device *device, u32 cpu, u64 from, struct cpuprobe_event *slots,
		       u32 nr_slots, struct cpuprobe_events *events_ret)
{
	*events_ret = (struct cpuprobe_events){
		.size = sizeof(*events_ret), .version = CPUPROBE_ABI_VERSION, .cpu = cpu, .from = from,
		.buffer = (uintptr_t)slots, .buffer_len = nr_slots * sizeof(*slots),
	};
	while (ioctl(device->fd, CPUPROBE_IOC_EVENTS, events_ret))
		if (errno != EINTR)
			return -errno;
	return 0;
}

int device_copy_missed(const struct device *device, u64 *missed, u32 nr_functions)
{
	struct cpuprobe_missed request = {
		.size = sizeof(request), .version = CPUPROBE_ABI_VERSION, .buffer = (uintptr_t)missed,
		.nr_functions = nr_functions,
	};

	return ioctl(device->fd, CPUPROBE_IOC_MISSED, &request) ? -errno : 0;
}
