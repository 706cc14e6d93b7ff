// SPDX-License-Identifier: GPL-2.0-only
/* Counting calls: see device_calls.h. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "run/device_calls.h"

#define ACTION	"count calls"

/** Reasons whose explanation does not depend on the request. */
static const struct refusal {
	u32 reason;
	const char *what;
	const char *hint;	/* NULL: none */
} refusals[] = {
	{ CPUPROBE_REASON_KERNEL, "hooks in the kernel need CAP_PERFMON", "run as root" },
	{ CPUPROBE_REASON_LOCKDOWN, "this kernel is locked down and hides its addresses", NULL },
	{ CPUPROBE_REASON_QUIET, "changing the kernel's text interrupts isolated and nohz_full CPUs",
	  "-disturb allows it" },
	{ CPUPROBE_REASON_UNHOOKING, "the hooks of an earlier run are still being removed",
	  "this waits for every CPU, also for one that a real-time task occupies; try again" },
	{ CPUPROBE_REASON_TABLE, "the table has no room for so many functions",
	  "name fewer with -fn, or use a larger -memory" },
	{ CPUPROBE_REASON_CLOCK, "this machine's clock is too coarse to measure the cost of a call",
	  "use another clocksource" },
	{ CPUPROBE_REASON_TARGET, "the task is gone", NULL },
	{ CPUPROBE_REASON_CPU_SESSIONS, "too many runs at a time",
	  "wait until one of them ends, or load the module with max_sessions=N" },
	{ CPUPROBE_REASON_FUNCTIONS, "none of the functions can be hooked",
	  "inlined functions and those marked notrace cannot: try their callers" },
};

static int explain_overhead(const struct cpuprobe_calls *request, const struct cpuprobe_info *info,
			    struct text_error *error_ret)
{
	double used_pct = request->used_overhead_ppm / 1e4, limit_pct = info->overhead_limit_ppm / 1e4;

	text_fail(error_ret, 0, ACTION ": the limit is %.1f%% of each CPU, %.1f%% are in use%s%.16s",
		  limit_pct, used_pct, request->holder_pid ? ", most by " : "",
		  request->holder_comm);
	text_hint(error_ret, "give -budget of at most %.1f, or load the module with max_overhead_pct=N",
		  limit_pct > used_pct ? limit_pct - used_pct : 0);
	return -EBUSY;
}

static int explain_no_hooks(const struct cpuprobe_calls *request, struct text_error *error_ret)
{
	bool is_timed = request->flags & CPUPROBE_CALLS_EACH;

	text_fail(error_ret, 0, ACTION ": this kernel cannot hook functions now");
	text_hint(error_ret, "it takes CONFIG_DYNAMIC_FTRACE=y%s and 'sysctl kernel.ftrace_enabled=1'%s",
		  is_timed ? ", CONFIG_KRETPROBES=y" : "",
		  is_timed ? ", and 1 in /sys/kernel/debug/kprobes/enabled" : "");
	return -EOPNOTSUPP;
}

static int explain(const struct cpuprobe_calls *request, const struct cpuprobe_info *info, int error,
		   struct text_error *error_ret)
{
	size_t i;

	if (request->reason == CPUPROBE_REASON_OVERHEAD)
		return explain_overhead(request, info, error_ret);
	if (request->reason == CPUPROBE_REASON_NO_HOOKS)
		return explain_no_hooks(request, error_ret);
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (refusals[i].reason == request->reason) {
			text_fail(error_ret, 0, ACTION ": %s", refusals[i].what);
			if (refusals[i].hint)
				text_hint(error_ret, "%s", refusals[i].hint);
			return -error;
		}
	return text_fail(error_ret, -error, ACTION ": %s", strerror(error));
}

int device_count_calls(struct device *device, struct cpuprobe_calls *request,
		       struct text_error *error_ret)
{
	request->size = sizeof(*request);
	request->version = CPUPROBE_ABI_VERSION;
	if (!ioctl(device->fd, CPUPROBE_IOC_CALLS, request))
		return 0;
	return explain(request, &device->info, errno, error_ret);
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
