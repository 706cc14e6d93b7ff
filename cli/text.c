// SPDX-License-Identifier: GPL-2.0-only
/* Text that crosses borders: see text.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "text.h"

#define CUT_LEAST 8	/* columns in which both ends of a text still tell something */

int text_fail(struct text_error *error, int code, const char *format, ...)
{
	va_list args;

	if (!error)
		return code;
	va_start(args, format);
	vsnprintf(error->what, sizeof(error->what), format, args);
	va_end(args);
	error->hint[0] = '\0';
	return code;
}

void text_hint(struct text_error *error, const char *format, ...)
{
	va_list args;

	if (!error)
		return;
	va_start(args, format);
	vsnprintf(error->hint, sizeof(error->hint), format, args);
	va_end(args);
}

void text_report(const struct text_error *error)
{
	char what[sizeof(error->what)];

	/* Names typed or found on the way may hold anything. */
	memcpy(what, error->what, sizeof(what));
	text_clean(what);
	fprintf(stderr, "probe: %s\n", what);
	if (error->hint[0])
		fprintf(stderr, "hint: %s\n", error->hint);
}

/* Length of the valid, printable UTF-8 character at @s, or 0. */
static size_t char_len(const unsigned char *s)
{
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
		s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
	size_t i;

	if (len == 1)
		return s[0] >= 0x20 && s[0] != 0x7f;
	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if (s[0] == 0xc2 && s[1] < 0xa0)	/* C1 controls */
		return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;			/* overlong, surrogate, beyond Unicode */
	return len;
}

void text_clean(char *text)
{
	unsigned char *s = (unsigned char *)text;

	while (*s) {
		size_t len = char_len(s);

		if (!len) {
			*s = '?';
			len = 1;
		}
		s += len;
	}
}

static void put_json(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < 0x20)
		fprintf(out, "\\u%04x", c);
	else
		fputc(c, out);
}

void text_json_with(FILE *out, const char *text, size_t (*put)(FILE *out, const char *text))
{
	size_t len;

	fputc('"', out);
	for (; *text; text += len) {
		len = put ? put(out, text) : 0;
		if (len)
			continue;
		put_json(out, *text);
		len = 1;
	}
	fputc('"', out);
}

void text_json(FILE *out, const char *text)
{
	text_json_with(out, text, NULL);
}

const char *text_time(double unix_seconds, char *text, size_t len)
{
	time_t seconds = unix_seconds;
	struct tm local;

	if (!localtime_r(&seconds, &local) || !strftime(text, len, "%Y-%m-%d %H:%M:%S", &local))
		snprintf(text, len, "%.0f", unix_seconds);
	return text;
}

const char *text_ns(double ns, char text[16])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int u = 0;

	while (u < 3 && ns >= 999.5) {
		ns /= 1000;
		u++;
	}
	snprintf(text, 16, "%.3g %s", ns, units[u]);
	return text;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

int text_width(const char *text)
{
	int cols = 0;

	for (; *text; text++)
		cols += !is_continuation(*text);
	return cols;
}

/* Where the character of a number begins. */
static char *character_at(char *text, int number)
{
	for (; *text; text++)
		if (!is_continuation(*text) && number-- == 0)
			break;
	return text;
}

void text_cut(char *text, int cols)
{
	int width = text_width(text), head;
	char *gap, *tail;

	if (width <= cols)
		return;
	if (cols < CUT_LEAST) {
		*character_at(text, cols) = '\0';
		return;
	}
	head = (cols - 1) / 2;
	gap = character_at(text, head);
	tail = character_at(text, width - (cols - 2 - head));
	gap[0] = gap[1] = '.';
	memmove(gap + 2, tail, strlen(tail) + 1);
}

void text_wrap_at(FILE *out, const char *text, int indent, int cols)
{
	char *words = strdup(text), *rest = words, *word;
	int col = indent, width;

	while (words && (word = strsep(&rest, " "))) {
		width = text_width(word);
		if (col > indent && col + 1 + width > cols) {
			fprintf(out, "\n%*s", indent, "");
			col = indent;
		}
		fprintf(out, "%s%s", col > indent ? " " : "", word);
		col += (col > indent) + width;
	}
	fputc('\n', out);
	free(words);
}

void text_wrap(FILE *out, const char *text, int cols)
{
	text_wrap_at(out, text, 0, cols);
}

const char *text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
