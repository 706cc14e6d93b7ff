// SPDX-License-Identifier: GPL-2.0-only
/* Why the module refuses to hook functions: see device_hooks.h. */
#include <errno.h>
#include <string.h>

#include "run/device_hooks.h"

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
	{ CPUPROBE_REASON_MEMORY, "buffers and hooks together would take more memory than is available, or half of all",
	  "name fewer functions with -fn, or use a smaller -memory" },
	{ CPUPROBE_REASON_TARGET, "the task is gone", NULL },
	{ CPUPROBE_REASON_CPU_SESSIONS, "too many runs at a time",
	  "wait until one of them ends, or load the module with max_sessions=N" },
	{ CPUPROBE_REASON_OBJECT, "a file of functions of programs cannot be run: no regular file, or its file "
	  "system forbids execution", NULL },
	{ CPUPROBE_REASON_FUNCTIONS, "none of the functions can be hooked",
	  "inlined functions and those marked notrace cannot: try their callers" },
};

static int explain_overhead(const struct device_hooks *refused, const struct cpuprobe_info *info,
			    struct text_error *error_ret)
{
	double used_pct = refused->used_overhead_ppm / 1e4, limit_pct = info->overhead_limit_ppm / 1e4;

	text_fail(error_ret, 0, "%s: the limit is %.1f%% of each CPU, %.1f%% are in use%s%.16s",
		  refused->action, limit_pct, used_pct, refused->holder_pid ? ", most by " : "",
		  refused->holder_comm);
	text_hint(error_ret, "give -budget of at most %.1f, or load the module with max_overhead_pct=N",
		  limit_pct > used_pct ? limit_pct - used_pct : 0);
	return -EBUSY;
}

static int explain_no_hooks(const struct device_hooks *refused, struct text_error *error_ret)
{
	bool is_timed = refused->hooks_returns;

	text_fail(error_ret, 0, "%s: this kernel cannot hook functions now", refused->action);
	text_hint(error_ret, "it takes CONFIG_DYNAMIC_FTRACE=y%s and 'sysctl kernel.ftrace_enabled=1'",
		  is_timed ? ", CONFIG_KRETPROBES=y" : "");
	return -EOPNOTSUPP;
}

int device_hooks_explain(const struct device_hooks *refused, const struct cpuprobe_info *info, int error,
			 struct text_error *error_ret)
{
	size_t i;

	if (refused->reason == CPUPROBE_REASON_OVERHEAD)
		return explain_overhead(refused, info, error_ret);
	if (refused->reason == CPUPROBE_REASON_NO_HOOKS)
		return explain_no_hooks(refused, error_ret);
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (refusals[i].reason == refused->reason) {
			text_fail(error_ret, 0, "%s: %s", refused->action, refusals[i].what);
			if (refusals[i].hint)
				text_hint(error_ret, "%s", refusals[i].hint);
			return -error;
		}
	return text_fail(error_ret, -error, "%s: %s", refused->action, strerror(error));
}
