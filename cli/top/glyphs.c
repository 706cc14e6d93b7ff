// SPDX-License-Identifier: GPL-2.0-only
/* Foreign text as cells: see glyphs.h. */
#include <wchar.h>

#include "top/glyphs.h"

#define LEFT_TO_RIGHT_MARK 0x200e
#define NO_CHAR UINT32_MAX

struct range {
	uint32_t first;
	uint32_t last;
};

static bool is_in(uint32_t c, const struct range *ranges, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

/* Hebrew, Arabic, Syriac, Thaana, N'Ko and their like, with their presentation forms. */
static bool is_right_to_left(uint32_t c)
{
	static const struct range ranges[] = {
		{ 0x590, 0x8ff }, { 0xfb1d, 0xfdff }, { 0xfe70, 0xfefe }, { 0x10800, 0x10fff },
		{ 0x1e800, 0x1efff },
	};

	return is_in(c, ranges, sizeof(ranges) / sizeof(ranges[0]));
}

/* What changes the direction of what follows, or ends the line. */
static bool turns_line(uint32_t c)
{
	static const struct range ranges[] = {
		{ 0x61c, 0x61c }, { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x206f },
		{ 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
	};

	return is_in(c, ranges, sizeof(ranges) / sizeof(ranges[0]));
}

/* Joiners, variation selectors and other characters that show nothing themselves. */
static bool is_invisible(uint32_t c)
{
	static const struct range ranges[] = {
		{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x200b, 0x200d }, { 0x2060, 0x2065 },
		{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xe0100, 0xe01ef },
	};

	return is_in(c, ranges, sizeof(ranges) / sizeof(ranges[0]));
}

/* The next character of UTF-8; NO_CHAR, and one byte further, where there is none. */
static uint32_t read_char(const unsigned char **at)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = *at;
	int len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
	uint32_t c = len == 1 ? s[0] : s[0] & (0xff >> (len + 1));
	int i;

	*at = s + 1;
	if (!len || s[0] >= 0xf8)
		return NO_CHAR;
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return NO_CHAR;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return NO_CHAR;
	*at = s + len;
	return c;
}

/* Columns of a character; -1: it is not to be shown. */
static int cols_of(uint32_t c, bool is_utf8)
{
	if (c < 0x80)
		return c >= 0x20 && c != 0x7f ? 1 : -1;
	if (c == NO_CHAR || !is_utf8 || turns_line(c))
		return -1;
	return wcwidth(c);
}

static void combine(struct cell *glyph, uint32_t c)
{
	size_t i;

	/* One place is kept for a mark of direction. */
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

	if (!is_right_to_left(glyph->chars[0]) || (next && is_right_to_left(next->chars[0])))
		return;
	for (i = 1; i < CELL_CHARS - 1 && glyph->chars[i]; i++)
		;
	glyph->chars[i] = LEFT_TO_RIGHT_MARK;
}

size_t glyphs_read(const char *text, bool is_utf8, struct cell *glyphs, int *cols_ret)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t nr = 0;

	*cols_ret = 0;
	while (*at && nr < GLYPHS_MAX) {
		uint32_t c = read_char(&at);
		int cols = cols_of(c, is_utf8);

		if (is_utf8 && is_invisible(c))
			continue;
		if (!cols && nr) {
			combine(&glyphs[nr - 1], c);
			continue;
		}
		if (cols <= 0)
			c = '?';
		glyphs[nr] = (struct cell){ .chars = { c }, .cols = cols > 0 ? cols : 1 };
		*cols_ret += glyphs[nr++].cols;
	}
	return nr;
}
