// SPDX-License-Identifier: GPL-2.0-only
/* Columns of a trace's code path, for programs: see trace_flow.h. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "trace/trace_flow.h"

static const struct trace_flow_item *item_of(const struct column_cell *cell)
{
	return cell->row;
}

static double get_time(const struct column_cell *cell)
{
	return item_of(cell)->ns;
}

static double get_cpu(const struct column_cell *cell)
{
	return item_of(cell)->cpu;
}

static double get_tid(const struct column_cell *cell)
{
	return item_of(cell)->tid == TRACE_NONE ? NAN : item_of(cell)->tid;
}

static const char *get_task(const struct column_cell *cell, char *text, size_t len)
{
	return trace_flow_task(cell->view, item_of(cell)->tid, text, len);
}

static double get_depth(const struct column_cell *cell)
{
	return item_of(cell)->depth;
}

static const char *get_kind(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const kinds[] = { "call", "return", "switch", "wake-up", "fork", "mark" };

	return kinds[item_of(cell)->kind];
}

static const char *get_function(const struct column_cell *cell, char *text, size_t len)
{
	return trace_flow_name(cell->view, item_of(cell));
}

/* A column's tag is the offset of a time that only calls have. */
static double get_call_time(const struct column_cell *cell)
{
	const u64 *ns = (const u64 *)((const char *)cell->row + cell->column->tag);

	return item_of(cell)->kind == FLOW_CALL ? *ns : NAN;
}

static const char *get_how(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const hows[] = { "ended", "unwound", "open" };
	static const char *const lefts[] = { "preempted", "blocked", "dead", "" };
	const struct trace_flow_item *item = item_of(cell);

	return item->kind == FLOW_CALL ? hows[item->how] : item->kind == FLOW_SWITCH ?
		lefts[item->how / CPUPROBE_LEFT_BLOCKED & 3] : "";
}

static const char *get_text(const struct column_cell *cell, char *text, size_t len)
{
	return trace_flow_line(cell->view, item_of(cell), text, len);
}

#define CALL_NS(key_, title_, help_, member) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_NS, .cols = 8, .value = get_call_time, \
	  .tag = offsetof(struct trace_flow_item, member) }

static const struct column columns[] = {
	{ .key = "time_ns", .title = "Time", .help = "time since the beginning of the trace",
	  .unit = COLUMN_NS, .cols = 12, .value = get_time },
	{ .key = "cpu", .title = "CPU", .help = "CPU", .unit = COLUMN_COUNT, .cols = 3, .value = get_cpu },
	{ .key = "tid", .title = "Tid", .help = "current thread; 0: idle", .unit = COLUMN_COUNT, .cols = 6,
	  .value = get_tid },
	{ .key = "task", .title = "Thread", .help = "its name and number", .cols = 10, .text = get_task },
	{ .key = "depth", .title = "Depth", .help = "open calls around it", .unit = COLUMN_COUNT, .cols = 5,
	  .value = get_depth },
	{ .key = "kind", .title = "Kind", .help = "call, return, switch, wake-up, fork or mark", .cols = 6,
	  .text = get_kind },
	{ .key = "function", .title = "Function", .help = "function, system call or interrupt", .cols = 12,
	  .text = get_function },
	CALL_NS("net_ns", "Net", "time on a CPU without traced callees", net_ns),
	CALL_NS("total_ns", "Total", "time on a CPU", total_ns),
	CALL_NS("wall_ns", "Wall", "time from entry to exit, as measured", wall_ns),
	{ .key = "how", .title = "How",
	  .help = "ended, unwound or open; how the thread before a switch left", .cols = 6,
	  .text = get_how },
	{ .key = "text", .title = "Text", .help = "the line as in text", .cols = 12, .text = get_text },
};

const struct column_list trace_flow_columns = {
	.name = "flow",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
};
