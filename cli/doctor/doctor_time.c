// SPDX-License-Identifier: GPL-2.0-only
/* Checks of clocks, timers and processors: see doctor.h. */
#include <math.h>
#include <string.h>

#include "base/virtual.h"
#include "doctor/doctor.h"
#include "run/device.h"

#define USUAL_RATE_HZ	1000
#define TICK_NS		1000000		/* timers no finer than this expire at ticks only */
#define STEAL_MAX	0.05		/* share of time since boot */
#define CLOCKSOURCE	"/sys/devices/system/clocksource/clocksource0/"

bool doctor_timers(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	if (machine->timer_ns < TICK_NS)
		return doctor_find(finding, DOCTOR_OK, "high resolution");
	doctor_find(finding, DOCTOR_FAIL,
		    "they expire only at ticks, every %.3g ms, and so would samples",
		    machine->timer_ns / 1e6);
	return doctor_hint(finding, "boot without highres=off; the kernel log may say why");
}

/* Clocks that are coarse, or read from a device, which takes about a microsecond. */
static bool is_slow_clock(const char *clock)
{
	static const char *const slow[] = {"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies"};
	size_t i;

	for (i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		if (!strcmp(clock, slow[i]))
			return true;
	return false;
}

bool doctor_clocksource(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	char clock[32], available[256];

	if (doctor_line(machine, CLOCKSOURCE "current_clocksource", clock, sizeof(clock)))
		return false;
	doctor_find(finding, DOCTOR_OK, "%s, read in %.0f ns", clock, machine->clock_ns);
	if (!is_slow_clock(clock))
		return true;
	doctor_find(finding, DOCTOR_WARN, "%s, read in %.0f ns, twice per sample", clock,
		    machine->clock_ns);
	doctor_line(machine, CLOCKSOURCE "available_clocksource", available, sizeof(available));
	if (strstr(available, "tsc"))
		return doctor_hint(finding, "write tsc into " CLOCKSOURCE "current_clocksource");
	return doctor_hint(finding,
			   "the kernel does not trust the tsc: dmesg says why (tsc=reliable)");
}

/* The highest rate that the limits allow a single session. */
static double get_permitted_hz(const struct cpuprobe_info *info, u32 cost_ns)
{
	return fmin(info->rate_limit_hz, floor(info->overhead_limit_ppm * 1e3 / cost_ns));
}

bool doctor_rate(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	static const struct cpuprobe_start system = { .what = CPUPROBE_WHAT_SYSTEM };
	static const struct cpuprobe_start stacks = {
		.what = CPUPROBE_WHAT_STACKS,
		.frames = CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL,
		.flags = CPUPROBE_START_UNWIND,
	};
	const struct cpuprobe_info *info = &machine->info;
	u32 cost_ns = run_kind_cost_ns(info, &system);
	u32 stacks_ns = run_kind_cost_ns(info, &stacks);
	double hz, stacks_hz;

	if (machine->device_error)
		return false;
	if (!cost_ns || !stacks_ns) {
		doctor_find(finding, DOCTOR_FAIL,
			    "the clock is too coarse to measure the cost of a sample");
		return doctor_hint(finding, "load the module with sample_cost_ns=N");
	}
	hz = get_permitted_hz(info, cost_ns);
	stacks_hz = get_permitted_hz(info, stacks_ns);
	doctor_find(finding, DOCTOR_OK, "%.1f us a sample, %.0f Hz permitted; with stacks %.1f us, "
		    "%.0f Hz", cost_ns / 1e3, hz, stacks_ns / 1e3, stacks_hz);
	if (stacks_hz >= USUAL_RATE_HZ)
		return true;
	finding->result = DOCTOR_WARN;
	if (info->rate_limit_hz < USUAL_RATE_HZ)
		return doctor_hint(finding,
				   "use -rate %.0f, or load the module with a higher max_rate",
				   stacks_hz);
	return doctor_hint(finding,
			   "use -rate %.0f%s, or load the module with max_overhead_pct=%.0f",
			   stacks_hz, hz >= USUAL_RATE_HZ ? " for stacks" : "",
			   ceil(USUAL_RATE_HZ * stacks_ns / 1e7));
}

bool doctor_cpus(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	if (!machine->nr_quiet)
		return doctor_find(finding, DOCTOR_OK, "none isolated");
	doctor_find(finding, DOCTOR_WARN, "%llu of %llu isolated or nohz_full: %s; left alone",
		    machine->nr_quiet, machine->nr_cpus, machine->quiet);
	return doctor_hint(finding, "-cpu all samples them too");
}

/* Share of all CPUs' time since boot that the host stole. */
static double read_steal(const struct doctor_machine *machine)
{
	unsigned long long t[8] = { 0 }, sum = 0;
	char line[256];
	int i;

	doctor_line(machine, "/proc/stat", line, sizeof(line));
	/* user nice system idle iowait irq softirq steal */
	if (sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3],
		   &t[4], &t[5], &t[6], &t[7]) != 8)
		return 0;
	for (i = 0; i < 8; i++)
		sum += t[i];
	return sum ? (double)t[7] / sum : 0;
}

bool doctor_host(const struct doctor_machine *machine, struct doctor_finding *finding)
{
	double steal = read_steal(machine);

	if (!virtual_is(machine->root))
		return doctor_find(finding, DOCTOR_OK, "not a virtual machine");
	if (!steal)
		return doctor_find(finding, DOCTOR_OK,
				   "a virtual machine; the host takes no time or does not "
				   "report it");
	doctor_find(finding, steal > STEAL_MAX ? DOCTOR_WARN : DOCTOR_OK,
		    "a virtual machine; the host took %.1f%% of its time since boot", steal * 100);
	return steal <= STEAL_MAX ||
	       doctor_hint(finding,
			   "samples due in that time are late or missed: use a less busy host");
}
