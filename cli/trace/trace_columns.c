// SPDX-License-Identifier: GPL-2.0-only
/* Columns of a trace's summary: see trace_view.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "trace/trace_view.h"

static const struct trace_row *row_of(const struct column_cell *cell)
{
	return cell->row;
}

static const struct time_sums *sums_of(const struct column_cell *cell)
{
	return &row_of(cell)->node.sums;
}

static const char *get_name(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->name;
}

static const char *get_object(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->object;
}

/* A column's tag is the offset of its number, in the sums or in what is more. */
static double get_sum(const struct column_cell *cell)
{
	return *(const u64 *)((const char *)sums_of(cell) + cell->column->tag);
}

static double get_more(const struct column_cell *cell)
{
	return *(const u64 *)((const char *)&row_of(cell)->more + cell->column->tag);
}

/* Extremes of calls, which those of a group do not have. */
static double get_extreme(const struct column_cell *cell)
{
	return row_of(cell)->is_group || !time_outermost(&row_of(cell)->node) ? NAN : get_sum(cell);
}

static double get_net_extreme(const struct column_cell *cell)
{
	return sums_of(cell)->ended ? get_more(cell) : NAN;
}

static double get_elapsed(const struct column_cell *cell)
{
	return trace_row_elapsed(cell->view, row_of(cell));
}

static double get_net(const struct column_cell *cell)
{
	return trace_row_net(cell->view, row_of(cell));
}

static double get_avg(const struct column_cell *cell)
{
	return trace_row_avg(row_of(cell));
}

static double get_net_avg(const struct column_cell *cell)
{
	return trace_row_net_avg(row_of(cell));
}

static double get_elapsed_raw(const struct column_cell *cell)
{
	const struct time_sums *sums = sums_of(cell);

	if (row_of(cell)->is_group)
		return NAN;
	return sums->wall_ns - sums->blocked_ns - sums->preempted_ns - sums->interrupted_ns;
}

static double get_wall(const struct column_cell *cell)
{
	return row_of(cell)->is_group ? NAN : get_sum(cell);
}

static double percent_of(double ns, double whole_ns)
{
	return whole_ns > 0 ? 100 * ns / whole_ns : NAN;
}

static double get_real_pct(const struct column_cell *cell)
{
	return percent_of(get_net(cell), ((const struct trace_rows *)cell->view)->run_ns);
}

static double get_net_pct(const struct column_cell *cell)
{
	return percent_of(get_net(cell), ((const struct trace_rows *)cell->view)->busy_ns);
}

/* In microseconds, as in the paper: a line has no room for units. */
static const char *get_time(const struct column_cell *cell, char *text, size_t len)
{
	double us = cell->column->value(cell) / 1e3;

	if (isnan(us))
		return "-";
	snprintf(text, len, "%.*f", us < 9.995 ? 2 : us < 99.95 ? 1 : 0, us);
	return text;
}

/* Whether some row has the number that a column is about. */
static bool has_any(const struct column *column, const void *view)
{
	const struct trace_rows *rows = view;
	u32 i;

	for (i = 0; i < rows->nr; i++) {
		const struct column_cell cell = { .column = column, .row = &rows->row[i], .view = view };

		if (column->value(&cell) > 0)
			return true;
	}
	return false;
}

#define KEPT		1	/* omitted from a line too long after the other columns */
#define SUM(member)	.value = get_sum, .tag = offsetof(struct time_sums, member)
#define MORE(member)	.value = get_more, .tag = offsetof(struct trace_more, member)
#define TIME		.unit = COLUMN_NS, .cols = 6, .text = get_time, .unknown = "-"
#define COUNT		.unit = COLUMN_COUNT, .cols = 5
#define PART(key_, title_, help_, member) \
	{ .key = key_, .title = title_, .help = help_, TIME, SUM(member), .is_wanted = has_any }
#define SOME(key_, title_, help_, ...) \
	{ .key = key_, .title = title_, .help = help_, COUNT, .is_wanted = has_any, __VA_ARGS__ }

static const struct column columns[] = {
	{ .key = "elapsed_ns", .title = "Elapsed",
	  .help = "time on a CPU from entry to exit, of all calls", TIME,
	  .rank = KEPT, .value = get_elapsed },
	{ .key = "net_ns", .title = "Net", .help = "the same without traced callees", TIME, .rank = KEPT,
	  .value = get_net },
	{ .key = "calls", .title = "Calls", .help = "calls that began", COUNT, .rank = KEPT, SUM(calls) },
	{ .key = "max_ns", .title = "Max", .help = "the largest time on a CPU of a call", TIME, .rank = KEPT,
	  .value = get_extreme, .tag = offsetof(struct time_sums, max_ns) },
	{ .key = "avg_ns", .title = "Avg", .help = "the average of these times", TIME, .rank = KEPT,
	  .value = get_avg },
	{ .key = "min_ns", .title = "Min", .help = "the least of these times", TIME, .rank = KEPT,
	  .value = get_extreme, .tag = offsetof(struct time_sums, min_ns) },
	{ .key = "net_max_ns", .title = "Net max", .help = "the largest net time of a call", TIME,
	  .value = get_net_extreme, .tag = offsetof(struct trace_more, net_max_ns) },
	{ .key = "net_avg_ns", .title = "Net avg", .help = "the average of the net times", TIME,
	  .value = get_net_avg },
	{ .key = "net_min_ns", .title = "Net min", .help = "the least of the net times", TIME,
	  .value = get_net_extreme, .tag = offsetof(struct trace_more, net_min_ns) },
	{ .key = "real", .title = "%Real", .help = "net time in percent of all time of the CPUs",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 2, .rank = KEPT, .value = get_real_pct },
	{ .key = "net", .title = "%Net", .help = "net time in percent of the time that is not idle",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 2, .rank = KEPT, .value = get_net_pct },
	PART("blocked_ns", "Blocked", "time from entry to exit in which the thread slept", blocked_ns),
	PART("preempted_ns", "Preempt", "time in which it was ready and another one ran", preempted_ns),
	PART("interrupted_ns", "Interr", "time in traced interrupts", interrupted_ns),
	{ .key = "function", .title = "Function", .help = "function, system call, interrupt or group",
	  .cols = 16,
	  .rank = KEPT, .text = get_name, .fills = true },
	{ .key = "object", .title = "Object", .help = "kernel, its module, or the kind of call", .cols = 6,
	  .text = get_object },
	{ .key = "ended", .title = "Ended", .help = "calls that have a duration", COUNT, SUM(ended) },
	SOME("open", "Open", "calls that had not ended, or whose thread ended", MORE(open)),
	SOME("unwound", "Unwound", "calls left by unwinding the stack", MORE(unwound)),
	SOME("cut", "Cut", "calls without a duration, since events are missing", MORE(cut)),
	SOME("tails", "Tail", "calls by a jump at the end of the caller", MORE(tails)),
	SOME("recursive", "Recurs", "calls inside another call of the function", SUM(recursive)),
	SOME("missed", "Missed", "calls whose return could not be recorded", SUM(missed)),
	SOME("errors", "Errors", "system calls that failed", SUM(errors)),
	{ .key = "wall_ns", .title = "Wall", .help = "time from entry to exit, as measured", TIME,
	  .value = get_wall,
	  .tag = offsetof(struct time_sums, wall_ns) },
	{ .key = "elapsed_raw_ns", .title = "Raw",
	  .help = "elapsed time as measured, with the cost of tracing", TIME,
	  .value = get_elapsed_raw },
	{ .key = "net_raw_ns", .title = "Net raw",
	  .help = "net time as measured, with the cost of tracing", TIME,
	  SUM(net_ns) },
};

const struct column_list trace_column_list = {
	.name = "trace",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "elapsed_ns,net_ns,calls,max_ns,avg_ns,min_ns,net_avg_ns,real,net,blocked_ns,"
			"preempted_ns,function",
	},
};
