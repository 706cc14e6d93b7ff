// SPDX-License-Identifier: GPL-2.0-only
/* Untrusted text as cells: see glyphs.h. */
#include "base/chars.h"
#include "top/glyphs.h"
#include "utf8.h"

#define LEFT_TO_RIGHT_MARK 0x200e

/* Columns of a character; -1: not printable. */
static int printable_cols(u32 c, bool is_utf8)
{
	return is_utf8 || c < 0x80 ? char_cols(c) : -1;
}

static void add_combining(struct cell *glyph, u32 c)
{
	size_t i;

	/* The last element is reserved for a direction mark. */
	for (i = 1; i < CELL_CHARS - 1; i++) {
		if (glyph->chars[i])
			continue;
		glyph->chars[i] = c;
		return;
	}
}

void glyphs_end_direction(struct cell *glyph, const struct cell *next)
{
	size_t i;

	if (!char_is_right_to_left(glyph->chars[0]) ||
	    (next && char_is_right_to_left(next->chars[0])))
		return;
	for (i = 1; i < CELL_CHARS - 1 && glyph->chars[i]; i++)
		;
	glyph->chars[i] = LEFT_TO_RIGHT_MARK;
}

size_t glyphs_read(const char *text, bool is_utf8, struct cell *glyphs, int *cols_ret)
{
	const char *at = text;
	size_t nr = 0;

	*cols_ret = 0;
	while (*at && nr < GLYPHS_MAX) {
		u32 c = utf8_read(&at);
		int cols = printable_cols(c, is_utf8);

		if (is_utf8 && char_is_invisible(c))
			continue;
		if (!cols && nr) {
			add_combining(&glyphs[nr - 1], c);
			continue;
		}
		if (cols <= 0)
			c = '?';
		glyphs[nr] = (struct cell){ .chars = { c }, .cols = cols > 0 ? cols : 1 };
		*cols_ret += glyphs[nr++].cols;
	}
	return nr;
}
