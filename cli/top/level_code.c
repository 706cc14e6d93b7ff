// SPDX-License-Identifier: GPL-2.0-only
/* The last level: instructions with their samples. See level.h. */
#include <errno.h>
#include <string.h>

#include "top/level.h"

#define ROWS_MAX 1024	/* exceeds the 512 slots of this level: every instruction gets a row */

void level_open_code(struct level *level)
{
	struct text_error error = { "", "" };

	level->has_code = !instructions_open(&level->instructions, level->target, level->is_kernel,
					     true, &error);
	if (!level->has_code)
		snprintf(level->why_no_code, sizeof(level->why_no_code), "%s", error.what);
}

/* An object may have debug information for some of its code only. */
static bool has_source_lines(const struct listing *listing)
{
	size_t i;

	for (i = 0; i < listing->nr_rows; i++)
		if (listing->rows[i].file)
			return true;
	return false;
}

static void set_listing_columns(struct level *level)
{
	static const char with_source[] = "offset,hits,share,error,mark,instruction,source";
	static const char without[] = "offset,hits,share,error,mark,instruction";

	level->roster.list = &listing_column_list;
	level->roster.view = &level->listing_view;
	if (!level->outlook.choice[0])
		snprintf(level->outlook.choice, sizeof(level->outlook.choice), "%s",
			 has_source_lines(level->listing) ? with_source : without);
}

static void fill_listing_rows(const struct listing *listing, double excess, struct roster_row *row)
{
	size_t i;

	for (i = 0; i < listing->nr_rows; i++) {
		const struct listing_row *each = &listing->rows[i];

		row[i] = (struct roster_row){
			.key = { each->addr, 0 }, .name = each->text, .data = each,
			.share = listing->hits ? (double)each->hits / listing->hits : 0,
			.interval = stat_wilson(each->hits, listing->hits, excess),
		};
	}
}

int level_make_instructions(struct level *level, const struct bucket *bucket)
{
	const struct listing_request request = {
		.layout = &level->layout, .hits = bucket->tally.slots,
		.symbols = level->target->symbols, .code = &level->instructions.code,
		.lines = level->instructions.lines, .max_rows = ROWS_MAX,
	};
	struct text_error error = { "", "" };
	struct roster_row *row;
	struct listing *listing;
	int result = listing_create(&request, &listing, &error);

	if (result) {
		snprintf(level->why_no_code, sizeof(level->why_no_code), "%s", error.what);
		return result;
	}
	row = roster_make_room(&level->roster, listing->nr_rows);
	if (!row) {
		listing_destroy(listing);
		return -ENOMEM;
	}
	fill_listing_rows(listing, bucket->account.excess, row);
	listing_destroy(level->listing);
	level->listing = listing;
	listing_view_init(&level->listing_view, listing, &level->options->output,
			  level->target->object, level->account.run.excess);
	set_listing_columns(level);
	level->why_no_code[0] = '\0';
	return 0;
}
