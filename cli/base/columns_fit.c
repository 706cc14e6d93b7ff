// SPDX-License-Identifier: GPL-2.0-only
/* Widths of columns, and the choice of those that have room: see columns.h. */
#include <math.h>
#include <string.h>

#include "base/columns_parts.h"

#define TEXT_COLS_MIN	10	/* least width of a cut text */

static bool is_text_column(const struct column *column)
{
	return !column->value && column->unit == COLUMN_TEXT;
}

/* A mark, which has no title, is closer to the column before it. */
int column_gap_cols(const struct columns *columns, size_t c)
{
	return !c ? 0 : columns->column[c].title[0] ? 2 : 1;
}

const char *column_plain_text(const struct columns *columns, size_t c, const void *row,
			      char text[COLUMN_TEXT_LEN])
{
	const char *found = columns_text(columns, c, row, text, COLUMN_TEXT_LEN);

	if (found != text)
		snprintf(text, COLUMN_TEXT_LEN, "%s", found);
	text_plain(text);
	return text;
}

const char *column_sum_text(const struct shown_column *shown, char *text, size_t len)
{
	if (!shown->column->adds_up || !isfinite(shown->sum))
		return "";
	snprintf(text, len, "%.*f", shown->column->digits, shown->sum);
	return text;
}

const char *column_tail(const struct columns *columns, size_t c, const void *row,
			char text[COLUMN_TEXT_LEN])
{
	const struct column_cell cell = {
		.column = columns->column[c].column, .row = row, .view = columns->view,
	};

	return cell.column->tail ? cell.column->tail(&cell, text, COLUMN_TEXT_LEN) : "";
}

static void widen_column(struct shown_column *shown, int cols)
{
	if (cols > shown->cols)
		shown->cols = cols;
}

void columns_measure(struct columns *columns, const void *row)
{
	char text[COLUMN_TEXT_LEN], tail[COLUMN_TEXT_LEN];
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		widen_column(&columns->column[c],
			     text_width(column_plain_text(columns, c, row, text)) +
			     text_width(column_tail(columns, c, row, tail)));
		if (columns->column[c].column->adds_up)
			columns->column[c].sum += columns_value(columns, c, row);
	}
}

/* Least width of a column; numbers are never cut. */
static int get_least_cols(const struct shown_column *shown)
{
	int title_cols = text_width(shown->title), least = shown->column->cols;

	if (!is_text_column(shown->column))
		return shown->cols;
	if (least < title_cols)
		least = title_cols;
	if (least < TEXT_COLS_MIN)
		least = TEXT_COLS_MIN;
	return least < shown->cols ? least : shown->cols;
}

static int sum_least_cols(const struct columns *columns)
{
	int cols = 0;
	size_t c;

	for (c = 0; c < columns->nr; c++)
		cols += get_least_cols(&columns->column[c]) + column_gap_cols(columns, c);
	return cols;
}

int column_rank(const char *key)
{
	static const char *const last[] = { "error", "share", "total", "difference", "name",
					    "instruction" };
	int i;

	for (i = sizeof(last) / sizeof(last[0]); i > 0; i--)
		if (!strcmp(key, last[i - 1]))
			return i;
	return 0;
}

/* Columns in parts appear only on request, so other columns of their rank are omitted first. */
static int get_omission_rank(const struct shown_column *shown)
{
	return 2 * (shown->column->rank ?: column_rank(shown->key)) + !!shown->column->next_part;
}

/* Finds the column to omit next: the rightmost one of the lowest rank. */
static size_t find_column_to_omit(const struct columns *columns)
{
	size_t c, least = columns->nr - 1;

	for (c = columns->nr - 1; c-- > 0; )
		if (get_omission_rank(&columns->column[c]) <
		    get_omission_rank(&columns->column[least]))
			least = c;
	return least;
}

/* Omits a column and records its key. The two ends of an interval are omitted together. */
static void omit_column(struct columns *columns, size_t c)
{
	const struct column *column = columns->column[c].column;
	size_t len = strlen(columns->left_out);

	snprintf(columns->left_out + len, sizeof(columns->left_out) - len, "%s%s",
		 len ? ", " : "", columns->column[c].key);
	memmove(&columns->column[c], &columns->column[c + 1],
		(--columns->nr - c) * sizeof(*columns->column));
	if (c && columns->nr > 1 && columns->column[c - 1].column->pair_title &&
	    columns->column[c - 1].column + 1 == column)
		omit_column(columns, c - 1);
}

void columns_fit(struct columns *columns, int line_cols)
{
	int over = -line_cols, least;
	char text[COLUMN_TEXT_LEN];
	size_t c;

	columns->line_cols = line_cols;
	for (c = 0; c < columns->nr; c++) {
		widen_column(&columns->column[c], text_width(columns->column[c].title));
		widen_column(&columns->column[c],
			     text_width(column_sum_text(&columns->column[c], text, sizeof(text))));
	}
	while (columns->nr > 1 && sum_least_cols(columns) > line_cols)
		omit_column(columns, find_column_to_omit(columns));
	for (c = 0; c < columns->nr; c++)
		over += columns->column[c].cols + column_gap_cols(columns, c);
	for (c = 0; c < columns->nr && over > 0; c++) {
		struct shown_column *shown = &columns->column[c];

		least = get_least_cols(shown);
		if (least < shown->cols - over)
			least = shown->cols - over;
		over -= shown->cols - least;
		shown->cols = least;
	}
	for (c = 0; c < columns->nr && over < 0; c++) {
		if (!columns->column[c].column->fills)
			continue;
		columns->column[c].cols -= over;
		over = 0;
	}
}
