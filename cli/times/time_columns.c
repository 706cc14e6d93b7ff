// SPDX-License-Identifier: GPL-2.0-only
/* Columns of timed calls: see time_view.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "times/time_view.h"

#define INDENT	2	/* columns for each caller of a path */

static const struct time_row *row_of(const struct column_cell *cell)
{
	return cell->row;
}

static const struct time_sums *sums_of(const struct column_cell *cell)
{
	return &row_of(cell)->node->sums;
}

static const struct time_counts *counts_of(const struct column_cell *cell)
{
	const struct time_rows *rows = cell->view;

	return rows->counts;
}

/* In a report of paths the depth is shown by blanks. */
static const char *get_tree_name(const struct column_cell *cell, char *text, size_t len)
{
	const struct time_row *row = row_of(cell);

	snprintf(text, len, "%*s%s", (int)row->depth * INDENT, "",
		 time_counts_name(counts_of(cell), row->node));
	return text;
}

static const char *get_name(const struct column_cell *cell, char *text, size_t len)
{
	return time_counts_name(counts_of(cell), row_of(cell)->node);
}

static const char *get_path(const struct column_cell *cell, char *text, size_t len)
{
	return time_row_path(cell->view, row_of(cell), text, len);
}

static const char *get_object(const struct column_cell *cell, char *text, size_t len)
{
	const struct time_node *node = row_of(cell)->node;
	const char *module = node->function == CALLS_NONE ? "" :
		call_counts_module(counts_of(cell)->calls, node->function);

	return module[0] ? module : "kernel";
}

static const char *get_process(const struct column_cell *cell, char *text, size_t len)
{
	const struct time_node *process = time_row_process(cell->view, row_of(cell));

	return process ? time_counts_name(counts_of(cell), process) : "";
}

static double get_pid(const struct column_cell *cell)
{
	const struct time_node *process = time_row_process(cell->view, row_of(cell));

	return process && process->type == CPUPROBE_NODE_PROCESS ? process->pid : NAN;
}

static double get_depth(const struct column_cell *cell)
{
	return row_of(cell)->depth;
}

/* A column's tag is the offset of its sum. */
static double get_sum(const struct column_cell *cell)
{
	return *(const u64 *)((const char *)sums_of(cell) + cell->column->tag);
}

static double get_calls_s(const struct column_cell *cell)
{
	u64 counted_ns = counts_of(cell)->calls->totals.counted_ns;

	return counted_ns ? sums_of(cell)->calls * 1e9 / counted_ns : NAN;
}

static double get_open(const struct column_cell *cell)
{
	return sums_of(cell)->calls - sums_of(cell)->ended;
}

static double per_call(double ns, u64 calls)
{
	return calls ? ns / calls : NAN;
}

static double get_wall(const struct column_cell *cell)
{
	return time_wall_ns(counts_of(cell), row_of(cell)->node);
}

static double get_on(const struct column_cell *cell)
{
	return time_on_ns(counts_of(cell), row_of(cell)->node);
}

static double get_net(const struct column_cell *cell)
{
	return time_net_ns(counts_of(cell), row_of(cell)->node);
}

static double get_on_raw(const struct column_cell *cell)
{
	const struct time_sums *sums = sums_of(cell);

	return sums->wall_ns - sums->blocked_ns - sums->preempted_ns - sums->interrupted_ns;
}

static double get_avg(const struct column_cell *cell)
{
	return per_call(get_wall(cell), time_outermost(row_of(cell)->node));
}

static double get_avg_on(const struct column_cell *cell)
{
	return per_call(get_on(cell), time_outermost(row_of(cell)->node));
}

static double get_avg_net(const struct column_cell *cell)
{
	return per_call(get_net(cell), sums_of(cell)->ended);
}

static double get_avg_blocked(const struct column_cell *cell)
{
	return per_call(sums_of(cell)->blocked_ns, time_outermost(row_of(cell)->node));
}

static double get_end(const struct column_cell *cell)
{
	return time_outermost(row_of(cell)->node) ? get_sum(cell) : NAN;
}

/* Share of a CPU's time. */
static double get_cpu_pct(const struct column_cell *cell)
{
	u64 counted_ns = counts_of(cell)->calls->totals.counted_ns;

	return counted_ns ? 100 * get_on(cell) / counted_ns : NAN;
}

static const char *get_time(const struct column_cell *cell, char *text, size_t len)
{
	double ns = cell->column->value(cell);

	return isnan(ns) ? "-" : text_ns(ns, text);
}

#define KEPT		1
#define SUM(member)	.value = get_sum, .tag = offsetof(struct time_sums, member)
#define TIME(getter)	.unit = COLUMN_NS, .cols = 8, .rank = KEPT, .value = getter, .text = get_time, \
	.unknown = "-"
#define COUNT(key_, title_, help_, member) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_COUNT, .cols = 8, SUM(member) }
#define SUM_NS(key_, title_, help_, member) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_NS, .cols = 8, SUM(member), \
	  .text = get_time }
#define VALUE_NS(key_, title_, help_, getter) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_NS, .cols = 8, \
	  .value = getter, .text = get_time }

static const struct column columns[] = {
	{ .key = "pid", .title = "Pid", .help = "process that made the calls", .unit = COLUMN_COUNT,
	  .cols = 6, .rank = KEPT, .value = get_pid },
	{ .key = "process", .title = "Process", .help = "name of that process", .cols = 10,
	  .rank = KEPT, .text = get_process },
	{ .key = "tree", .title = "Called", .help = "the function, indented below its caller",
	  .cols = 16, .rank = KEPT, .text = get_tree_name, .fills = true },
	{ .key = "function", .title = "Function", .help = "the function, or the system call",
	  .cols = 16, .rank = KEPT, .text = get_name, .fills = true },
	{ .key = "path", .title = "Path", .help = "the functions from the outermost on", .cols = 16,
	  .rank = KEPT, .text = get_path, .fills = true },
	{ .key = "depth", .title = "Depth", .help = "timed callers above it", .unit = COLUMN_COUNT,
	  .cols = 5, .value = get_depth },
	{ .key = "object", .title = "Object", .help = "kernel, or its module", .cols = 6,
	  .text = get_object },
	{ .key = "calls", .title = "Calls", .help = "calls that began", .unit = COLUMN_COUNT, .cols = 8,
	  .rank = KEPT, SUM(calls) },
	{ .key = "calls_s", .title = "Calls/s", .help = "calls per second", .unit = COLUMN_COUNT,
	  .cols = 7, .value = get_calls_s },
	{ .key = "errors", .title = "Errors", .help = "system calls that failed",
	  .unit = COLUMN_COUNT, .cols = 6, .rank = KEPT, SUM(errors) },
	{ .key = "avg_ns", .title = "Average", .help = "time from begin to end of a call",
	  TIME(get_avg) },
	{ .key = "min_ns", .title = "Least", .help = "the least such time", TIME(get_end),
	  .tag = offsetof(struct time_sums, min_ns) },
	{ .key = "max_ns", .title = "Most", .help = "the largest such time", TIME(get_end),
	  .tag = offsetof(struct time_sums, max_ns) },
	{ .key = "avg_on_ns", .title = "On CPU", .help = "time of a call in which it ran",
	  TIME(get_avg_on) },
	{ .key = "avg_net_ns", .title = "Net", .help = "the part of that without timed callees",
	  TIME(get_avg_net) },
	VALUE_NS("avg_blocked_ns", "Blocked", "time of a call in which it slept", get_avg_blocked),
	{ .key = "cpu", .title = "CPU%", .help = "time in which its calls ran, in percent of a CPU",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .value = get_cpu_pct },
	COUNT("ended", "Ended", "calls that ended", ended),
	{ .key = "open", .title = "Open", .help = "calls that had not ended", .unit = COLUMN_COUNT,
	  .cols = 6, .value = get_open },
	COUNT("recursive", "Recursive", "calls inside another call of the function", recursive),
	COUNT("missed", "Missed", "calls that could not be timed", missed),
	COUNT("children", "Children", "timed calls that these calls made", children),
	COUNT("descendants", "Below", "timed calls that these and their callees made", descendants),
	VALUE_NS("wall_ns", "Wall", "time from begin to end of all calls", get_wall),
	VALUE_NS("on_ns", "On CPU", "the part of it in which they ran", get_on),
	VALUE_NS("net_ns", "Net", "the part of that without timed callees", get_net),
	SUM_NS("blocked_ns", "Blocked", "time in which they slept", blocked_ns),
	SUM_NS("preempted_ns", "Preempted", "time in which another task ran", preempted_ns),
	SUM_NS("interrupted_ns", "Interrupted", "time in timed functions of interrupts",
	       interrupted_ns),
	SUM_NS("wall_raw_ns", "Wall raw", "as measured, with the cost of timing", wall_ns),
	VALUE_NS("on_raw_ns", "On raw", "as measured, with the cost of timing", get_on_raw),
	SUM_NS("net_raw_ns", "Net raw", "as measured, with the cost of timing", net_ns),
};

const struct column_list time_column_list = {
	.name = "each",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "function,calls,avg_ns,min_ns,max_ns,avg_on_ns,avg_net_ns",
		[FORMAT_TSV] = "-tree",
		[FORMAT_JSON] = "-tree",
	},
};
