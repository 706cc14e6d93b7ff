/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen as a grid of cells: the live view draws into the grid, and a terminal shows it.
 * Untrusted text is made harmless here: text stays within its columns, contains no control
 * sequence, and does not change the writing direction of the line. No side effects.
 */
#ifndef TOP_CELLS_H
#define TOP_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

/** The role of a cell; the terminal chooses colours and attributes by the role. */
enum cell_style {
	STYLE_NORMAL, STYLE_TITLE, STYLE_HEAD, STYLE_SORT, STYLE_SELECTED, STYLE_DIM, STYLE_KEY,
	STYLE_USER, STYLE_KERNEL, STYLE_SOFTIRQ, STYLE_INTERVAL, STYLE_WARNING,
	NR_STYLES
};

#define CELL_CHARS 4	/* a character, two combining characters, and a direction mark */

struct cell {
	u32 chars[CELL_CHARS];		/* Unicode; ends at the first 0 */
	u8 cols;			/* 1 or 2; 0: right half of the previous cell */
	u8 style;			/* enum cell_style */
};

struct cells {
	int rows;
	int cols;
	bool is_utf8;			/* false: ASCII only */
	struct cell *cell;		/* row by row */
};

/** cells_init() - make a blank screen, freed by cells_deinit(). -ENOMEM. */
int cells_init(struct cells *cells, int rows, int cols, bool is_utf8);

void cells_deinit(struct cells *cells);

/** cells_clear() - blank the whole screen. */
void cells_clear(struct cells *cells);

/**
 * cells_put() - write text, cut off after @cols columns or at the edge of the screen.
 * Returns the number of columns taken.
 */
int cells_put(struct cells *cells, int row, int col, int cols, enum cell_style style,
	      const char *text);

/** cells_put_name() - like cells_put(), but replace the middle of a long text by an ellipsis. */
int cells_put_name(struct cells *cells, int row, int col, int cols, enum cell_style style,
		   const char *text);

/** cells_put_right() - write text right-aligned in @cols columns; a long text loses its end. */
void cells_put_right(struct cells *cells, int row, int col, int cols, enum cell_style style,
		     const char *text);

/** cells_fill() - write one character, or its ASCII substitute, into each of @cols columns. */
void cells_fill(struct cells *cells, int row, int col, int cols, enum cell_style style,
		u32 utf8_char, char ascii_char);

/** cells_restyle() - change the style of a whole row. */
void cells_restyle(struct cells *cells, int row, enum cell_style style);

/** cells_width() - number of columns that a text takes. */
int cells_width(const char *text, bool is_utf8);

/** cells_utf8() - encode a character as UTF-8, without a NUL. Returns its bytes; 0: no room. */
size_t cells_utf8(u32 c, char *text, size_t len);

#endif
