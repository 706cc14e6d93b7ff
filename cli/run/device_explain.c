// SPDX-License-Identifier: GPL-2.0-only
/* Explanations of the module's refusals, with remedies: see device_parts.h. */
#include <errno.h>
#include <string.h>

#include "run/device_parts.h"

int device_explain_lack(enum device_engine engine, const char *lacking, bool can_bpf, struct text_error *error_ret)
{
	const char *name = engine == DEVICE_BPF ? "bpf" : "perf";

	text_fail(error_ret, 0, "measure with -engine %s: %s: this needs the module%s", name, lacking,
		  can_bpf ? " or -engine bpf" : "");
	text_hint(error_ret, "without -engine %s, probe uses the module%s", name, can_bpf ? " or BPF" : "");
	return -EOPNOTSUPP;
}

/* Value of a parameter of the loaded module; 0: unreadable. */
static unsigned int read_parameter(const char *name)
{
	unsigned int value = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/cpuprobe/parameters/%s", name);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%u", &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

int device_explain_memory(const char *action, int error, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "%s: your runs may hold at most %u MiB of memory per CPU",
		  action, read_parameter("member_mib"));
	text_hint(error_ret,
		  "wait until one of them ends, or load the module with member_mib=N");
	return -error;
}

static int explain_rate(const struct cpuprobe_start *start, const struct cpuprobe_info *info,
			u32 asked_hz, struct text_error *error_ret)
{
	char holder[64] = "";

	if (start->holder_pid)
		snprintf(holder, sizeof(holder), ", %u Hz of them held by %.16s (pid %u)",
			 start->holder_rate_hz, start->holder_comm, start->holder_pid);
	text_fail(error_ret, 0, "start sampling at %u Hz: the limit is %u Hz per CPU for "
		  "all sessions, %u Hz are in use%s", asked_hz, info->rate_limit_hz,
		  start->used_rate_hz, holder);
	text_hint(error_ret, "use a lower -rate");
	return -EBUSY;
}

/* Suggests the highest rate that the limit still allows. */
static void hint_overhead(const struct cpuprobe_start *start, const struct cpuprobe_info *info,
			  u32 cost_ns, struct text_error *error_ret)
{
	double left_ppm = (double)info->overhead_limit_ppm - start->used_overhead_ppm;
	unsigned int most_hz = left_ppm > 0 && cost_ns ? left_ppm * 1e3 / cost_ns : 0;

	if (most_hz)
		text_hint(error_ret,
			  "use -rate %u or less, or load the module with max_overhead_pct=N",
			  most_hz);
	else
		text_hint(error_ret, "load the module with max_overhead_pct=N");
}

static int explain_overhead(const struct cpuprobe_start *start, const struct cpuprobe_info *info,
			    u32 asked_hz, struct text_error *error_ret)
{
	u32 cost_ns = run_kind_cost_ns(info, start);
	double used_pct = start->used_overhead_ppm / 1e4;
	char holder[64] = "";

	if (start->holder_pid)
		snprintf(holder, sizeof(holder), ", %u Hz held by %.16s (pid %u)",
			 start->holder_rate_hz, start->holder_comm, start->holder_pid);
	text_fail(error_ret, 0, "start sampling at %u Hz: at up to %.1f us a sample it would take "
		  "%.1f%% of each CPU, the limit is %.1f%%, %.1f%% are in use%s", asked_hz,
		  cost_ns / 1e3, used_pct + (double)asked_hz * cost_ns / 1e7,
		  info->overhead_limit_ppm / 1e4, used_pct, holder);
	hint_overhead(start, info, cost_ns, error_ret);
	return -EBUSY;
}

/* Members of the group may not sample isolated CPUs. */
static int explain_quiet(const struct cpuprobe_start *start, struct text_error *error_ret)
{
	bool is_sleep = start->flags & CPUPROBE_START_IDLE_SLEEP;

	if (start->flags & CPUPROBE_START_UNWIND) {
		text_fail(error_ret, 0, "start sampling: -unwind tables would interrupt isolated CPUs: "
			  "it needs CAP_PERFMON");
		text_hint(error_ret, "omit -unwind tables, or sample other CPUs with -cpu");
		return -EPERM;
	}
	text_fail(error_ret, 0, "start sampling: %s", is_sleep ?
		  "-idle sleep would interrupt isolated CPUs: it needs CAP_PERFMON" :
		  "isolated and nohz_full CPUs need CAP_PERFMON");
	text_hint(error_ret, is_sleep ? "omit -idle sleep" : "choose other CPUs with -cpu");
	return -EPERM;
}

static int explain_sessions(int error, struct text_error *error_ret)
{
	text_fail(error_ret, 0,
		  "start sampling: a member of the group may have at most %u runs at a time",
		  read_parameter("member_sessions"));
	text_hint(error_ret,
		  "wait until one of them ends, or load the module with member_sessions=N");
	return -error;
}

static int explain_cpu_sessions(const struct cpuprobe_info *info, int error,
				struct text_error *error_ret)
{
	text_fail(error_ret, 0, "start sampling: a CPU can have at most %u runs at a time%s",
		  read_parameter("max_sessions"),
		  info->access < 2 ? ", a quarter of them reserved for root" : "");
	text_hint(error_ret, "wait until one of them ends, or load the module with max_sessions=N");
	return -error;
}

/* The only field unknown to older modules of the same interface version. */
static int explain_field(int error, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "start sampling: the module does not support -idle sleep");
	text_hint(error_ret,
		  "sudo rmmod cpuprobe, then try again: this loads the installed module");
	return -error;
}

/** Reasons whose explanation does not depend on the request. */
static const struct refusal {
	u32 reason;
	const char *what;
	const char *hint;	/* NULL: none */
} refusals[] = {
	{ CPUPROBE_REASON_SLEEPERS, "too many runs use -idle sleep",
	  "wait until one of them ends, or omit -idle sleep" },
	{ CPUPROBE_REASON_TIMERS, "this kernel's timers only expire at ticks, so every sample "
	  "would be in lockstep with the clock",
	  "boot without highres=off, and a kernel with CONFIG_HIGH_RES_TIMERS=y" },
	{ CPUPROBE_REASON_CLOCK,
	  "this machine's clock is too coarse to measure the cost of a sample",
	  "use another clocksource, or load the module with sample_cost_ns=N" },
	{ CPUPROBE_REASON_OWNER, "the task belongs to another user",
	  "members of the group may sample tasks with their own user, group and capabilities; "
	  "CAP_PERFMON allows all" },
	{ CPUPROBE_REASON_NO_HOOKS, "-unwind tables: this kernel cannot hook functions now",
	  "it takes CONFIG_KPROBES=y and 1 in /sys/kernel/debug/kprobes/enabled; -unwind fp does "
	  "without" },
	{ CPUPROBE_REASON_UNHOOKING, "-unwind tables: the hooks of an earlier run are still being "
	  "removed",
	  "this waits for every CPU, also for one that a real-time task occupies; try again" },
	{ CPUPROBE_REASON_NMI, "-nmi: no NMI of this machine or kernel can take samples",
	  "arm64 needs CONFIG_ARM64_PSEUDO_NMI=y and irqchip.gicv3_pseudo_nmi=1, others a local APIC" },
	{ CPUPROBE_REASON_NEIGHBOUR, "-nmi: CPUs send each other NMIs, so it takes two that are sampled and online",
	  "choose two with -cpu" },
	{ CPUPROBE_REASON_NMI_SESSIONS, "-nmi: four runs take their samples by NMI",
	  "wait until one of them ends" },
	{ CPUPROBE_REASON_CPUS, "none of the requested CPUs exists", NULL },
	{ CPUPROBE_REASON_RANGE, "the range of addresses is empty", NULL },
	{ CPUPROBE_REASON_TARGET, "the task is gone", NULL },
	{ CPUPROBE_REASON_KERNEL, "kernel addresses need CAP_PERFMON", NULL },
	{ CPUPROBE_REASON_LOCKDOWN, "this kernel is locked down and hides its addresses",
	  NULL },
};

static int explain_event(int error, struct text_error *error_ret)
{
	if (error == EBUSY) {
		text_fail(error_ret, 0, "start sampling: all counters of this event are in use");
		text_hint(error_ret, "the NMI watchdog holds one (kernel.nmi_watchdog=0 frees it), and other "
			  "profilers may hold the rest");
	} else if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV) {
		text_fail(error_ret, 0, "start sampling: this machine cannot sample this event");
		text_hint(error_ret, "'probe events' lists those that it has");
	} else {
		text_fail(error_ret, 0, "start sampling: the kernel refuses this event: %s", strerror(error));
		text_hint(error_ret, "'probe events' tries each of them");
	}
	return -error;
}

static int explain_other_refusal(u32 reason, int error, struct text_error *error_ret)
{
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *refusal = &refusals[i];

		if (refusal->reason != reason)
			continue;
		text_fail(error_ret, 0, "start sampling: %s", refusal->what);
		if (refusal->hint)
			text_hint(error_ret, "%s", refusal->hint);
		return -error;
	}
	return text_fail(error_ret, -error, "start sampling: %s", strerror(error));
}

int device_explain_start(const struct cpuprobe_start *start, const struct cpuprobe_info *info,
			 int error, struct text_error *error_ret)
{
	u32 asked_hz = (1000000000 + start->period_ns - 1) / start->period_ns;

	switch (start->reason) {
	case CPUPROBE_REASON_RATE:
		return explain_rate(start, info, asked_hz, error_ret);
	case CPUPROBE_REASON_OVERHEAD:
		return explain_overhead(start, info, asked_hz, error_ret);
	case CPUPROBE_REASON_QUIET:
		return explain_quiet(start, error_ret);
	case CPUPROBE_REASON_MEMORY:
		return device_explain_memory("start sampling", error, error_ret);
	case CPUPROBE_REASON_SESSIONS:
		return explain_sessions(error, error_ret);
	case CPUPROBE_REASON_CPU_SESSIONS:
		return explain_cpu_sessions(info, error, error_ret);
	case CPUPROBE_REASON_EVENT:
		return explain_event(error, error_ret);
	case CPUPROBE_REASON_FIELD:
		if (start->flags & CPUPROBE_START_IDLE_SLEEP)
			return explain_field(error, error_ret);
	}
	return explain_other_refusal(start->reason, error, error_ret);
}
