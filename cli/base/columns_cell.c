// SPDX-License-Identifier: GPL-2.0-only
/* The contents of cells: see columns.h. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/columns.h"

const char *column_unit_name(enum column_unit unit)
{
	static const char *const names[] = {
		[COLUMN_TEXT] = "", [COLUMN_ADDRESS] = "", [COLUMN_COUNT] = "",
		[COLUMN_PERCENT] = "%", [COLUMN_SECONDS] = "s", [COLUMN_NS] = "ns",
		[COLUMN_EACH_NS] = "ns",
		[COLUMN_PROBABILITY] = "", [COLUMN_RATIO] = "", [COLUMN_RATE] = "",
		[COLUMN_YES_NO] = "",
	};

	return names[unit];
}

static struct column_cell cell_at(const struct columns *columns, size_t c, const void *row)
{
	return (struct column_cell){
		.column = columns->column[c].column, .part = columns->column[c].part, .row = row,
		.view = columns->view,
	};
}

double columns_value(const struct columns *columns, size_t c, const void *row)
{
	const struct column_cell cell = cell_at(columns, c, row);

	return cell.column->value ? cell.column->value(&cell) : NAN;
}

const char *columns_text(const struct columns *columns, size_t c, const void *row, char *text,
			 size_t len)
{
	const struct column_cell cell = cell_at(columns, c, row);
	double value = columns_value(columns, c, row);
	const char *found;

	if (cell.column->value && !isfinite(value))
		return cell.column->unknown ?: "";
	found = cell.column->text ? cell.column->text(&cell, text, len) : NULL;
	if (found)
		return found;
	if (cell.column->unit == COLUMN_YES_NO)
		return value ? "yes" : "no";
	snprintf(text, len, "%.*f", cell.column->digits, value);
	return text;
}

/* snprintf() writes the decimal sign of the locale, which may be several bytes. */
static void put_point(char *text)
{
	const char *sign = localeconv()->decimal_point;
	char *at = strcmp(sign, ".") ? strstr(text, sign) : NULL;

	if (!at)
		return;
	*at = '.';
	memmove(at + 1, at + strlen(sign), strlen(at + strlen(sign)) + 1);
}

const char *columns_data(const struct columns *columns, size_t c, const void *row, char *text,
			 size_t len)
{
	static const int digits[] = {
		[COLUMN_COUNT] = 0, [COLUMN_PERCENT] = 4, [COLUMN_SECONDS] = 6, [COLUMN_NS] = 0,
		[COLUMN_EACH_NS] = 3, [COLUMN_RATIO] = 4,
	};
	const struct column *column = columns->column[c].column;
	double value;

	if (!column->value)
		return columns_text(columns, c, row, text, len);
	value = columns_value(columns, c, row);
	if (!isfinite(value))
		return "null";
	if (column->unit == COLUMN_YES_NO)
		return value ? "true" : "false";
	if (column->unit == COLUMN_PROBABILITY || column->unit == COLUMN_RATE)
		snprintf(text, len, "%.6g", value);
	else
		snprintf(text, len, "%.*f", digits[column->unit], value);
	put_point(text);
	return text;
}

static int compare_cell_texts(const struct columns *columns, size_t c, const void *row_a,
			      const void *row_b)
{
	char text_a[COLUMN_TEXT_LEN], text_b[COLUMN_TEXT_LEN];
	const char *a = columns_text(columns, c, row_a, text_a, sizeof(text_a));
	const char *b = columns_text(columns, c, row_b, text_b, sizeof(text_b));
	size_t len_a = strlen(a), len_b = strlen(b);

	/* The longer of two hex numbers is the larger. */
	if (columns->column[c].column->unit == COLUMN_ADDRESS && len_a != len_b)
		return (len_a > len_b) - (len_a < len_b);
	return strcmp(a, b);
}

int columns_compare(const struct columns *columns, size_t c, const void *row_a, const void *row_b)
{
	double a = columns_value(columns, c, row_a), b = columns_value(columns, c, row_b);

	if (!columns->column[c].column->value)
		return compare_cell_texts(columns, c, row_a, row_b);
	if (isnan(a) || isnan(b))
		return !!isnan(a) - !!isnan(b);
	return (a < b) - (a > b);
}
