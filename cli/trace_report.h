/* SPDX-License-Identifier: GPL-2.0-only */
/* The reports of a trace: its summary, its code path, or the comparison with samples. */
#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "run/cpus.h"
#include "run/record.h"
#include "trace/trace_beside_view.h"
#include "trace/trace_flow.h"
#include "trace/trace_view.h"

struct trace_report {
	struct trace_view view;
	struct trace_flow_options flow;
	struct cpus cpus;		/* only these; empty: all */
	const char *task;		/* only this thread, process or name; NULL: all */
	bool is_beside;			/* the comparison with samples, not the summary */
	bool warns;			/* of losses: nobody has been warned yet */
};

extern const struct option_spec trace_report_specs[];	/* -cpu, -task and -beside */

/**
 * trace_report_check() - check options for conflicts, and read the file of groups.
 *
 * With a reason: -EINVAL, or OPTIONS_UNREAD for the file.
 */
int trace_report_check(struct trace_report *report, struct text_error *error_ret);

/** trace_report_show() - print the report that is asked for. -errno with a reason. */
int trace_report_show(const struct trace_report *report, const struct trace *trace,
		      struct text_error *error_ret);

void trace_report_deinit(struct trace_report *report);

#endif
