// SPDX-License-Identifier: GPL-2.0-only
/* A listing as text, tab-separated values and JSON: see listing_view.h. */
#include <math.h>
#include <string.h>

#include "base/columns.h"
#include "code/hist.h"
#include "code/listing_view.h"

#define SUMS_MAX 3

/** Sums of hits without an instruction row, as rows. */
struct sum_rows {
	struct listing_row row[SUMS_MAX];
	char text[SUMS_MAX][80];
	size_t nr;
};

void listing_view_init(struct listing_view *view, const struct listing *listing,
		       const struct output_options *output, const char *object, double excess)
{
	size_t i;

	*view = (struct listing_view){
		.listing = listing, .output = output, .object = object, .excess = excess
	};
	for (i = 0; i < listing->nr_rows; i++)
		view->bar_scale = fmax(view->bar_scale, hist_scale(&listing->rows[i].hits, 1,
								  listing->hits, excess, LISTING_BAR_COLS));
}

static void add_sum(struct sum_rows *sums, u64 hits, const char *format, u64 nr)
{
	char *text = sums->text[sums->nr];

	if (!hits && !nr)
		return;
	snprintf(text, sizeof(sums->text[0]), format, nr, nr == 1 ? "" : "s");
	sums->row[sums->nr++] = (struct listing_row){ .hits = hits, .text = text };
}

static void make_sums(struct sum_rows *sums, const struct listing *listing)
{
	sums->nr = 0;
	add_sum(sums, listing->others, "(%llu other instruction%s)", listing->nr_others);
	add_sum(sums, listing->astray, "(where no instruction begins)", 0);
	add_sum(sums, listing->unread, "(where no code was read)", 0);
}

/* Choose the columns, and measure all rows and sums, so that columns are aligned. */
static int choose_listing_columns(struct columns *columns, const struct listing_view *view,
				  struct sum_rows *sums)
{
	const struct listing *listing = view->listing;
	struct text_error error;
	int result = columns_choose(columns, &listing_column_list, view->output->format,
				    view->output->columns, view, &error);
	size_t i;

	if (result) {
		columns_deinit(columns);
		text_report(&error);
		return result;
	}
	make_sums(sums, listing);
	for (i = 0; i < listing->nr_rows; i++)
		columns_measure(columns, &listing->rows[i]);
	for (i = 0; i < sums->nr; i++)
		columns_measure(columns, &sums->row[i]);
	/* The total covers the whole range, however its hits are divided among rows. */
	for (i = 0; i < columns->nr; i++)
		columns->column[i].sum = columns->column[i].column->unit == COLUMN_COUNT ?
			listing->hits : 100;
	if (view->output->format == FORMAT_TEXT)
		columns_fit(columns, output_cols(view->output));
	return 0;
}

static bool is_text_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void put_cut_line(FILE *out, char *line, int cols)
{
	text_plain(line);
	text_cut(line, cols);
	text_put(out, line);
	fputc('\n', out);
}

const char *listing_heading(const struct listing_view *view, const struct listing_row *before,
			    const struct listing_row *row, char *text, size_t len)
{
	text[0] = '\0';
	if (!before || !is_text_same(before->name, row->name) || before->entry != row->entry)
		snprintf(text, len, "0x%06llx-%s", row->name ? row->entry : row->addr,
			 row->name ?: view->object);
	return text;
}

/* Print the function and the source line of a row, if they differ from the previous row's. */
static void print_headings(FILE *out, const struct listing_view *view,
			   const struct listing_row *before, const struct listing_row *row)
{
	int cols = output_cols(view->output);
	char line[640];

	if (row->skipped)
		fputs(". . .\n", out);
	if (listing_heading(view, before, row, line, sizeof(line))[0]) {
		fputc('\n', out);
		put_cut_line(out, line, cols);
		before = NULL;
	}
	if (!row->file || (before && is_text_same(before->file, row->file) &&
			   before->line == row->line))
		return;
	snprintf(line, sizeof(line), "  %s:%u%s%s", text_base_name(row->file), row->line,
		 row->source ? ": " : "", row->source ?: "");
	put_cut_line(out, line, cols);
}

/* Choose and measure columns, the same way for every format; @print writes the rows. */
static int show_listing(FILE *out, const struct listing_view *view,
			void (*print)(FILE *out, const struct listing_view *view,
			const struct columns *columns, const struct sum_rows *sums))
{
	struct columns columns;
	struct sum_rows sums;
	int error = choose_listing_columns(&columns, view, &sums);

	if (error)
		return error;
	print(out, view, &columns, &sums);
	columns_deinit(&columns);
	return 0;
}

static void print_listing_text(FILE *out, const struct listing_view *view,
			       const struct columns *columns, const struct sum_rows *sums)
{
	const struct listing *listing = view->listing;
	size_t i;

	columns_print_titles(out, columns);
	for (i = 0; i < listing->nr_rows; i++) {
		print_headings(out, view, i ? &listing->rows[i - 1] : NULL, &listing->rows[i]);
		columns_print_row(out, columns, &listing->rows[i]);
	}
	if (sums->nr)
		fputc('\n', out);
	for (i = 0; i < sums->nr; i++)
		columns_print_row(out, columns, &sums->row[i]);
	columns_print_rule(out, columns, '-');
	columns_print_sums(out, columns, "Total");
}

int listing_text(FILE *out, const struct listing_view *view, bool has_verdict)
{
	int error = show_listing(out, view, print_listing_text);

	if (!error)
		listing_notes(out, view, has_verdict);
	return error;
}

static void print_listing_tsv(FILE *out, const struct listing_view *view,
			      const struct columns *columns, const struct sum_rows *sums)
{
	const struct listing *listing = view->listing;
	size_t i;

	columns_print_keys(out, columns);
	for (i = 0; i < listing->nr_rows; i++)
		columns_print_tsv(out, columns, &listing->rows[i]);
	for (i = 0; i < sums->nr; i++)
		columns_print_tsv(out, columns, &sums->row[i]);
}

int listing_tsv(FILE *out, const struct listing_view *view)
{
	return show_listing(out, view, print_listing_tsv);
}

static void print_listing_json(FILE *out, const struct listing_view *view,
			       const struct columns *columns, const struct sum_rows *sums)
{
	const struct listing *listing = view->listing;
	size_t i;

	fprintf(out, "  \"listing\": {\"hits\": %llu, \"others\": %llu, \"other_instructions\": "
		"%llu, \"astray\": %llu, \"unread\": %llu,\n    \"undecoded_bytes\": %llu, "
		"\"emulated\": %s",
		listing->hits, listing->others, listing->nr_others, listing->astray,
		listing->unread, listing->bad_bytes, listing->is_emulated ? "true" : "false");
	if (listing->loop_insns)
		fprintf(out, ",\n    \"loop\": {\"address\": \"0x%llx\", \"end\": \"0x%llx\", "
			"\"instructions\": %u, \"hits\": %llu}",
			listing->loop_low, listing->loop_high, listing->loop_insns,
			listing->loop_hits);
	fputs("},\n  \"instructions\": [", out);
	for (i = 0; i < listing->nr_rows; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		columns_print_json(out, columns, &listing->rows[i]);
	}
	fputs("\n  ],\n", out);
}

int listing_json(FILE *out, const struct listing_view *view)
{
	return show_listing(out, view, print_listing_json);
}
