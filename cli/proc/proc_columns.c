// SPDX-License-Identifier: GPL-2.0-only
/* The columns of slots and objects in one task's report: see proc_view_parts.h. */
#include "base/share.h"
#include "proc/proc_view_parts.h"

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

static struct share slot_share(const struct column_cell *cell)
{
	const struct view *view = cell_view(cell);

	return share_of_hits(cell_hits(cell), view->hist.taken, view->hist.excess,
			     view->options->output.ci, view->scale);
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
	  .cols = 6, .digits = 1, .adds_up = true, SHARE_COLUMN(slot_share) },
	SHARE_ERROR_COLUMN("", "the share", slot_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", slot_share, .cols = 6),
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

static struct share object_share(const struct column_cell *cell)
{
	return share_of_hits(cell_object(cell)->hits,
			     proc_report_task_hits(cell_view(cell)->report),
			     cell_view(cell)->hist.excess,
			     cell_view(cell)->options->output.ci, 100);
}

static const struct column object_columns[] = {
	{ .key = "name", .title = "Object", .help = "program, library, module or other memory",
	  .cols = 14, .text = object_name },
	{ .key = "hits", .title = "Samples", .help = "samples of the task in the object",
	  .unit = COLUMN_COUNT, .cols = 7, .value = object_hits },
	{ .key = "share", .title = "Share",
	  .help = "share of the task's samples; `<X` is an upper bound (below 5 samples)",
	  .cols = 6, .digits = 1, SHARE_COLUMN(object_share) },
	SHARE_ERROR_COLUMN("", "the share", object_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", object_share, .cols = 6),
};

const struct column_list proc_object_list = {
	.name = "objects",
	.column = object_columns,
	.nr = sizeof(object_columns) / sizeof(object_columns[0]),
	.shown = { [FORMAT_TEXT] = "name,hits,share,error" },
};
