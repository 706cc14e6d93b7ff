// SPDX-License-Identifier: GPL-2.0-only
/* The columns of finds: see finds.h. */
#include <math.h>

#include "top/finds.h"

#define FEW_HITS 5	/* with fewer hits, a share is shown as its upper bound */

static const struct find *find_of(const struct column_cell *cell)
{
	return cell->row;
}

static const char *find_name_text(const struct column_cell *cell, char *text, size_t len)
{
	return find_of(cell)->name;
}

static const char *find_address_text(const struct column_cell *cell, char *text, size_t len)
{
	text[0] = '\0';
	if (find_of(cell)->high > find_of(cell)->low)
		snprintf(text, len, "0x%06llx",
			 cell->column->tag ? find_of(cell)->high : find_of(cell)->low);
	return text;
}

static double find_hits(const struct column_cell *cell)
{
	return find_of(cell)->hits;
}

static double find_share(const struct column_cell *cell)
{
	return find_of(cell)->share * 100;
}

static double find_low_bound(const struct column_cell *cell)
{
	return find_of(cell)->interval.lo * 100;
}

static double find_high_bound(const struct column_cell *cell)
{
	return find_of(cell)->interval.hi * 100;
}

static double find_error(const struct column_cell *cell)
{
	const struct find *find = find_of(cell);

	return fmax(find->interval.hi - find->share, find->share - find->interval.lo) * 100;
}

static const char *find_share_text(const struct column_cell *cell, char *text, size_t len)
{
	if (find_of(cell)->hits < FEW_HITS)
		snprintf(text, len, "<%.1f", ceil(find_of(cell)->interval.hi * 1000) / 10);
	else
		snprintf(text, len, "%.1f", find_share(cell));
	return text;
}

static const char *find_error_text(const struct column_cell *cell, char *text, size_t len)
{
	text[0] = '\0';
	if (find_of(cell)->hits >= FEW_HITS)
		snprintf(text, len, "%.2f", find_error(cell));
	return text;
}

static bool finds_have_addresses(const struct column *column, const void *view)
{
	const struct finds *finds = view;

	return finds->has_addresses;
}

static const struct column columns[] = {
	{ .key = "name", .title = "Name", .help = "object, function, range or instruction",
	  .text = find_name_text },
	{ .key = "address", .title = "Address", .help = "start address", .unit = COLUMN_ADDRESS,
	  .cols = 8, .text = find_address_text, .is_wanted = finds_have_addresses },
	{ .key = "end", .title = "End", .help = "end address (exclusive)",
	  .unit = COLUMN_ADDRESS, .cols = 8, .text = find_address_text,
	  .is_wanted = finds_have_addresses, .tag = 1 },
	{ .key = "hits", .title = "Samples", .help = "samples",
	  .unit = COLUMN_COUNT, .cols = 7, .value = find_hits, .adds_up = true },
	{ .key = "share", .title = "Share", .help = "share of all samples of the task",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 1, .value = find_share,
	  .text = find_share_text, .adds_up = true },
	{ .key = "error", .title = "+-",
	  .help = "margin of error of the share, at 95%", .unit = COLUMN_PERCENT,
	  .cols = 5, .digits = 2, .value = find_error, .text = find_error_text },
	{ .key = "lo", .title = "Low", .help = "lower end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .value = find_low_bound },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .value = find_high_bound },
};

const struct column_list finds_column_list = {
	.name = "live", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
	.shown = { "name,address,hits,share,error" },
};
