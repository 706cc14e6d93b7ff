/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions beside their hits on the page of `probe proc`: what its report of JSON has not, but
 * the listing as text has. See page_data.h.
 */
#ifndef LISTING_PAGE_H
#define LISTING_PAGE_H

#include <stdio.h>

#include "base/output.h"
#include "code/listing.h"

/**
 * listing_page_put() - write ',"listing_columns":{...},"listing":{...}'. In the latter, by the
 * rows of the report: "offsets" and "marks" of all; "headings" [row, text] of functions that begin;
 * "skipped" [row, instructions left out before it]. And "quotes" [what the report calls a source
 * line, its text]; "findings", a sentence on a line; "slips", a mark and its meaning each.
 * @object: names what has no symbol
 * -ENOMEM.
 */
int listing_page_put(FILE *out, const struct listing *listing,
		     const struct output_options *output, const char *object);

#endif
