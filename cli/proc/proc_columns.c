// SPDX-License-Identifier: GPL-2.0-only
/* The columns of slots and objects in one task's report: see proc_view_parts.h. */
#include <math.h>

#include "proc/proc_view_parts.h"

#define FEW_HITS 5	/* with fewer hits, a share is shown as its upper bound */

static const struct view *view_of(const struct column_cell *cell)
{
	return cell->view;
}

static uint32_t slot_of(const struct column_cell *cell)
{
	return *(const uint32_t *)cell->row;
}

static const char *address(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "0x%llx",
		 (unsigned long long)slots_low(view_of(cell)->hist.layout, slot_of(cell)));
	return text;
}

static const char *end(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "0x%llx",
		 (unsigned long long)slots_high(view_of(cell)->hist.layout, slot_of(cell)));
	return text;
}

static const char *name(const struct column_cell *cell, char *text, size_t len)
{
	hist_name(&view_of(cell)->hist, slot_of(cell), text, len < 256 ? len : 256);
	return text;
}

static const char *time_text(const struct column_cell *cell, char *text, size_t len)
{
	return view_of(cell)->time ? view_of(cell)->time : "";
}

static uint64_t hits_of(const struct column_cell *cell)
{
	return view_of(cell)->hist.hits[slot_of(cell)];
}

static double hits(const struct column_cell *cell)
{
	return hits_of(cell);
}

static double share(const struct column_cell *cell)
{
	return (double)hits_of(cell) / view_of(cell)->hist.taken * view_of(cell)->scale;
}

/* @tag: -1: lower end of the interval, 1: upper end */
static double bound_at(const struct column_cell *cell, int tag)
{
	const struct view *view = view_of(cell);
	struct stat_interval interval = stat_wilson(hits_of(cell), view->hist.taken);

	if (view->options->output.ci == CI_PAPER)
		return share(cell) +
			tag * stat_paper_halfwidth(hits_of(cell), view->hist.taken) * view->scale;
	return (tag < 0 ? interval.lo : interval.hi) * view->scale;
}

static double bound(const struct column_cell *cell)
{
	return bound_at(cell, cell->column->tag);
}

static double error(const struct column_cell *cell)
{
	return fmax(bound_at(cell, 1) - share(cell), share(cell) - bound_at(cell, -1));
}

static bool is_bounded(const struct column_cell *cell, uint64_t nr_hits)
{
	return nr_hits < FEW_HITS && view_of(cell)->options->output.ci != CI_PAPER;
}

static const char *upper_bound(double percent, char *text, size_t len)
{
	snprintf(text, len, "<%.1f", ceil(percent * 10) / 10);
	return text;
}

static const char *share_text(const struct column_cell *cell, char *text, size_t len)
{
	return is_bounded(cell, hits_of(cell)) ? upper_bound(bound_at(cell, 1), text, len) : NULL;
}

static const char *error_text(const struct column_cell *cell, char *text, size_t len)
{
	return is_bounded(cell, hits_of(cell)) ? "" : NULL;
}

static const struct column slot_columns[] = {
	{ .key = "address", .title = "Address", .help = "first address of the slot",
	  .unit = COLUMN_ADDRESS, .cols = 8, .text = address },
	{ .key = "end", .title = "End", .help = "end address (exclusive)", .unit = COLUMN_ADDRESS,
	  .cols = 8, .text = end },
	{ .key = "hits", .title = "Hits", .help = "samples", .unit = COLUMN_COUNT, .cols = 6,
	  .adds_up = true, .value = hits },
	{ .key = "share", .title = "Share",
	  .help = "share of all samples; `<X` is an upper bound (below 5 samples)",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 1, .adds_up = true, .value = share,
	  .text = share_text },
	{ .key = "error", .title = "+-", .help = "margin of error of the share, at 95%",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 2, .value = error, .text = error_text },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", .unit = COLUMN_PERCENT, .cols = 6, .digits = 2,
	  .tag = -1, .value = bound },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .tag = 1, .value = bound },
	{ .key = "name", .title = "Name",
	  .help = "function that starts or continues there, or object+offset", .cols = 12,
	  .text = name },
	{ .key = "time", .title = "Time", .help = "start time of the report, with -repeat",
	  .text = time_text },
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

static const struct proc_object *object_of(const struct column_cell *cell)
{
	return cell->row;
}

static const char *object_name(const struct column_cell *cell, char *text, size_t len)
{
	return object_of(cell)->name;
}

static double object_hits(const struct column_cell *cell)
{
	return object_of(cell)->hits;
}

static uint64_t all_hits(const struct column_cell *cell)
{
	return proc_report_task_hits(view_of(cell)->report);
}

static double object_share(const struct column_cell *cell)
{
	return 100.0 * object_of(cell)->hits / all_hits(cell);
}

static double object_bound(const struct column_cell *cell)
{
	struct stat_interval interval = stat_wilson(object_of(cell)->hits, all_hits(cell));

	return (cell->column->tag < 0 ? interval.lo : interval.hi) * 100;
}

static double object_error(const struct column_cell *cell)
{
	return proc_report_error_percent(object_of(cell)->hits, all_hits(cell),
				       view_of(cell)->options->output.ci);
}

static const char *object_share_text(const struct column_cell *cell, char *text, size_t len)
{
	if (!is_bounded(cell, object_of(cell)->hits))
		return NULL;
	return upper_bound(stat_wilson(object_of(cell)->hits, all_hits(cell)).hi * 100, text, len);
}

static const char *object_error_text(const struct column_cell *cell, char *text, size_t len)
{
	return is_bounded(cell, object_of(cell)->hits) ? "" : NULL;
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
