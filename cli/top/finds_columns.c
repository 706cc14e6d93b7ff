// SPDX-License-Identifier: GPL-2.0-only
/* The columns of finds: see finds.h. */
#include "base/share.h"
#include "top/finds.h"

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

static struct share find_share(const struct column_cell *cell)
{
	struct share share = share_of(find_of(cell)->share, find_of(cell)->interval, 100);

	share.is_bound = find_of(cell)->hits < SHARE_FEW_HITS;
	return share;
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
	  .cols = 5, .digits = 1, SHARE_COLUMN(find_share), .adds_up = true },
	SHARE_ERROR_COLUMN("", "the share", find_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", find_share, .cols = 6),
};

const struct column_list finds_column_list = {
	.name = "live", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
	.shown = { "name,address,hits,share,error" },
};
