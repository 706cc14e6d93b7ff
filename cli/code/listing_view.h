/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions with their hits, as text, tab-separated values and JSON. */
#ifndef LISTING_VIEW_H
#define LISTING_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "code/listing.h"

struct column_list;

/** Context of the listing's columns; a row is a struct listing_row. */
struct listing_view {
	const struct listing *listing;
	const struct output_options *output;
	const char *object;	/* name for addresses without a symbol */
	double bar_scale;	/* hits per column of a bar */
	double excess;		/* of the samples, as in stat.h */
};

#define LISTING_BAR_COLS 12

extern const struct column_list listing_column_list;

/** listing_view_init() - set up @view; it keeps the pointers, which stay the caller's. */
void listing_view_init(struct listing_view *view, const struct listing *listing,
		       const struct output_options *output, const char *object, double excess);

/**
 * listing_heading() - heading of a row's function: "0xADDRESS-NAME", in @text.
 * @before: the previous row; NULL: none
 * Returns @text; "" if both rows are of the same function.
 */
const char *listing_heading(const struct listing_view *view, const struct listing_row *before,
			    const struct listing_row *row, char *text, size_t len);

/**
 * listing_findings() - write the hottest instruction and loop and the limits of the decoding, as
 * wrapped lines, without the meaning of the marks.
 * @has_verdict: a search has already named the hottest instruction
 */
void listing_findings(FILE *out, const struct listing_view *view, bool has_verdict);

/** listing_slip_note() - mark of a slip and its meaning for the hits; NULL for SLIP_NONE. */
const char *listing_slip_note(enum insn_slip slip);

/** listing_notes() - write a blank line, the findings and the meaning of the marks. */
void listing_notes(FILE *out, const struct listing_view *view, bool has_verdict);

/** listing_text(), listing_tsv() - write the listing. -EINVAL: unknown column, reported. */
int listing_text(FILE *out, const struct listing_view *view, bool has_verdict);
int listing_tsv(FILE *out, const struct listing_view *view);

/** listing_json() - write the members "listing" and "instructions", with a comma after each. */
int listing_json(FILE *out, const struct listing_view *view);

#endif
