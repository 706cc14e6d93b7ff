// SPDX-License-Identifier: GPL-2.0-only
/* The table of the live view, with a bar of the share in each row: see draw.h. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "top/draw.h"

#define NAME_COLS_MIN	8
#define NAME_COLS_MAX	44
#define BAR_COLS_MIN	12
#define BAR_COLS_MAX	100
#define GAP_COLS	2

/** Positions of the columns and the bar in a line. */
struct places_in_line {
	int cols[COLUMNS_MAX * 8];	/* width of each chosen column; 0: dropped, no room */
	size_t nr;
	size_t name;			/* index of the column that is cut first */
	int bar_col;
	int bar_cols;			/* width of the bar; 0: no bar */
	double full;			/* the share at which the bar takes all of bar_cols */
};

static bool is_left(const struct column *column)
{
	return column->is_left || column->unit == COLUMN_TEXT;
}

/* The first visible row; the cursor is in the middle of the page where possible. */
static size_t first_visible_row(const struct model *model, int rows)
{
	const struct outlook *outlook = model->outlook;
	size_t half = rows / 2;

	if ((int)outlook->nr <= rows || outlook->cursor < half)
		return 0;
	if (outlook->cursor - half > outlook->nr - rows)
		return outlook->nr - rows;
	return outlook->cursor - half;
}

static const struct roster_row *row_at_line(const struct model *model, size_t at)
{
	return &model->roster.row[model->outlook->order[at]];
}

/* Width of a column that fits its title and all its visible cells. */
static int natural_cols(const struct model *model, size_t c, size_t top, int rows, bool is_utf8)
{
	const struct columns *columns = &model->outlook->columns;
	int cols = text_width(columns->column[c].title), width;
	char text[COLUMN_TEXT_LEN];
	size_t i;

	if (cols < columns->column[c].column->cols)
		cols = columns->column[c].column->cols;
	for (i = top; i < model->outlook->nr && i < top + rows; i++) {
		width = cells_width(columns_text(columns, c, row_at_line(model, i)->data, text,
						 sizeof(text)),
				    is_utf8);
		cols = width > cols ? width : cols;
	}
	return cols;
}

/* Drop columns, the last first, until the line fits; columns with a rank go in a second pass.
   Returns the columns used. */
static int drop_columns(struct places_in_line *in, const struct columns *columns, int used,
			int room)
{
	int pass;
	size_t c;

	for (pass = 0; pass < 2; pass++)
		for (c = in->nr; c-- > 0 && used > room;) {
			if (!in->cols[c] || c == in->name ||
			    (!pass && column_rank(columns->column[c].key)))
				continue;
			used -= GAP_COLS + in->cols[c];
			in->cols[c] = 0;
		}
	return used;
}

/* The scale of the bars: the smallest round share that covers the intervals of all rows. */
static double full_bar_share(const struct model *model)
{
	static const double steps[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75 };
	double most = 0;
	size_t i;

	for (i = 0; i < model->outlook->nr; i++)
		most = fmax(most, row_at_line(model, i)->interval.hi);
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (most <= steps[i])
			return steps[i];
	return 1;
}

/* The column that identifies a row: its instruction if shown, else the first column. */
static size_t name_column(const struct columns *columns)
{
	size_t c;

	for (c = 0; c < columns->nr; c++)
		if (!strcmp(columns->column[c].key, "instruction"))
			return c;
	return 0;
}

static void place_columns(struct places_in_line *in, const struct model *model, size_t top,
			  int rows, const struct cells *cells)
{
	const struct columns *columns = &model->outlook->columns;
	int used = 0, name, rest;
	size_t c;

	memset(in, 0, sizeof(*in));
	in->full = full_bar_share(model);
	in->nr = columns->nr < sizeof(in->cols) / sizeof(in->cols[0]) ? columns->nr :
		sizeof(in->cols) / sizeof(in->cols[0]);
	in->name = name_column(columns);
	if (!in->nr)
		return;
	for (c = 0; c < in->nr; c++) {
		in->cols[c] = natural_cols(model, c, top, rows, cells->is_utf8);
		used += in->cols[c] + (c ? GAP_COLS : 0);
	}
	name = in->cols[in->name] < NAME_COLS_MAX ? in->cols[in->name] : NAME_COLS_MAX;
	rest = drop_columns(in, columns, used - in->cols[in->name] + NAME_COLS_MIN, cells->cols) -
		NAME_COLS_MIN;
	/* The bar gets the columns that the name leaves, but at least a fifth of the screen. */
	in->bar_cols = cells->cols - rest - name - GAP_COLS;
	if (in->bar_cols < cells->cols / 5)
		in->bar_cols = cells->cols / 5;
	if (in->bar_cols > cells->cols - rest - 2 * NAME_COLS_MIN - GAP_COLS)
		in->bar_cols = cells->cols - rest - 2 * NAME_COLS_MIN - GAP_COLS;
	if (in->bar_cols > BAR_COLS_MAX)
		in->bar_cols = BAR_COLS_MAX;
	if (in->bar_cols < BAR_COLS_MIN)
		in->bar_cols = 0;
	name = cells->cols - rest - (in->bar_cols ? in->bar_cols + GAP_COLS : 0);
	in->cols[in->name] = name < in->cols[in->name] ? name : in->cols[in->name];
	in->bar_col = in->cols[in->name] + rest + GAP_COLS;
}

static void put_cell_text(struct cells *cells, int row, int col, int cols, bool is_on_left,
			  enum cell_style style, const char *text)
{
	if (is_on_left)
		cells_put_name(cells, row, col, cols, style, text);
	else
		cells_put_right(cells, row, col, cols, style, text);
}

static void draw_titles(struct cells *cells, int row, const struct model *model,
			const struct places_in_line *in)
{
	const struct columns *columns = &model->outlook->columns;
	size_t sort = outlook_sort_column(model->outlook, &model->roster), c;
	char text[16];
	int col = 0;

	cells_fill(cells, row, 0, cells->cols, STYLE_HEAD, ' ', ' ');
	for (c = 0; c < in->nr; c++) {
		if (!in->cols[c])
			continue;
		put_cell_text(cells, row, col, in->cols[c], is_left(columns->column[c].column),
			      c == sort ? STYLE_SORT : STYLE_HEAD, columns->column[c].title);
		col += in->cols[c] + GAP_COLS;
	}
	if (!in->bar_cols)
		return;
	cells_put(cells, row, in->bar_col, 2, STYLE_HEAD, "0");
	snprintf(text, sizeof(text), "%g%%", in->full * model->roster.scale);
	cells_put_right(cells, row, in->bar_col + 2, in->bar_cols - 2, STYLE_HEAD, text);
}

static void draw_row(struct cells *cells, int row, const struct model *model, size_t at,
		     const struct places_in_line *in)
{
	const struct columns *columns = &model->outlook->columns;
	const struct roster_row *data = row_at_line(model, at);
	const struct bar bar = { .share = data->share, .interval = data->interval };
	char text[COLUMN_TEXT_LEN];
	int col = 0;
	size_t c;

	for (c = 0; c < in->nr; c++) {
		if (!in->cols[c])
			continue;
		put_cell_text(cells, row, col, in->cols[c], is_left(columns->column[c].column),
			      data->is_open || model->is_last ? STYLE_NORMAL : STYLE_DIM,
			      columns_text(columns, c, data->data, text, sizeof(text)));
		col += in->cols[c] + GAP_COLS;
	}
	if (in->bar_cols && data->share > 0)
		draw_bar(cells, row, in->bar_col, in->bar_cols, &bar, in->full);
	if (at == model->outlook->cursor)
		cells_restyle(cells, row, STYLE_SELECTED);
}

void draw_rows(struct cells *cells, int row, int rows, struct model *model)
{
	size_t top = first_visible_row(model, rows - 1), at;
	struct places_in_line in;

	model->page_rows = rows - 1;
	place_columns(&in, model, top, rows - 1, cells);
	draw_titles(cells, row, model, &in);
	if (!model->outlook->nr && rows > 1)
		cells_put(cells, row + 1, 0, cells->cols, STYLE_DIM,
			  !model->has_data ? "measuring..." : model->outlook->filter[0] ?
			  "no row matches the filter" : "no sample yet");
	for (at = top; at < model->outlook->nr && at - top + 1 < (size_t)rows; at++)
		draw_row(cells, row + 1 + at - top, model, at, &in);
}
