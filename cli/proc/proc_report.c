// SPDX-License-Identifier: GPL-2.0-only
/* Numbers derived from a report: see proc_report.h. */
#include <math.h>
#include <stdio.h>

#include "base/stat.h"
#include "proc/proc_report.h"

const char *proc_report_mode_name(const struct proc_report *report)
{
	return report->mode ? "kernel" : "user";
}

u64 proc_report_task_hits(const struct proc_report *report)
{
	u64 hits = 0;
	u32 i;

	for (i = 0; i < report->nr_objects; i++)
		hits += report->objects[i].hits;
	return hits;
}

/*
 * hits / (rate x executions), the paper's "Accurate time measurement", computed as the share of
 * samples times the expected time, so that missed samples do not bias the result.
 */
struct stat_time proc_report_time(const struct proc_report *report)
{
	u64 hits = proc_report_hits(report), taken = proc_report_taken(report);
	const struct run_result *result = &report->result;

	return (struct stat_time){
		.share = taken ? (double)hits / taken : 0, .n = taken, .excess = result->account.excess,
		.scale = (double)result->account.expected * result->period_ns / report->executions,
	};
}

struct share proc_report_execution(const struct proc_report *report)
{
	const struct stat_time time = proc_report_time(report);

	return share_of(time.share, stat_wilson_share(time.share, time.n, time.excess), time.scale);
}

void proc_report_warn(const struct proc_report *report)
{
	const struct proc_mappings *mappings = &report->mappings;

	if (mappings->nr_left_out)
		fprintf(stderr, "probe: warning: more than %d mappings; the samples of %u "
			"processes are in no object\n", CPUPROBE_AREAS_MAX, mappings->nr_left_out);
	if (mappings->nr_mapped_max > 1)
		fprintf(stderr,
			"probe: %s is mapped at %u places in a process; their counts are added\n",
			report->object, mappings->nr_mapped_max);
	if (mappings->is_unmapped)
		fprintf(stderr, "probe: warning: %s was unmapped during the run\n", report->object);
	if (mappings->is_code_replaced)
		fprintf(stderr, "probe: warning: a process of %s has mapped other code over its "
			"own: later samples\nthere count for the other object\n", report->task);
}
