/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen as a grid of cells, without a terminal: what the live view draws into and what a
 * terminal is told of. Foreign text is made harmless here: whatever is put stays within its
 * columns, says no control sequence, and does not turn the direction of the line. Pure.
 */
#ifndef TOP_CELLS_H
#define TOP_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a cell is part of; the terminal decides how that looks. */
enum cell_style {
	STYLE_NORMAL, STYLE_TITLE, STYLE_HEAD, STYLE_SORT, STYLE_SELECTED, STYLE_DIM, STYLE_KEY,
	STYLE_USER, STYLE_KERNEL, STYLE_SOFTIRQ, STYLE_INTERVAL, STYLE_WARNING,
	NR_STYLES
};

#define CELL_CHARS 4	/* a character, what combines with it, and a mark of direction */

struct cell {
	uint32_t chars[CELL_CHARS];	/* Unicode; those behind a 0 do not count */
	uint8_t cols;			/* 1 or 2; 0: the right half of the one before */
	uint8_t style;			/* enum cell_style */
};

struct cells {
	int rows;
	int cols;
	bool is_utf8;			/* else only ASCII is put */
	struct cell *cell;		/* row by row */
};

/** cells_init() - a blank screen. -ENOMEM. To be given to cells_deinit(). */
int cells_init(struct cells *cells, int rows, int cols, bool is_utf8);

void cells_deinit(struct cells *cells);

/** cells_clear() - make all of it blank. */
void cells_clear(struct cells *cells);

/**
 * cells_put() - put text; what has no room in @cols columns, or beyond the edge, is left away.
 * Returns the columns it takes.
 */
int cells_put(struct cells *cells, int row, int col, int cols, enum cell_style style,
	      const char *text);

/** cells_put_name() - the same, but a text too long loses its middle, and says so. */
int cells_put_name(struct cells *cells, int row, int col, int cols, enum cell_style style,
		   const char *text);

/** cells_put_right() - put text so that it ends with these columns; its beginning is kept. */
void cells_put_right(struct cells *cells, int row, int col, int cols, enum cell_style style,
		     const char *text);

/** cells_fill() - put one character, or its stand-in in ASCII, into each of @cols columns. */
void cells_fill(struct cells *cells, int row, int col, int cols, enum cell_style style,
		uint32_t utf8_char, char ascii_char);

/** cells_restyle() - change the style of a whole row. */
void cells_restyle(struct cells *cells, int row, enum cell_style style);

/** cells_width() - columns that a text would take. */
int cells_width(const char *text, bool is_utf8);

/** cells_utf8() - write a character as UTF-8; returns its bytes, 0 if there is no room. */
size_t cells_utf8(uint32_t c, char *text, size_t len);

#endif
