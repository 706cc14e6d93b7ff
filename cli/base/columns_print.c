// SPDX-License-Identifier: GPL-2.0-only
/* Columns as aligned text, TSV and JSON: see columns.h. */
#include <string.h>

#include "base/columns_parts.h"

/** A line of text; blanks are printed only when text follows. */
struct line {
	FILE *out;
	int blanks;
};

static void print_cell(struct line *line, int cols, bool is_left, const char *text)
{
	int more = cols - text_width(text);

	if (more < 0)
		more = 0;
	if (!text[0]) {
		line->blanks += cols;
		return;
	}
	fprintf(line->out, "%*s", line->blanks + (is_left ? 0 : more), "");
	text_put(line->out, text);
	line->blanks = is_left ? more : 0;
}

static void print_column(struct line *line, const struct columns *columns, size_t c,
			 const char *text)
{
	const struct shown_column *shown = &columns->column[c];

	line->blanks += column_gap_cols(columns, c);
	print_cell(line, shown->cols, !shown->column->value || shown->column->is_left, text);
}

static bool begins_title_pair(const struct columns *columns, size_t c)
{
	const struct column *column = columns->column[c].column;

	return column->pair_title && c + 1 < columns->nr &&
		columns->column[c + 1].column == column + 1;
}

static void print_left_out(FILE *out, const struct columns *columns)
{
	char line[sizeof(columns->left_out) + 64];

	if (!columns->left_out[0])
		return;
	snprintf(line, sizeof(line), "(No room for %s: -width gives more, -o chooses.)",
		 columns->left_out);
	text_wrap(out, line, columns->line_cols);
	fputc('\n', out);
}

void columns_print_titles(FILE *out, const struct columns *columns)
{
	struct line line = { out, 0 };
	size_t c;

	print_left_out(out, columns);
	for (c = 0; c < columns->nr; c++) {
		const struct shown_column *shown = &columns->column[c];

		if (!begins_title_pair(columns, c)) {
			print_column(&line, columns, c, shown->title);
			continue;
		}
		line.blanks += column_gap_cols(columns, c);
		print_cell(&line,
			   shown->cols + column_gap_cols(columns, c + 1) + shown[1].cols, false,
			   shown->column->pair_title);
		c++;
	}
	fputc('\n', out);
	columns_print_rule(out, columns, '=');
}

void columns_print_rule(FILE *out, const struct columns *columns, char line)
{
	int blanks = 0, i;
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		blanks += column_gap_cols(columns, c);
		if (!columns->column[c].title[0]) {
			blanks += columns->column[c].cols;
			continue;
		}
		fprintf(out, "%*s", blanks, "");
		blanks = 0;
		for (i = 0; i < columns->column[c].cols; i++)
			fputc(line, out);
	}
	fputc('\n', out);
}

void columns_print_row(FILE *out, const struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN], room[COLUMN_TEXT_LEN];
	struct line line = { out, 0 };
	const char *tail;
	size_t c;
	int cols;

	for (c = 0; c < columns->nr; c++) {
		const struct shown_column *shown = &columns->column[c];

		column_plain_text(columns, c, row, text);
		tail = column_tail(columns, c, row, room);
		cols = shown->cols - text_width(tail);
		if (!shown->column->value && shown->column->unit == COLUMN_TEXT)
			text_cut(text, cols);
		if (!tail[0]) {
			print_column(&line, columns, c, text);
			continue;
		}
		line.blanks += column_gap_cols(columns, c);
		print_cell(&line, text_width(text), true, text);
		print_cell(&line, shown->cols - text_width(text), true, tail);
	}
	fputc('\n', out);
}

void columns_print_note(FILE *out, const struct columns *columns, const char *key, const char *note)
{
	const struct shown_column *at = columns_find(columns, key);
	int blanks = 0;
	size_t c;

	for (c = 0; at && c <= (size_t)(at - columns->column); c++)
		blanks += column_gap_cols(columns, c) + (c ? columns->column[c - 1].cols : 0);
	if (columns->line_cols && blanks > columns->line_cols - text_width(note))
		blanks = columns->line_cols - text_width(note);
	if (blanks < 0)
		blanks = 0;
	fprintf(out, "%*s%s\n", blanks, "", note);
}

void columns_print_sums(FILE *out, const struct columns *columns, const char *label)
{
	char text[COLUMN_TEXT_LEN];
	struct line line = { out, 0 };
	size_t c;

	for (c = 0; c < columns->nr; c++)
		print_column(&line, columns, c, !c && !columns->column[c].column->value ? label :
			     column_sum_text(&columns->column[c], text, sizeof(text)));
	fputc('\n', out);
}

void columns_print_keys(FILE *out, const struct columns *columns)
{
	size_t c;

	for (c = 0; c < columns->nr; c++)
		fprintf(out, "%s%s", c ? "\t" : "", columns->column[c].key);
	fputc('\n', out);
}

void columns_print_tsv(FILE *out, const struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN], clean[COLUMN_TEXT_LEN];
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		/* A tab in a name would add a column, a newline a row. */
		snprintf(clean, sizeof(clean), "%s",
			 columns_data(columns, c, row, text, sizeof(text)));
		text_clean(clean);
		fprintf(out, "%s%s", c ? "\t" : "", clean);
	}
	fputc('\n', out);
}

void columns_print_members(FILE *out, const struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN];
	const char *data;
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		fprintf(out, "%s\"%s\": ", c ? ", " : "", columns->column[c].key);
		data = columns_data(columns, c, row, text, sizeof(text));
		if (columns->column[c].column->value)
			fputs(data, out);
		else
			text_json(out, data);
	}
}

void columns_print_json(FILE *out, const struct columns *columns, const void *row)
{
	fputc('{', out);
	columns_print_members(out, columns, row);
	fputc('}', out);
}

static const void *get_row(struct row_array rows, size_t i)
{
	return (const char *)rows.row + i * rows.size;
}

void columns_print_rows(FILE *out, struct columns *columns, struct row_array rows, int line_cols)
{
	size_t i;

	for (i = 0; i < rows.nr; i++)
		columns_measure(columns, get_row(rows, i));
	columns_fit(columns, line_cols);
	columns_print_titles(out, columns);
	for (i = 0; i < rows.nr; i++)
		columns_print_row(out, columns, get_row(rows, i));
}

void columns_print_tsv_rows(FILE *out, const struct columns *columns, struct row_array rows)
{
	size_t i;

	for (i = 0; i < rows.nr; i++)
		columns_print_tsv(out, columns, get_row(rows, i));
}

void columns_print_json_rows(FILE *out, const struct columns *columns, struct row_array rows)
{
	size_t i;

	for (i = 0; i < rows.nr; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		columns_print_json(out, columns, get_row(rows, i));
	}
}

void columns_print_help(FILE *out, const struct column_list *list, int cols)
{
	int key_cols = 0;
	size_t i;

	for (i = 0; i < list->nr; i++)
		if ((int)strlen(list->column[i].key) > key_cols)
			key_cols = strlen(list->column[i].key);
	for (i = 0; i < list->nr; i++) {
		const char *unit = column_unit_name(list->column[i].unit);
		char line[512];

		snprintf(line, sizeof(line), "%s%s%s", list->column[i].help, *unit ? ", in " : "",
			 unit);
		fprintf(out, "  %-*s  ", key_cols, list->column[i].key);
		text_wrap_at(out, line, key_cols + 4, cols);
	}
}
