// SPDX-License-Identifier: GPL-2.0-only
/* Reports of `probe calls`: see calls_report.h. */
#include <errno.h>

#include "base/option_values.h"
#include "calls/call_save.h"
#include "calls_report.h"
#include "times/time_export.h"
#include "times/time_merge.h"
#include "times/time_save.h"
#include "times/time_view.h"

const struct option_spec calls_report_specs[] = {
	{ "hist", NULL, "a histogram of the times of each function's calls, if they are timed",
	  option_flag, offsetof(struct calls_report, hist) },
	{ "functions", NULL, "with -paths: a row for each function, not for each path", option_flag,
	  offsetof(struct calls_report, functions) },
	{ NULL }
};

/* The columns of a saved run depend on what it contains. */
static int check_columns(const struct calls_report *report, const struct column_list *list,
			 struct text_error *error_ret)
{
	return columns_check(list, report->view.output.columns, error_ret) ? OPTIONS_UNFIT : 0;
}

/* The option that only counted calls have; NULL: there is none. */
static const char *find_option_of_counts(const struct calls_report *report)
{
	return report->view.by_arc ? "arcs" : report->view.never ? "never" : NULL;
}

/* The option that only timed calls have; NULL: there is none. */
static const char *find_option_of_times(const struct calls_report *report)
{
	return report->functions ? "functions" : report->hist ? "hist" :
		report->exports.path[EXPORT_FOLDED] ? "folded" : export_is_asked(&report->exports) ? "speedscope" : NULL;
}

int calls_report_check(const struct calls_report *report, u32 flags, struct text_error *error_ret)
{
	const char *other = flags ? find_option_of_counts(report) : find_option_of_times(report);

	if (other)
		return text_fail(error_ret, OPTIONS_UNFIT, flags ?
				 "-%s needs counted calls; those of the run were timed" :
				 "-%s needs timed calls; those of the run were counted", other);
	if (report->functions && !(flags & CPUPROBE_CALLS_PATHS))
		return text_fail(error_ret, OPTIONS_UNFIT, "-functions needs calls timed by path; those of the run were not");
	return check_columns(report, flags ? &time_column_list : &call_column_list, error_ret);
}

int calls_report_times(const struct calls_report *report, struct time_counts *counts,
		       struct export *files, struct text_error *error_ret)
{
	const struct time_view view = {
		.sort = report->view.sort, .nr_rows = report->view.nr_rows, .has_hist = report->hist,
		.output = &report->view.output,
	};

	if (calls_report_check(report, counts->totals.flags | CPUPROBE_CALLS_EACH, error_ret))
		return OPTIONS_UNFIT;
	if (report->functions && time_merge(counts))
		return text_fail(error_ret, -ENOMEM, "out of memory");
	if (report->warns)
		time_view_warn(counts);
	return time_view_show(stdout, counts, &view, error_ret) ?:
		time_export(files, counts, error_ret);
}

static int show_times(const struct calls_report *report, const struct record *record,
		      struct export *files, struct text_error *error_ret)
{
	struct time_counts *times = time_load(record, error_ret);
	int error = times ? calls_report_times(report, times, files, error_ret) : -EBADMSG;

	time_counts_destroy(times);
	return error;
}

static int show_counts(const struct calls_report *report, const struct record *record,
		       const struct stack_run *stacks, struct text_error *error_ret)
{
	struct call_counts *counts = call_load(record, error_ret);
	const struct call_report parts = {
		counts, stacks->profile, stacks->has_receipt ? &stacks->receipt : NULL,
		stacks->result.elapsed_seconds,
	};
	int error = counts ? call_view_show(stdout, &parts, &report->view, error_ret) : -EBADMSG;

	if (!error && report->warns)
		call_view_warn(counts);
	call_counts_destroy(counts);
	return error;
}

int calls_report_record(const struct calls_report *report, const struct record *record,
			const struct stack_run *stacks, struct export *files,
			struct text_error *error_ret)
{
	if (time_is_kept(record))
		return show_times(report, record, files, error_ret);
	if (!call_is_kept(record))
		return text_fail(error_ret, -EINVAL, "it is a run without calls");
	return calls_report_check(report, 0, error_ret) ?: show_counts(report, record, stacks, error_ret);
}
