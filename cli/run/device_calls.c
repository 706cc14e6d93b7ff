// SPDX-License-Identifier: GPL-2.0-only
/* Counting calls: see device_calls.h. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "run/device_calls.h"
#include "run/device_hooks.h"

int device_count_calls(struct device *device, struct cpuprobe_calls *request,
		       struct text_error *error_ret)
{
	struct device_hooks refused = { .action = "count calls" };
	int error;

	request->size = sizeof(*request);
	request->version = CPUPROBE_ABI_VERSION;
	if (!ioctl(device->fd, CPUPROBE_IOC_CALLS, request))
		return 0;
	error = errno;
	refused.reason = request->reason;
	refused.used_overhead_ppm = request->used_overhead_ppm;
	refused.holder_pid = request->holder_pid;
	refused.holder_comm = request->holder_comm;
	refused.hooks_returns = request->flags & CPUPROBE_CALLS_EACH;
	return device_hooks_explain(&refused, &device->info, error, error_ret);
}

int device_copy_calls(const struct device *device, u32 cpu, struct cpuprobe_arc *arcs, u32 nr_arcs,
		      struct cpuprobe_counts *counts_ret)
{
	*counts_ret = (struct cpuprobe_counts){
		.size = sizeof(*counts_ret), .version = CPUPROBE_ABI_VERSION, .cpu = cpu,
		.buffer = (uintptr_t)arcs, .buffer_len = nr_arcs * sizeof(*arcs),
	};
	while (ioctl(device->fd, CPUPROBE_IOC_COUNTS, counts_ret))
		if (errno != EINTR)
			return -errno;
	return 0;
}

int device_copy_times(const struct device *device, u32 cpu, struct cpuprobe_time *nodes,
		      u32 nr_nodes, struct cpuprobe_times *times_ret)
{
	*times_ret = (struct cpuprobe_times){
		.size = sizeof(*times_ret), .version = CPUPROBE_ABI_VERSION, .cpu = cpu,
		.buffer = (uintptr_t)nodes, .buffer_len = nr_nodes * sizeof(*nodes),
	};
	while (ioctl(device->fd, CPUPROBE_IOC_TIMES, times_ret))
		if (errno != EINTR)
			return -errno;
	return 0;
}
