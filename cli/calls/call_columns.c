// SPDX-License-Identifier: GPL-2.0-only
/* Columns of `probe calls`: see call_view.h. */
#include <math.h>
#include <string.h>

#include "calls/call_view.h"

static const struct call_row *get_call_row(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_function(const struct column_cell *cell, char *text, size_t len)
{
	const struct call_rows *rows = cell->view;

	return call_counts_name(rows->counts, get_call_row(cell)->function);
}

static const char *get_object(const struct column_cell *cell, char *text, size_t len)
{
	const struct call_rows *rows = cell->view;
	const char *module = call_counts_module(rows->counts, get_call_row(cell)->function);

	return module[0] ? module : "kernel";
}

static const char *get_caller(const struct column_cell *cell, char *text, size_t len)
{
	const struct call_rows *rows = cell->view;
	u32 caller = get_call_row(cell)->caller;

	return caller == CALLS_NONE ? "" : call_counts_name(rows->counts, caller);
}

static bool has_callers(const struct column *column, const void *view)
{
	const struct call_rows *rows = view;

	return rows->nr && rows->row[0].caller != CALLS_NONE;
}

static bool has_modules(const struct column *column, const void *view)
{
	const struct call_rows *rows = view;
	u32 i;

	for (i = 0; i < rows->nr; i++)
		if (call_counts_module(rows->counts, rows->row[i].function)[0])
			return true;
	return false;
}

static double get_calls(const struct column_cell *cell)
{
	return get_call_row(cell)->nr;
}

static double get_calls_s(const struct column_cell *cell)
{
	const struct call_rows *rows = cell->view;
	u64 counted_ns = rows->counts->totals.counted_ns;

	return counted_ns ? get_call_row(cell)->nr * 1e9 / counted_ns : NAN;
}

/* The tag of a column about a context is the context. */
static double get_context_calls(const struct column_cell *cell)
{
	return get_call_row(cell)->calls[cell->column->tag];
}

static struct share get_self_time(const struct column_cell *cell)
{
	return call_row_time(cell->view, get_call_row(cell), get_call_row(cell)->self_hits);
}

static struct share get_total_time(const struct column_cell *cell)
{
	return call_row_time(cell->view, get_call_row(cell), get_call_row(cell)->total_hits);
}

static struct share get_self_share(const struct column_cell *cell)
{
	return call_row_share(cell->view, get_call_row(cell)->self_hits);
}

static struct share get_total_share(const struct column_cell *cell)
{
	return call_row_share(cell->view, get_call_row(cell)->total_hits);
}

static double get_samples(const struct column_cell *cell)
{
	return get_call_row(cell)->total_hits;
}

const char *call_time_text(const struct column_cell *cell, char *text, size_t len)
{
	struct share share = cell->column->share(cell);
	char time[16];

	if (!share.is_bound || cell->column->end > COLUMN_ERROR)
		return text_ns(share_column_value(cell), text);
	if (cell->column->end == COLUMN_ERROR)
		return "";
	snprintf(text, len, "<%s", text_ns(share.hi, time));
	return text;
}

/* A line too long omits calls per second first: they follow from the calls. */
#define KEPT	1

#define TIME(of_row) \
	.unit = COLUMN_NS, .rank = KEPT, .share = of_row, .value = share_column_value, \
	.text = call_time_text, \
	.unknown = "-"

#define TIME_COLUMNS(name, heading, of, of_row) \
	{ .key = name "_ns", .title = heading, .help = "time of a call" of, .cols = 8, \
	  TIME(of_row) }, \
	{ .key = name "_ns_error", .title = "+-", .help = "margin of error of that time, at 95%", \
	  .cols = 7, .end = COLUMN_ERROR, TIME(of_row) }, \
	{ .key = name "_ns_lo", .title = "Low", .pair_title = "95% interval", \
	  .help = "lower end of its 95% interval", .cols = 8, .end = COLUMN_LO, TIME(of_row) }, \
	{ .key = name "_ns_hi", .title = "High", .help = "upper end of its 95% interval", \
	  .cols = 8, .end = COLUMN_HI, TIME(of_row) }

static const struct column columns[] = {
	{ .key = "function", .title = "Function", .help = "name of the function", .cols = 16,
	  .rank = KEPT, .text = get_function, .fills = true },
	{ .key = "object", .title = "Object", .help = "kernel, or its module", .cols = 6,
	  .rank = KEPT, .text = get_object, .is_wanted = has_modules },
	{ .key = "caller", .title = "Called from", .help = "function that made these calls",
	  .cols = 14, .rank = KEPT, .text = get_caller, .is_wanted = has_callers },
	{ .key = "calls", .title = "Calls", .help = "calls, counted exactly", .unit = COLUMN_COUNT,
	  .cols = 8, .rank = KEPT, .value = get_calls },
	{ .key = "calls_s", .title = "Calls/s", .help = "calls per second", .unit = COLUMN_COUNT,
	  .cols = 7, .value = get_calls_s },
	TIME_COLUMNS("self", "Self", ", in the function itself", get_self_time),
	TIME_COLUMNS("total", "Total", ", with all that it called", get_total_time),
	{ .key = "samples", .title = "Samples", .help = "samples in the function or below it",
	  .unit = COLUMN_COUNT, .cols = 7, .value = get_samples },
	{ .key = "share", .title = "Share",
	  .help = "share of the machine's time, with all that it called", .cols = 5, .digits = 1,
	  SHARE_COLUMN(get_total_share) },
	SHARE_ERROR_COLUMN("", "the share", get_total_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", get_total_share, .cols = 6),
	{ .key = "self_share", .title = "Self%",
	  .help = "share of the machine's time, in the function itself", .cols = 5, .digits = 1,
	  SHARE_COLUMN(get_self_share) },
	{ .key = "process", .title = "Process", .help = "calls by tasks", .unit = COLUMN_COUNT,
	  .cols = 8, .value = get_context_calls, .tag = CPUPROBE_CONTEXT_PROCESS },
	{ .key = "softirq", .title = "Softirq", .help = "calls in softirqs", .unit = COLUMN_COUNT,
	  .cols = 8, .value = get_context_calls, .tag = CPUPROBE_CONTEXT_SOFTIRQ },
	{ .key = "irq", .title = "Irq", .help = "calls in interrupts and NMIs", .unit = COLUMN_COUNT,
	  .cols = 8, .value = get_context_calls, .tag = CPUPROBE_CONTEXT_IRQ },
};

const struct column_list call_column_list = {
	.name = "calls",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "function,object,caller,calls,calls_s,self_ns,self_ns_error,"
			"total_ns,total_ns_error,share",
		[FORMAT_TSV] = "-self_ns_error,-total_ns_error,-error",
		[FORMAT_JSON] = "-self_ns_error,-total_ns_error,-error",
	},
};
