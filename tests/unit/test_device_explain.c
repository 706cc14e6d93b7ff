// SPDX-License-Identifier: GPL-2.0-only
/* Reasons for which the module refuses to sample: cli/run/device_explain.c. */
#include <errno.h>

#include "unit.h"
#include "run/device_parts.h"

static const struct cpuprobe_info info = {
	.size = sizeof(info), .access = 2, .rate_limit_hz = 20000, .overhead_limit_ppm = 50000,
	.cost_ns = 1000, .sample_cost_ns = { [CPUPROBE_COST_PROCESS] = 60000 },
};

/* @what: the text after "start sampling"; @hint: the hint's beginning; "": there is none. */
static void assert_refusal(const struct cpuprobe_start *start, int error, const char *what,
			   const char *hint)
{
	char expected[512];
	struct text_error why;

	assert_int_equal(device_explain_start(start, &info, error, &why), -error);
	snprintf(expected, sizeof(expected), "start sampling%s", what);
	assert_string_equal(why.what, expected);
	assert_true(hint[0] ? !strncmp(why.hint, hint, strlen(hint)) : !why.hint[0]);
}

/* An engine was asked for that cannot do it: the remedy is about the engines that can, not about a module that fails. */
static void engines_that_lack_something(void **state)
{
	struct text_error why;

	assert_int_equal(device_explain_lack(DEVICE_PERF, "stacks", true, &why), -EOPNOTSUPP);
	assert_string_equal(why.what, "measure with -engine perf: stacks: this needs the module or -engine bpf");
	assert_string_equal(why.hint, "without -engine perf, probe uses the module or BPF");
	device_explain_lack(DEVICE_BPF, "-idle sleep", false, &why);
	assert_string_equal(why.what, "measure with -engine bpf: -idle sleep: this needs the module");
	assert_string_equal(why.hint, "without -engine bpf, probe uses the module");
}

static void reasons(void **state)
{
	static const struct {
		u32 reason;
		int error;
		const char *what, *hint;
	} cases[] = {
		{ CPUPROBE_REASON_NONE, EPERM, ": Operation not permitted", "" },
		{ CPUPROBE_REASON_FIELD, EINVAL, ": Invalid argument", "" },
		{ CPUPROBE_REASON_CPUS, EINVAL, ": none of the requested CPUs exists", "" },
		{ CPUPROBE_REASON_TARGET, ESRCH, ": the task is gone", "" },
		{ CPUPROBE_REASON_OWNER, EPERM, ": the task belongs to another user",
		  "members of the group may sample" },
		{ CPUPROBE_REASON_KERNEL, EPERM, ": kernel addresses need CAP_PERFMON", "" },
		{ CPUPROBE_REASON_SLEEPERS, EBUSY, ": too many runs use -idle sleep",
		  "wait until one of them ends, or omit" },
		{ CPUPROBE_REASON_QUIET, EPERM, ": isolated and nohz_full CPUs need CAP_PERFMON",
		  "choose other CPUs with -cpu" },
		{ CPUPROBE_REASON_RATE, EBUSY, " at 1000 Hz: the limit is 20000 Hz per CPU for all "
		  "sessions, 700 Hz are in use, 400 Hz of them held by probe (pid 77)",
		  "use a lower -rate" },
		{ CPUPROBE_REASON_OVERHEAD, EBUSY, " at 1000 Hz: at up to 60.0 us a sample it "
		  "would take 7.0% of each CPU, the limit is 5.0%, 1.0% are in use, 400 Hz held by "
		  "probe (pid 77)", "use -rate 666 or less, or load" },
		{ CPUPROBE_REASON_EVENT, ENOENT, ": this machine cannot sample this event",
		  "'probe events' lists" },
		{ CPUPROBE_REASON_EVENT, EBUSY, ": all counters of this event are in use",
		  "the NMI watchdog holds one" },
		{ CPUPROBE_REASON_EVENT, EINVAL, ": the kernel refuses this event: Invalid argument",
		  "'probe events' tries" },
		{ CPUPROBE_REASON_NMI, EOPNOTSUPP, ": -nmi: no NMI of this machine or kernel can take "
		  "samples", "arm64 needs CONFIG_ARM64_PSEUDO_NMI=y" },
		{ CPUPROBE_REASON_NEIGHBOUR, ENXIO, ": -nmi: CPUs send each other NMIs, so it takes two that are "
		  "sampled and online", "choose two with -cpu" },
		{ CPUPROBE_REASON_NMI_SESSIONS, EBUSY, ": -nmi: four runs take their samples by NMI",
		  "wait until one of them ends" },
		{ CPUPROBE_REASON_CLOCK, EOPNOTSUPP, ": this machine's clock is too coarse to "
		  "measure the cost of a sample", "use another clocksource, or load" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cpuprobe_start start = {
			.reason = cases[i].reason, .what = CPUPROBE_WHAT_PROCESS, .period_ns = 1000000,
			.used_rate_hz = 700, .used_overhead_ppm = 10000,
			.holder_rate_hz = 400, .holder_pid = 77, .holder_comm = "probe",
		};

		assert_refusal(&start, cases[i].error, cases[i].what, cases[i].hint);
	}
}

/* A limit that is used up leaves no rate to suggest. */
static void no_room(void **state)
{
	struct cpuprobe_start start = {
		.reason = CPUPROBE_REASON_OVERHEAD, .what = CPUPROBE_WHAT_PROCESS,
		.period_ns = 1000000, .used_overhead_ppm = 50000,
	};

	assert_refusal(&start, EBUSY, " at 1000 Hz: at up to 60.0 us a sample it would take 11.0% "
		       "of each CPU, the limit is 5.0%, 5.0% are in use", "load the module with");
}

/* An older module of the same version does not support -idle sleep and rejects the field. */
static void idle_sleep(void **state)
{
	struct cpuprobe_start start = { .period_ns = 1000000, .flags = CPUPROBE_START_IDLE_SLEEP };

	start.reason = CPUPROBE_REASON_FIELD;
	assert_refusal(&start, EINVAL, ": the module does not support -idle sleep", "sudo rmmod");
	start.reason = CPUPROBE_REASON_QUIET;
	assert_refusal(&start, EPERM, ": -idle sleep would interrupt isolated CPUs: it needs "
		       "CAP_PERFMON", "omit -idle sleep");
}

static void unwinding(void **state)
{
	struct cpuprobe_start start = { .period_ns = 1000000, .flags = CPUPROBE_START_UNWIND };

	start.reason = CPUPROBE_REASON_QUIET;
	assert_refusal(&start, EPERM, ": -unwind tables would interrupt isolated CPUs: it needs "
		       "CAP_PERFMON", "omit -unwind tables");
	start.reason = CPUPROBE_REASON_NO_HOOKS;
	assert_refusal(&start, EOPNOTSUPP, ": -unwind tables: this kernel cannot hook functions now",
		       "it takes CONFIG_KPROBES=y");
	start.reason = CPUPROBE_REASON_UNHOOKING;
	assert_refusal(&start, EBUSY, ": -unwind tables: the hooks of an earlier run are still being "
		       "removed", "this waits for every CPU");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_that_lack_something), cmocka_unit_test(reasons), cmocka_unit_test(no_room),
		cmocka_unit_test(idle_sleep), cmocka_unit_test(unwinding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
