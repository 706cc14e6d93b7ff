/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions beside their hits, as text, tab-separated values and JSON. */
#ifndef LISTING_VIEW_H
#define LISTING_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "code/listing.h"

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

/** listing_heading() - the function of a row, into @text; "": it is that of @before, or NULL. */
const char *listing_heading(const struct listing_view *view, const struct listing_row *before,
			    const struct listing_row *row, char *text, size_t len);

/**
 * listing_findings() - what is hottest, and how far these numbers can be believed, as wrapped
 * lines. What the marks mean is not among them.
 * @has_verdict: a search has named the hottest instruction already
 */
void listing_findings(FILE *out, const struct listing_view *view, bool has_verdict);

/** listing_slip_note() - a mark of what slips, and what it says of the hits. Not of SLIP_NONE. */
const char *listing_slip_note(enum insn_slip slip);

/** listing_notes() - all that the reader must know: a blank line, the findings, the marks. */
void listing_notes(FILE *out, const struct listing_view *view, bool has_verdict);

/** listing_text(), listing_tsv() - all of it. -EINVAL: no such columns, reported. */
int listing_text(FILE *out, const struct listing_view *view, bool has_verdict);
int listing_tsv(FILE *out, const struct listing_view *view);

/** listing_json() - members of an object: "listing" and "instructions", with a comma behind. */
int listing_json(FILE *out, const struct listing_view *view);

#endif
