// SPDX-License-Identifier: GPL-2.0-only
/* The columns of finds: see finds.h. */
#include <math.h>

#include "top/finds.h"

#define FEW_HITS 5	/* with fewer hits, a share is shown as its upper bound */

static const struct find *of(const struct column_cell *cell)
{
	return cell->row;
}

static const char *name_text(const struct column_cell *cell, char *text, size_t len)
{
	return of(cell)->name;
}

static const char *address_text(const struct column_cell *cell, char *text, size_t len)
{
	text[0] = '\0';
	if (of(cell)->high > of(cell)->low)
		snprintf(text, len, "0x%06llx", (unsigned long long)(cell->column->tag ?
			 of(cell)->high : of(cell)->low));
	return text;
}

static double hits(const struct column_cell *cell)
{
	return of(cell)->hits;
}

static double share(const struct column_cell *cell)
{
	return of(cell)->share * 100;
}

static double low_bound(const struct column_cell *cell)
{
	return of(cell)->interval.lo * 100;
}

static double high_bound(const struct column_cell *cell)
{
	return of(cell)->interval.hi * 100;
}

static double error_of(const struct column_cell *cell)
{
	const struct find *find = of(cell);

	return fmax(find->interval.hi - find->share, find->share - find->interval.lo) * 100;
}

static const char *share_text(const struct column_cell *cell, char *text, size_t len)
{
	if (of(cell)->hits < FEW_HITS)
		snprintf(text, len, "<%.1f", ceil(of(cell)->interval.hi * 1000) / 10);
	else
		snprintf(text, len, "%.1f", share(cell));
	return text;
}

static const char *error_text(const struct column_cell *cell, char *text, size_t len)
{
	text[0] = '\0';
	if (of(cell)->hits >= FEW_HITS)
		snprintf(text, len, "%.2f", error_of(cell));
	return text;
}

static bool has_addresses(const struct column *column, const void *view)
{
	const struct finds *finds = view;

	return finds->has_addresses;
}

static const struct column columns[] = {
	{ .key = "name", .title = "Name", .help = "object, function, range or instruction",
	  .text = name_text },
	{ .key = "address", .title = "Address", .help = "start address", .unit = COLUMN_ADDRESS,
	  .cols = 8, .text = address_text, .is_wanted = has_addresses },
	{ .key = "end", .title = "End", .help = "end address (exclusive)",
	  .unit = COLUMN_ADDRESS, .cols = 8, .text = address_text, .is_wanted = has_addresses,
	  .tag = 1 },
	{ .key = "hits", .title = "Samples", .help = "samples",
	  .unit = COLUMN_COUNT, .cols = 7, .value = hits, .adds_up = true },
	{ .key = "share", .title = "Share", .help = "share of all samples of the task",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 1, .value = share, .text = share_text,
	  .adds_up = true },
	{ .key = "error", .title = "+-",
	  .help = "margin of error of the share, at 95%", .unit = COLUMN_PERCENT,
	  .cols = 5, .digits = 2, .value = error_of, .text = error_text },
	{ .key = "lo", .title = "Low", .help = "lower end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .value = low_bound },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .value = high_bound },
};

const struct column_list finds_column_list = {
	.name = "live", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
	.shown = { "name,address,hits,share,error" },
};
