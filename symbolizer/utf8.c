// SPDX-License-Identifier: GPL-2.0-only
/* UTF-8 text: see utf8.h. */
#include "utf8.h"

#define MORE_MAX 3	/* bytes after the first one of a character */

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

u32 utf8_read(const char **at)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)*at;
	int len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
	u32 c = len == 1 ? s[0] : s[0] & (0xff >> (len + 1));
	int i;

	++*at;
	if (!len || s[0] >= 0xf8)
		return UTF8_NONE;
	for (i = 1; i < len; i++) {
		if (!is_continuation(s[i]))
			return UTF8_NONE;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return UTF8_NONE;
	*at += len - 1;
	return c;
}

bool utf8_is_control(u32 c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

void utf8_clean(char *text)
{
	const char *next;
	u32 c;

	for (;;) {
		/* Fast path: most text is printable ASCII. */
		while (*text >= ' ' && *text < 0x7f)
			text++;
		if (!*text)
			return;
		next = text;
		c = utf8_read(&next);
		if (c == UTF8_NONE || utf8_is_control(c))
			*text++ = '?';
		else
			text += next - text;
	}
}

size_t utf8_cut(const char *text, size_t len)
{
	size_t end = len;

	while (end && len - end < MORE_MAX && is_continuation(text[end]))
		end--;
	/* No character begins there, so the cut splits none. */
	return is_continuation(text[end]) ? len : end;
}
