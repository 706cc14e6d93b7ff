// SPDX-License-Identifier: GPL-2.0-only
/* The columns of a comparison: see diff_view.h. */
#include "sys/diff_view.h"

static const struct diff_row *row_of(const struct column_cell *cell)
{
	return cell->row;
}

static const char *name(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->name;
}

/* The tag of a column about one of the runs is which. */
static double is_in(const struct column_cell *cell)
{
	return row_of(cell)->is_in[cell->column->tag];
}

static double share(const struct column_cell *cell)
{
	return row_of(cell)->side[cell->column->tag].share * 100;
}

static const char *share_text(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->is_in[cell->column->tag] ? NULL : "-";
}

static double hits(const struct column_cell *cell)
{
	return row_of(cell)->side[cell->column->tag].hits;
}

static double difference(const struct column_cell *cell)
{
	return row_of(cell)->found.difference * 100;
}

static double lo(const struct column_cell *cell)
{
	return row_of(cell)->found.interval.lo * 100;
}

static double hi(const struct column_cell *cell)
{
	return row_of(cell)->found.interval.hi * 100;
}

static const char *signed_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%+.2f", cell->column->value(cell));
	return text;
}

static double p(const struct column_cell *cell)
{
	return row_of(cell)->found.p;
}

static const char *p_text(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->found.p < 0.001 ? "<0.001" : NULL;
}

static double significant(const struct column_cell *cell)
{
	return diff_is_significant(row_of(cell));
}

static const char *mark(const struct column_cell *cell, char *text, size_t len)
{
	return diff_is_significant(row_of(cell)) ? "*" : "";
}

static const struct column columns[] = {
	{ .key = "name", .title = "Name", .help = "process or function", .cols = 14, .text = name },
	{ .key = "in_a", .title = "In A", .help = "whether run A has it", .unit = COLUMN_YES_NO,
	  .tag = 0, .value = is_in },
	{ .key = "in_b", .title = "In B", .help = "whether run B has it", .unit = COLUMN_YES_NO,
	  .tag = 1, .value = is_in },
	{ .key = "a", .title = "A", .help = "share in run A", .unit = COLUMN_PERCENT, .cols = 6,
	  .digits = 2, .tag = 0, .value = share, .text = share_text },
	{ .key = "b", .title = "B", .help = "share in run B", .unit = COLUMN_PERCENT, .cols = 6,
	  .digits = 2, .tag = 1, .value = share, .text = share_text },
	{ .key = "difference", .title = "B - A", .help = "difference of the shares, B minus A",
	  .unit = COLUMN_PERCENT, .cols = 7, .value = difference, .text = signed_text },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the difference's 95% interval", .unit = COLUMN_PERCENT, .cols = 7,
	  .value = lo, .text = signed_text },
	{ .key = "hi", .title = "High", .help = "upper end of the difference's 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 7, .value = hi, .text = signed_text },
	{ .key = "p", .title = "p",
	  .help = "probability of such a difference by chance, corrected for the number of rows",
	  .unit = COLUMN_PROBABILITY, .cols = 6, .digits = 3, .value = p, .text = p_text },
	{ .key = "significant", .title = "", .help = "whether p is below 0.05 (a star in text)",
	  .unit = COLUMN_YES_NO, .cols = 1, .value = significant, .text = mark },
	{ .key = "a_hits", .title = "A hits", .help = "samples in run A", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 0, .value = hits },
	{ .key = "b_hits", .title = "B hits", .help = "samples in run B", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 1, .value = hits },
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
