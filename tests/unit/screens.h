/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for tests of the live view: the contents of a screen. */
#ifndef SCREENS_H
#define SCREENS_H

#include "unit.h"
#include "top/cells.h"

/* A row as UTF-8, without trailing blanks. */
static inline const char *screen_row(const struct cells *cells, int row)
{
	static char text[4096];
	size_t used = 0, kept = 0, i;
	int col;

	assert_in_range(row, 0, cells->rows - 1);
	for (col = 0; col < cells->cols; col++) {
		const struct cell *cell = &cells->cell[row * cells->cols + col];

		for (i = 0; cell->cols && i < CELL_CHARS && cell->chars[i]; i++)
			used += cells_utf8(cell->chars[i], text + used, sizeof(text) - 1 - used);
		if (cell->chars[0] != ' ' && cell->cols)
			kept = used;
	}
	text[kept] = '\0';
	return text;
}

#endif
