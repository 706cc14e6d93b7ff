// SPDX-License-Identifier: GPL-2.0-only
/* A screen as a grid of cells: see cells.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "top/glyphs.h"

#define ELLIPSIS 0x2026

int cells_init(struct cells *cells, int rows, int cols, bool is_utf8)
{
	*cells = (struct cells){ .rows = rows, .cols = cols, .is_utf8 = is_utf8 };
	cells->cell = calloc((size_t)rows * cols + 1, sizeof(*cells->cell));
	if (!cells->cell)
		return -ENOMEM;
	cells_clear(cells);
	return 0;
}

void cells_deinit(struct cells *cells)
{
	free(cells->cell);
	cells->cell = NULL;
	cells->rows = cells->cols = 0;
}

void cells_clear(struct cells *cells)
{
	int i;

	for (i = 0; i < cells->rows * cells->cols; i++)
		cells->cell[i] = (struct cell){ .chars = { ' ' }, .cols = 1 };
}

static struct cell *screen_cell(const struct cells *cells, int row, int col)
{
	return &cells->cell[row * cells->cols + col];
}

/* The number of columns inside the screen, of @cols from (@row, @col) on. */
static int clip_cols(const struct cells *cells, int row, int col, int cols)
{
	if (row < 0 || row >= cells->rows || col < 0 || col >= cells->cols || cols < 0)
		return 0;
	return cols > cells->cols - col ? cells->cols - col : cols;
}

/* Overwriting one half of a wide character makes its other half a blank. */
static void blank_other_half(struct cells *cells, int row, int col)
{
	struct cell *cell = screen_cell(cells, row, col);

	if (!cell->cols && col)
		*screen_cell(cells, row, col - 1) = (struct cell){ .chars = { ' ' }, .cols = 1 };
	if (cell->cols == 2)
		*screen_cell(cells, row, col + 1) = (struct cell){ .chars = { ' ' }, .cols = 1 };
}

/* Returns the number of columns taken. */
static int put_glyphs(struct cells *cells, int row, int col, int cols, enum cell_style style,
		      const struct cell *glyphs, size_t nr)
{
	int room = clip_cols(cells, row, col, cols), used = 0;
	size_t i;

	for (i = 0; i < nr && used + glyphs[i].cols <= room; i++) {
		struct cell *cell = screen_cell(cells, row, col + used);
		bool is_end = i + 1 == nr || used + glyphs[i].cols + glyphs[i + 1].cols > room;

		blank_other_half(cells, row, col + used);
		if (glyphs[i].cols == 2)
			blank_other_half(cells, row, col + used + 1);
		*cell = glyphs[i];
		cell->style = style;
		glyphs_end_direction(cell, is_end ? NULL : &glyphs[i + 1]);
		if (glyphs[i].cols == 2)
			cell[1] = (struct cell){ .style = style };
		used += glyphs[i].cols;
	}
	return used;
}

int cells_put(struct cells *cells, int row, int col, int cols, enum cell_style style,
	      const char *text)
{
	struct cell glyphs[GLYPHS_MAX];
	int width;
	size_t nr = glyphs_read(text, cells->is_utf8, glyphs, &width);

	return put_glyphs(cells, row, col, cols, style, glyphs, nr);
}

/* The number of glyphs, from the front or the back, that fit into @cols. */
static size_t count_fitting(const struct cell *glyphs, size_t nr, int cols, bool from_back)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		cols -= glyphs[from_back ? nr - 1 - i : i].cols;
		if (cols < 0)
			break;
	}
	return i;
}

int cells_put_name(struct cells *cells, int row, int col, int cols, enum cell_style style,
		   const char *text)
{
	struct cell glyphs[GLYPHS_MAX];
	int room = clip_cols(cells, row, col, cols), width, used, dots = cells->is_utf8 ? 1 : 2;
	size_t nr = glyphs_read(text, cells->is_utf8, glyphs, &width), head, tail;

	if (width <= room || room < dots + 2)
		return put_glyphs(cells, row, col, room, style, glyphs, nr);
	head = count_fitting(glyphs, nr, (room - dots + 1) / 2, false);
	tail = count_fitting(glyphs, nr, (room - dots) / 2, true);
	used = put_glyphs(cells, row, col, room, style, glyphs, head);
	cells_fill(cells, row, col + used, dots, style, ELLIPSIS, '.');
	used += dots;
	return used + put_glyphs(cells, row, col + used, room - used, style, glyphs + nr - tail,
				 tail);
}

void cells_put_right(struct cells *cells, int row, int col, int cols, enum cell_style style,
		     const char *text)
{
	int width = cells_width(text, cells->is_utf8), blank = width < cols ? cols - width : 0;

	cells_put(cells, row, col + blank, cols - blank, style, text);
}

void cells_fill(struct cells *cells, int row, int col, int cols, enum cell_style style,
		u32 utf8_char, char ascii_char)
{
	int room = clip_cols(cells, row, col, cols), i;

	for (i = 0; i < room; i++) {
		blank_other_half(cells, row, col + i);
		*screen_cell(cells, row, col + i) = (struct cell){
			.chars = { cells->is_utf8 ? utf8_char : (u32)ascii_char },
			.cols = 1, .style = style,
		};
	}
}

void cells_restyle(struct cells *cells, int row, enum cell_style style)
{
	int room = clip_cols(cells, row, 0, cells->cols), i;

	for (i = 0; i < room; i++)
		screen_cell(cells, row, i)->style = style;
}

int cells_width(const char *text, bool is_utf8)
{
	struct cell glyphs[GLYPHS_MAX];
	int width;

	glyphs_read(text, is_utf8, glyphs, &width);
	return width;
}

size_t cells_utf8(u32 c, char *text, size_t len)
{
	size_t nr = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;

	if (nr > len)
		return 0;
	if (nr == 1)
		text[0] = c;
	for (i = nr - 1; nr > 1 && i > 0; i--, c >>= 6)
		text[i] = 0x80 | (c & 0x3f);
	if (nr > 1)
		text[0] = (0xf00 >> nr & 0xff) | c;
	return nr;
}
