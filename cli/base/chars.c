// SPDX-License-Identifier: GPL-2.0-only
/* Characters on a terminal: see chars.h. Widths come from the C library. */
#include <locale.h>
#include <stddef.h>
#include <wchar.h>

#include "base/chars.h"
#include "utf8.h"

struct char_range {
	u32 first;
	u32 last;
};

/* Characters that change the direction of the text after them, or end the line. */
static const struct char_range turning[] = {
	{ 0x61c, 0x61c }, { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x206f },
	{ 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
};

/* Joiners, variation selectors and similar characters. */
static const struct char_range invisible[] = {
	{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x200b, 0x200d }, { 0x2060, 0x2065 },
	{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xe0100, 0xe01ef },
};

/* Hebrew, Arabic, Syriac, Thaana, N'Ko and similar scripts, with their presentation forms. */
static const struct char_range right_to_left[] = {
	{ 0x590, 0x8ff }, { 0xfb1d, 0xfdff }, { 0xfe70, 0xfefe }, { 0x10800, 0x10fff },
	{ 0x1e800, 0x1efff },
};

/* @ranges: ascending. */
static bool is_in_ranges(u32 c, const struct char_range *ranges, size_t nr)
{
	size_t low = 0, high = nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (c > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < nr && c >= ranges[low].first;
}

#define IS_IN(c, ranges) is_in_ranges(c, ranges, sizeof(ranges) / sizeof((ranges)[0]))

bool char_is_invisible(u32 c)
{
	return IS_IN(c, invisible);
}

bool char_is_right_to_left(u32 c)
{
	return IS_IN(c, right_to_left);
}

/*
 * Names are UTF-8 in any locale. The process's locale stays unchanged, since it also sets the
 * format of numbers. On a system without C.UTF-8 every character has width 1.
 */
static int query_char_cols(u32 c)
{
	static locale_t utf8;
	static bool is_known;
	locale_t before;
	int cols;

	if (!is_known)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	is_known = true;
	if (!utf8)
		return 1;
	before = uselocale(utf8);
	cols = wcwidth(c);
	uselocale(before);
	return cols;
}

int char_cols(u32 c)
{
	if (c == UTF8_NONE || utf8_is_control(c) || IS_IN(c, turning))
		return -1;
	return c < 0x7f ? 1 : query_char_cols(c);
}
