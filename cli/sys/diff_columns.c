// SPDX-License-Identifier: GPL-2.0-only
/* Columns of a comparison: see diff_view.h. */
#include "base/share.h"
#include "sys/diff_view.h"

static const struct diff_row *get_diff_row(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_diff_name(const struct column_cell *cell, char *text, size_t len)
{
	return get_diff_row(cell)->name;
}

/* The tag of a column about one run is the index of the run. */
static double get_diff_presence(const struct column_cell *cell)
{
	return get_diff_row(cell)->is_in[cell->column->tag];
}

static double get_diff_share(const struct column_cell *cell)
{
	return get_diff_row(cell)->side[cell->column->tag].share * 100;
}

static const char *get_diff_share_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_diff_row(cell)->is_in[cell->column->tag] ? NULL : "-";
}

static double get_diff_hits(const struct column_cell *cell)
{
	return get_diff_row(cell)->side[cell->column->tag].hits;
}

static struct share get_diff_found(const struct column_cell *cell)
{
	return share_of(get_diff_row(cell)->found.difference, get_diff_row(cell)->found.interval,
			100);
}

static const char *get_diff_signed_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%+.2f", cell->column->value(cell));
	return text;
}

static double get_diff_p(const struct column_cell *cell)
{
	return get_diff_row(cell)->found.p;
}

static const char *get_diff_p_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_diff_row(cell)->found.p < 0.001 ? "<0.001" : NULL;
}

static double get_diff_significant(const struct column_cell *cell)
{
	return diff_is_significant(get_diff_row(cell));
}

static const char *get_diff_mark(const struct column_cell *cell, char *text, size_t len)
{
	return diff_is_significant(get_diff_row(cell)) ? "*" : "";
}

static const struct column columns[] = {
	{ .key = "name", .title = "Name", .help = "process or function", .cols = 14,
	  .text = get_diff_name },
	{ .key = "in_a", .title = "In A", .help = "whether run A has it", .unit = COLUMN_YES_NO,
	  .tag = 0, .value = get_diff_presence },
	{ .key = "in_b", .title = "In B", .help = "whether run B has it", .unit = COLUMN_YES_NO,
	  .tag = 1, .value = get_diff_presence },
	{ .key = "a", .title = "A", .help = "share in run A", .unit = COLUMN_PERCENT, .cols = 6,
	  .digits = 2, .tag = 0, .value = get_diff_share, .text = get_diff_share_text },
	{ .key = "b", .title = "B", .help = "share in run B", .unit = COLUMN_PERCENT, .cols = 6,
	  .digits = 2, .tag = 1, .value = get_diff_share, .text = get_diff_share_text },
	{ .key = "difference", .title = "B - A", .help = "difference of the shares, B minus A",
	  .cols = 7, SHARE_NUMBER(get_diff_found), .text = get_diff_signed_text },
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the difference's", get_diff_found, .cols = 7,
			       .text = get_diff_signed_text),
	{ .key = "p", .title = "p",
	  .help = "p-value of the difference, corrected for the number of rows",
	  .unit = COLUMN_PROBABILITY, .cols = 6, .digits = 3, .value = get_diff_p,
	  .text = get_diff_p_text },
	{ .key = "significant", .title = "", .help = "whether p is below 0.05 (a star in text)",
	  .unit = COLUMN_YES_NO, .cols = 1, .value = get_diff_significant, .text = get_diff_mark },
	{ .key = "a_hits", .title = "A hits", .help = "samples in run A", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 0, .value = get_diff_hits },
	{ .key = "b_hits", .title = "B hits", .help = "samples in run B", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 1, .value = get_diff_hits },
};

const struct column_list diff_column_list = {
	.name = "diff",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "name,a,b,difference,lo,hi,p,significant",
		[FORMAT_TSV] = "-in_a,-in_b,-significant",
		[FORMAT_JSON] = "-a_hits,-b_hits",
	},
};
