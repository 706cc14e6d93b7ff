// SPDX-License-Identifier: GPL-2.0-only
/* The list of checks, and how their findings are reported: see doctor.h. */
#include <string.h>

#include "base/text.h"
#include "doctor/doctor.h"

const struct doctor_check doctor_checks[] = {
	{ "kernel", doctor_kernel },
	{ "module", doctor_module },
	{ "signatures", doctor_signatures },
	{ "bpf", doctor_bpf },
	{ "perf", doctor_perf },
	{ "container", doctor_container },
	{ "access", doctor_access },
	{ "agent", doctor_agent },
	{ "lockdown", doctor_lockdown },
	{ "symbols", doctor_symbols },
	{ "calls", doctor_calls },
	{ "unwinding", doctor_unwind },
	{ "timers", doctor_timers },
	{ "clocksource", doctor_clocksource },
	{ "rate", doctor_rate },
	{ "cpus", doctor_cpus },
	{ "host", doctor_host },
	{ NULL, NULL }
};

const char *doctor_result_name(enum doctor_result result)
{
	static const char *const names[] = {
		[DOCTOR_OK] = "ok", [DOCTOR_WARN] = "warn", [DOCTOR_FAIL] = "FAIL"
	};

	return names[result];
}

bool doctor_first(const struct doctor_machine *machine, const char **name_ret,
		  struct doctor_finding *finding_ret)
{
	const struct doctor_check *check;
	struct doctor_finding finding;

	for (check = doctor_checks; check->name; check++) {
		memset(&finding, 0, sizeof(finding));
		if (!check->run(machine, &finding) ||
		    (finding.result != DOCTOR_FAIL && check->run != doctor_module))
			continue;
		*name_ret = check->name;
		*finding_ret = finding;
		if (finding.result == DOCTOR_FAIL)
			return true;
	}
	return false;
}

void doctor_print(FILE *out, const char *name, const struct doctor_finding *finding, int cols)
{
	char line[1024];

	snprintf(line, sizeof(line), "%-4s  %s: %s", doctor_result_name(finding->result), name,
		 finding->what);
	text_wrap(out, line, cols);
	if (!finding->hint[0])
		return;
	snprintf(line, sizeof(line), "hint: %s", finding->hint);
	text_wrap(out, line, cols);
}
