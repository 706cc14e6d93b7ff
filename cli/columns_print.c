// SPDX-License-Identifier: GPL-2.0-only
/* Columns as aligned text, TSV and JSON: see columns.h. */
#include <math.h>
#include <string.h>

#include "columns.h"

#define GAP_COLS	2	/* between columns of text */
#define TEXT_COLS_MIN	10	/* no text is cut to less */

static bool is_text(const struct column *column)
{
	return !column->value && column->unit == COLUMN_TEXT;
}

static void widen(struct shown_column *shown, const char *text)
{
	int cols = text_width(text);

	if (cols > shown->cols)
		shown->cols = cols;
}

void columns_measure(struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN];
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		widen(&columns->column[c], columns_text(columns, c, row, text, sizeof(text)));
		if (columns->column[c].column->adds_up)
			columns->column[c].sum += columns_value(columns, c, row);
	}
}

static const char *sum_text(const struct shown_column *shown, char *text, size_t len)
{
	if (!shown->column->adds_up || !isfinite(shown->sum))
		return "";
	snprintf(text, len, "%.*f", shown->column->digits, shown->sum);
	return text;
}

/* To how few columns a text may be cut. */
static int least_cols(const struct shown_column *shown)
{
	int title_cols = text_width(shown->title), least = shown->column->cols;

	if (least < title_cols)
		least = title_cols;
	if (least < TEXT_COLS_MIN)
		least = TEXT_COLS_MIN;
	return least < shown->cols ? least : shown->cols;
}

void columns_fit(struct columns *columns, int line_cols)
{
	int over = -line_cols, least;
	char text[COLUMN_TEXT_LEN];
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		widen(&columns->column[c], columns->column[c].title);
		widen(&columns->column[c], sum_text(&columns->column[c], text, sizeof(text)));
		over += columns->column[c].cols + (c ? GAP_COLS : 0);
	}
	for (c = 0; c < columns->nr && over > 0; c++) {
		struct shown_column *shown = &columns->column[c];

		if (!is_text(shown->column))
			continue;
		least = least_cols(shown);
		if (least < shown->cols - over)
			least = shown->cols - over;
		over -= shown->cols - least;
		shown->cols = least;
	}
}

/* A cell; blanks are only noted until something stands behind them. */
static void print_cell(FILE *out, const struct shown_column *shown, const char *text, int *blanks)
{
	bool is_left = !shown->column->value || shown->column->is_left;
	int more = shown->cols - text_width(text);

	if (more < 0)
		more = 0;
	if (!text[0]) {
		*blanks += shown->cols + GAP_COLS;
		return;
	}
	fprintf(out, "%*s%s", *blanks + (is_left ? 0 : more), "", text);
	*blanks = (is_left ? more : 0) + GAP_COLS;
}

void columns_print_titles(FILE *out, const struct columns *columns)
{
	int blanks = 0;
	size_t c;

	for (c = 0; c < columns->nr; c++)
		print_cell(out, &columns->column[c], columns->column[c].title, &blanks);
	fputc('\n', out);
	columns_print_rule(out, columns, '=');
}

void columns_print_rule(FILE *out, const struct columns *columns, char line)
{
	size_t c;
	int i;

	for (c = 0; c < columns->nr; c++) {
		fputs(c ? "  " : "", out);
		for (i = 0; i < columns->column[c].cols; i++)
			fputc(line, out);
	}
	fputc('\n', out);
}

void columns_print_row(FILE *out, const struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN], cut[COLUMN_TEXT_LEN];
	int blanks = 0;
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		const struct shown_column *shown = &columns->column[c];

		snprintf(cut, sizeof(cut), "%s", columns_text(columns, c, row, text, sizeof(text)));
		if (is_text(shown->column))
			text_cut(cut, shown->cols);
		print_cell(out, shown, cut, &blanks);
	}
	fputc('\n', out);
}

void columns_print_sums(FILE *out, const struct columns *columns, const char *label)
{
	char text[COLUMN_TEXT_LEN];
	int blanks = 0;
	size_t c;

	for (c = 0; c < columns->nr; c++)
		print_cell(out, &columns->column[c], !c && is_text(columns->column[c].column) ? label :
			   sum_text(&columns->column[c], text, sizeof(text)), &blanks);
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
		/* A tab in a name would be a column more, a newline a row. */
		snprintf(clean, sizeof(clean), "%s", columns_data(columns, c, row, text, sizeof(text)));
		text_clean(clean);
		fprintf(out, "%s%s", c ? "\t" : "", clean);
	}
	fputc('\n', out);
}

void columns_print_json(FILE *out, const struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN];
	const char *data;
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		fprintf(out, "%s\"%s\": ", c ? ", " : "{", columns->column[c].key);
		data = columns_data(columns, c, row, text, sizeof(text));
		if (columns->column[c].column->value)
			fputs(data, out);
		else
			text_json(out, data);
	}
	fputc('}', out);
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

		snprintf(line, sizeof(line), "%s%s%s", list->column[i].help, *unit ? ", in " : "", unit);
		fprintf(out, "  %-*s  ", key_cols, list->column[i].key);
		text_wrap_at(out, line, key_cols + 4, cols);
	}
}
