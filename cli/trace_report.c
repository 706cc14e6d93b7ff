// SPDX-License-Identifier: GPL-2.0-only
/* The reports of a trace: see trace_report.h. */
#include <errno.h>

#include "base/option_values.h"
#include "trace_report.h"

static int parse_cpus(const struct option_spec *spec, const char *text, void *at,
		      struct text_error *error_ret)
{
	struct cpus *cpus = at;

	cpus_deinit(cpus);
	return cpus_parse(text, cpus, error_ret);
}

#define REPORT(field)	offsetof(struct trace_report, field)

const struct option_spec trace_report_specs[] = {
	{ "task", "TASK", "only calls by this process or executable: a pid, a path or a name", option_text,
	  REPORT(task) },
	{ "cpu", "LIST", "only the time and the code path of these CPUs, such as 0,2-3", parse_cpus,
	  REPORT(cpus) },
	{ "beside", NULL, "sample the same time too, and compare the shares of functions", option_flag,
	  REPORT(is_beside) },
	{ NULL }
};

static bool shows_flow(const struct trace_report *report)
{
	return report->flow.is_wanted || report->flow.longest;
}

static int check_flow(const struct trace_report *report, struct text_error *error_ret)
{
	const struct trace_flow_options *flow = &report->flow;
	const char *times = flow->from_ns ? "from" : flow->to_ns ? "to" : NULL;
	const char *calls = flow->over_ns ? "over" : flow->depth ? "depth" : NULL;
	const char *summary = report->view.hist ? "hist" : report->view.group_path ? "group" : NULL;

	if (times && !shows_flow(report))
		return text_fail(error_ret, -EINVAL, "-%s needs -flow", times);
	if (calls && !shows_flow(report))
		return text_fail(error_ret, -EINVAL, "-%s needs -flow or -longest", calls);
	if (summary && shows_flow(report))
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -%s", summary,
				 flow->longest ? "longest" : "flow");
	if (flow->longest && times)
		return text_fail(error_ret, -EINVAL, "-longest cannot be combined with -%s", times);
	if (flow->to_ns && flow->to_ns <= flow->from_ns)
		return text_fail(error_ret, -EINVAL, "-to is not after -from");
	return 0;
}

/* Samples are of all CPUs, and their report has one row for each function. */
static int check_beside(const struct trace_report *report, struct text_error *error_ret)
{
	const char *other = report->flow.longest ? "longest" : report->flow.is_wanted ? "flow" :
		report->view.hist ? "hist" : report->view.group_path ? "group" :
		report->view.nr_rows ? "n" : report->cpus.nr ? "cpu" : NULL;

	return !report->is_beside || !other ? 0 :
		text_fail(error_ret, -EINVAL, "-beside cannot be combined with -%s", other);
}

int trace_report_check(struct trace_report *report, struct text_error *error_ret)
{
	const struct column_list *list = shows_flow(report) ? &trace_flow_columns :
		report->is_beside ? &trace_beside_columns : &trace_column_list;

	int error = check_flow(report, error_ret) ?: check_beside(report, error_ret) ?:
		columns_check(list, report->view.output.columns, error_ret);

	if (error || !report->view.group_path)
		return error;
	return groups_read_file(report->view.group_path, &report->view.groups, error_ret) ? OPTIONS_UNREAD : 0;
}

static int show_flow(const struct trace_report *report, const struct trace *trace,
		     const struct trace_choice *choice, struct text_error *error_ret)
{
	struct trace_flow flow;
	int error = trace_flow_init(&flow, trace, &report->flow, choice, error_ret);

	if (error)
		return error;
	trace_view_warn_clock(trace);
	error = trace_flow_show(stdout, &flow, &report->view.output, error_ret);
	trace_flow_deinit(&flow);
	return error;
}

int trace_report_show(const struct trace_report *report, const struct trace *trace,
		      struct text_error *error_ret)
{
	const struct trace_choice choice = {
		.cpus = report->cpus.nr ? report->cpus.number : NULL, .nr_cpus = report->cpus.nr,
		.task = report->task,
	};
	struct trace_account account;
	int error;

	if (shows_flow(report))
		return show_flow(report, trace, &choice, error_ret);
	error = trace_account_init(&account, trace, &choice, NULL);
	if (error)
		return text_fail(error_ret, error, "out of memory");
	error = report->is_beside ? trace_beside_show(stdout, &account, &report->view, error_ret) :
		trace_view_show(stdout, &account, &report->view, error_ret);
	if (!error && report->warns)
		trace_view_warn(&account);
	trace_account_deinit(&account);
	return error;
}

void trace_report_deinit(struct trace_report *report)
{
	groups_destroy(report->view.groups);
	cpus_deinit(&report->cpus);
}
