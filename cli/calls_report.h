/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of a run of `probe calls`, measured here, saved, or sent by a background run. */
#ifndef CALLS_REPORT_H
#define CALLS_REPORT_H

#include "calls/call_view.h"
#include "export/export_options.h"
#include "profile/stack_run.h"
#include "run/record.h"
#include "times/time_counts.h"

/** Options of the report. */
struct calls_report {
	struct call_view view;
	bool hist;		/* a histogram of each function's times */
	bool functions;		/* sums of each function instead of paths */
	bool warns;		/* of losses: nobody has been warned when the run was measured */
	struct export_options exports;
};

extern const struct option_spec calls_report_specs[];	/* -hist and -functions */

/**
 * calls_report_check() - whether the report of a run of calls has these options. OPTIONS_UNFIT with a reason.
 * @flags: how the run timed its calls, CPUPROBE_CALLS_*; 0: they were counted
 */
int calls_report_check(const struct calls_report *report, u32 flags, struct text_error *error_ret);

/**
 * calls_report_times() - show and export timed calls; @counts may be summed. -errno with a reason.
 * @files: opened by export_open()
 */
int calls_report_times(const struct calls_report *report, struct time_counts *counts,
		       struct export *files, struct text_error *error_ret);

/** calls_report_record() - show and export what a saved run contains. -errno with a reason. */
int calls_report_record(const struct calls_report *report, const struct record *record,
			const struct stack_run *stacks, struct export *files,
			struct text_error *error_ret);

#endif
