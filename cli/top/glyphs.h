/* SPDX-License-Identifier: GPL-2.0-only */
/* Foreign text as a row of cells: decoded, measured, and made harmless. See cells.h. */
#ifndef TOP_GLYPHS_H
#define TOP_GLYPHS_H

#include "top/cells.h"

#define GLYPHS_MAX 512	/* of a text; the rest is not shown */

/**
 * glyphs_read() - the characters of a text, each with its columns; at most GLYPHS_MAX.
 * Returns how many. @cols_ret: the columns of all of them.
 *
 * What is no character, or would control the terminal or turn the line, becomes '?'. What has no
 * width of its own is kept with the character that it changes, or left away where it only joins
 * others, since terminals do not agree on how wide that is.
 */
size_t glyphs_read(const char *text, bool is_utf8, struct cell *glyphs, int *cols_ret);

/**
 * glyphs_end_direction() - behind letters that are written from right to left put a mark that ends
 * their direction, so that columns stay where they are. @next: what will stand there; or NULL
 */
void glyphs_end_direction(struct cell *glyph, const struct cell *next);

#endif
