// SPDX-License-Identifier: GPL-2.0-only
/* A listing as data of a page: see listing_page.h. */
#include <string.h>

#include "base/columns.h"
#include "base/text.h"
#include "code/listing_page.h"
#include "code/listing_view.h"
#include "page/page_data.h"

/* Write a column of all rows as text for people; the JSON report lacks these columns. */
static int put_column(FILE *out, const char *name, const char *key,
		      const struct listing_view *view)
{
	char text[COLUMN_TEXT_LEN];
	struct columns columns;
	size_t i;
	int error = columns_choose(&columns, &listing_column_list, FORMAT_TEXT, key, view, NULL);

	fprintf(out, "\"%s\":[", name);
	for (i = 0; !error && i < view->listing->nr_rows; i++) {
		fputs(i ? "," : "", out);
		text_json(out, columns_text(&columns, 0, &view->listing->rows[i], text,
					    sizeof(text)));
	}
	fputs("],\n", out);
	columns_deinit(&columns);
	return error;
}

static void put_listing_headings(FILE *out, const struct listing_view *view)
{
	const struct listing *listing = view->listing;
	const struct listing_row *before = NULL;
	char text[640];
	size_t i, nr = 0;

	fputs("\"headings\":[", out);
	for (i = 0; i < listing->nr_rows; before = &listing->rows[i++]) {
		if (!listing_heading(view, before, &listing->rows[i], text, sizeof(text))[0])
			continue;
		fprintf(out, "%s[%zu,", nr++ ? "," : "", i);
		text_json(out, text);
		fputc(']', out);
	}
	fputs("],\n\"skipped\":[", out);
	for (i = 0, nr = 0; i < listing->nr_rows; i++)
		if (listing->rows[i].skipped)
			fprintf(out, "%s[%zu,%llu]", nr++ ? "," : "", i, listing->rows[i].skipped);
	fputs("],\n", out);
}

/* Neighbours are mostly from one source line, so each run of them has the line's text once. */
static void put_quotes(FILE *out, const struct listing *listing)
{
	const struct listing_row *before = NULL;
	char text[640];
	size_t i, nr = 0;

	fputs("\"quotes\":[", out);
	for (i = 0; i < listing->nr_rows; i++) {
		const struct listing_row *row = &listing->rows[i];

		if (!row->file || !row->source ||
		    (before && before->line == row->line && !strcmp(before->file, row->file)))
			continue;
		before = row;
		fputs(nr++ ? ",\n[" : "[", out);
		snprintf(text, sizeof(text), "%s:%u", row->file, row->line);
		text_json(out, text);
		fputc(',', out);
		text_json(out, row->source);
		fputc(']', out);
	}
	fputs("],\n", out);
}

static void print_findings(FILE *out, const void *context)
{
	struct listing_view wide = *(const struct listing_view *)context;
	struct output_options output = *wide.output;

	output.cols = INT16_MAX;
	wide.output = &output;
	listing_findings(out, &wide, false);
}

int listing_page_put(FILE *out, const struct listing *listing,
		     const struct output_options *output, const char *object, double excess)
{
	struct listing_view view;
	enum insn_slip slip;
	int error;

	listing_view_init(&view, listing, output, object, excess);
	page_columns(out, "listing_columns", &listing_column_list);
	fputs(",\n\"listing\":{", out);
	error = put_column(out, "offsets", "offset", &view);
	error = put_column(out, "marks", "mark", &view) ?: error;
	put_listing_headings(out, &view);
	put_quotes(out, listing);
	fputs("\"findings\":", out);
	error = page_printed(out, print_findings, &view, false) ?: error;
	for (slip = SLIP_LOAD; slip <= SLIP_ADMIT; slip++) {
		fputs(slip == SLIP_LOAD ? ",\n\"slips\":[" : ",\n", out);
		text_json(out, listing_slip_note(slip));
	}
	fputs("]}", out);
	return error;
}
