// SPDX-License-Identifier: GPL-2.0-only
/* The columns of slots and objects in one task's report: see proc_view_parts.h. */
#include <math.h>

#include "proc/proc_view_parts.h"

#define FEW_HITS 5	/* with fewer hits, a share is shown as its upper bound */

static const struct view *cell_view(const struct column_cell *cell)
{
	return cell->view;
}

static u32 cell_slot(const struct column_cell *cell)
{
	return *(const u32 *)cell->row;
}

static const char *slot_address_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "0x%llx", slots_low(cell_view(cell)->hist.layout, cell_slot(cell)));
	return text;
}

static const char *slot_end_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "0x%llx", slots_high(cell_view(cell)->hist.layout, cell_slot(cell)));
	return text;
}

static const char *slot_name_text(const struct column_cell *cell, char *text, size_t len)
{
	hist_name(&cell_view(cell)->hist, cell_slot(cell), text, len < 256 ? len : 256);
	return text;
}

static const char *slot_time_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell_view(cell)->time ? cell_view(cell)->time : "";
}

static u64 cell_hits(const struct column_cell *cell)
{
	return cell_view(cell)->hist.hits[cell_slot(cell)];
}

static double slot_hits(const struct column_cell *cell)
{
	return cell_hits(cell);
}

static double slot_share(const struct column_cell *cell)
{
	return (double)cell_hits(cell) / cell_view(cell)->hist.taken * cell_view(cell)->scale;
}

/* @tag: -1: lower end of the interval, 1: upper end */
static double slot_bound_at(const struct column_cell *cell, int tag)
{
	const struct view *view = cell_view(cell);
	struct stat_interval interval = stat_wilson(cell_hits(cell), view->hist.taken);

	if (view->options->output.ci == CI_PAPER)
		return slot_share(cell) +
			tag * stat_paper_halfwidth(cell_hits(cell), view->hist.taken) * view->scale;
	return (tag < 0 ? interval.lo : interval.hi) * view->scale;
}

static double slot_bound(const struct column_cell *cell)
{
	return slot_bound_at(cell, cell->column->tag);
}

static double slot_error(const struct column_cell *cell)
{
	return fmax(slot_bound_at(cell, 1) - slot_share(cell),
		    slot_share(cell) - slot_bound_at(cell, -1));
}

static bool has_upper_bound_only(const struct column_cell *cell, u64 nr_hits)
{
	return nr_hits < FEW_HITS && cell_view(cell)->options->output.ci != CI_PAPER;
}

static const char *upper_bound_text(double percent, char *text, size_t len)
{
	snprintf(text, len, "<%.1f", ceil(percent * 10) / 10);
	return text;
}

static const char *slot_share_text(const struct column_cell *cell, char *text, size_t len)
{
	return has_upper_bound_only(cell, cell_hits(cell)) ?
		upper_bound_text(slot_bound_at(cell, 1), text, len) : NULL;
}

static const char *slot_error_text(const struct column_cell *cell, char *text, size_t len)
{
	return has_upper_bound_only(cell, cell_hits(cell)) ? "" : NULL;
}

static const struct column slot_columns[] = {
	{ .key = "address", .title = "Address", .help = "first address of the slot",
	  .unit = COLUMN_ADDRESS, .cols = 8, .text = slot_address_text },
	{ .key = "end", .title = "End", .help = "end address (exclusive)", .unit = COLUMN_ADDRESS,
	  .cols = 8, .text = slot_end_text },
	{ .key = "hits", .title = "Hits", .help = "samples", .unit = COLUMN_COUNT, .cols = 6,
	  .adds_up = true, .value = slot_hits },
	{ .key = "share", .title = "Share",
	  .help = "share of all samples; `<X` is an upper bound (below 5 samples)",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 1, .adds_up = true, .value = slot_share,
	  .text = slot_share_text },
	{ .key = "error", .title = "+-", .help = "margin of error of the share, at 95%",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 2, .value = slot_error,
	  .text = slot_error_text },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", .unit = COLUMN_PERCENT, .cols = 6, .digits = 2,
	  .tag = -1, .value = slot_bound },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .tag = 1, .value = slot_bound },
	{ .key = "name", .title = "Name",
	  .help = "function that starts or continues there, or object+offset", .cols = 12,
	  .text = slot_name_text },
	{ .key = "time", .title = "Time", .help = "start time of the report, with -repeat",
	  .text = slot_time_text },
};

const struct column_list proc_column_list = {
	.name = "a run of proc",
	.column = slot_columns,
	.nr = sizeof(slot_columns) / sizeof(slot_columns[0]),
	.shown = {
		[FORMAT_TEXT] = "address,hits,share,error,name",
		[FORMAT_TSV] = "-time",
		[FORMAT_JSON] = "-time",
	},
};

static const struct proc_object *cell_object(const struct column_cell *cell)
{
	return cell->row;
}

static const char *object_name(const struct column_cell *cell, char *text, size_t len)
{
	return cell_object(cell)->name;
}

static double object_hits(const struct column_cell *cell)
{
	return cell_object(cell)->hits;
}

static u64 task_hits(const struct column_cell *cell)
{
	return proc_report_task_hits(cell_view(cell)->report);
}

static double object_share(const struct column_cell *cell)
{
	return 100.0 * cell_object(cell)->hits / task_hits(cell);
}

static double object_bound(const struct column_cell *cell)
{
	struct stat_interval interval = stat_wilson(cell_object(cell)->hits, task_hits(cell));

	return (cell->column->tag < 0 ? interval.lo : interval.hi) * 100;
}

static double object_error(const struct column_cell *cell)
{
	return proc_report_error_percent(cell_object(cell)->hits, task_hits(cell),
				       cell_view(cell)->options->output.ci);
}

static const char *object_share_text(const struct column_cell *cell, char *text, size_t len)
{
	if (!has_upper_bound_only(cell, cell_object(cell)->hits))
		return NULL;
	return upper_bound_text(stat_wilson(cell_object(cell)->hits, task_hits(cell)).hi * 100,
				text, len);
}

static const char *object_error_text(const struct column_cell *cell, char *text, size_t len)
{
	return has_upper_bound_only(cell, cell_object(cell)->hits) ? "" : NULL;
}

static const struct column object_columns[] = {
	{ .key = "name", .title = "Object", .help = "program, library, module or other memory",
	  .cols = 14, .text = object_name },
	{ .key = "hits", .title = "Samples", .help = "samples of the task in the object",
	  .unit = COLUMN_COUNT, .cols = 7, .value = object_hits },
	{ .key = "share", .title = "Share",
	  .help = "share of the task's samples; `<X` is an upper bound (below 5 samples)",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 1, .value = object_share,
	  .text = object_share_text },
	{ .key = "error", .title = "+-", .help = "margin of error of the share, at 95%",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 2, .value = object_error,
	  .text = object_error_text },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", .unit = COLUMN_PERCENT, .cols = 6, .digits = 2,
	  .tag = -1, .value = object_bound },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .tag = 1, .value = object_bound },
};

const struct column_list proc_object_list = {
	.name = "objects",
	.column = object_columns,
	.nr = sizeof(object_columns) / sizeof(object_columns[0]),
	.shown = { [FORMAT_TEXT] = "name,hits,share,error" },
};
