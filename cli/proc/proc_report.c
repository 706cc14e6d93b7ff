// SPDX-License-Identifier: GPL-2.0-only
/* Numbers derived from a report: see proc_report.h. */
#include <math.h>

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
struct share proc_report_execution(const struct proc_report *report)
{
	u64 hits = proc_report_hits(report), taken = proc_report_taken(report);
	const struct run_result *result = &report->result;
	struct stat_interval share = stat_wilson(hits, taken, result->account.excess);
	double each = (double)result->account.expected * result->period_ns / report->executions;

	return share_of(taken ? (double)hits / taken : 0, share, each);
}
