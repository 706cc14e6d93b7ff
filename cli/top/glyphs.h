/* SPDX-License-Identifier: GPL-2.0-only */
/* Untrusted text as a row of cells: decoded, measured and made harmless. See cells.h. */
#ifndef TOP_GLYPHS_H
#define TOP_GLYPHS_H

#include "top/cells.h"

#define GLYPHS_MAX 512	/* glyphs of a text; the rest is not shown */

/**
 * glyphs_read() - decode a text into at most GLYPHS_MAX glyphs, each with its columns.
 * @cols_ret: the sum of their columns
 * Returns the number of glyphs.
 *
 * Invalid bytes, and characters that control the terminal or the writing direction, become '?'. A
 * combining character is stored with the character before it. Invisible characters, such as
 * joiners, are dropped, because terminals disagree on the width of joined characters.
 */
size_t glyphs_read(const char *text, bool is_utf8, struct cell *glyphs, int *cols_ret);

/**
 * glyphs_end_direction() - add a left-to-right mark after the last right-to-left character in a
 * row, so that the following columns keep their places.
 * @next: the following glyph; NULL: none
 */
void glyphs_end_direction(struct cell *glyph, const struct cell *next);

#endif
