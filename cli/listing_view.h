/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions beside their hits, as text, tab-separated values and JSON. */
#ifndef LISTING_VIEW_H
#define LISTING_VIEW_H

#include <stdio.h>

#include "listing.h"
#include "output.h"

struct column_list;

/** What the columns of a listing need; their rows are struct listing_row. */
struct listing_view {
	const struct listing *listing;
	const struct output_options *output;
	const char *object;	/* names what has no symbol */
	double bar_scale;	/* hits per column of a bar */
};

#define LISTING_BAR_COLS 12

extern const struct column_list listing_column_list;

/** listing_view_init() - for a view that draws by itself: see columns.h. */
void listing_view_init(struct listing_view *view, const struct listing *listing,
		       const struct output_options *output, const char *object);

/** listing_mark() - targets of jumps, the loop and what slips, in three columns, or "". */
const char *listing_mark(const struct listing_row *row, char *text, size_t len);

/**
 * listing_notes() - what the reader must know of these numbers, as wrapped lines.
 * @has_verdict: a search has named the hottest instruction already
 */
void listing_notes(FILE *out, const struct listing_view *view, bool has_verdict);

/** listing_text(), listing_tsv() - all of it. -EINVAL: no such columns, reported. */
int listing_text(FILE *out, const struct listing_view *view, bool has_verdict);
int listing_tsv(FILE *out, const struct listing_view *view);

/** listing_json() - members of an object: "listing" and "instructions", with a comma behind. */
int listing_json(FILE *out, const struct listing_view *view);

#endif
