/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions with their hits on the HTML page of `probe proc`: the parts of the text listing
 * that the JSON report lacks. See page_data.h.
 */
#ifndef LISTING_PAGE_H
#define LISTING_PAGE_H

#include <stdio.h>

#include "base/output.h"
#include "code/listing.h"

/**
 * listing_page_put() - write ',"listing_columns":{...},"listing":{...}'.
 * @object: name for addresses without a symbol
 * @excess: of the samples, as in stat.h
 *
 * "listing" refers to the rows of the report: "offsets" and "marks" have one entry for each row;
 * "headings" are [row, text] where a function begins; "skipped" are [row, instructions omitted
 * before the row]. "quotes" are [source line as the report names it, text of that line]; "findings"
 * are sentences, one on a line; "slips" are marks with their meanings.
 * -ENOMEM.
 */
int listing_page_put(FILE *out, const struct listing *listing,
		     const struct output_options *output, const char *object, double excess);

#endif
