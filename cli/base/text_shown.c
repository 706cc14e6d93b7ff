// SPDX-License-Identifier: GPL-2.0-only
/* Text for display: widths, cutting, and characters that must not be shown. See text.h. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/chars.h"
#include "base/text.h"
#include "utf8.h"

#define CUT_LEAST 8	/* least columns in which both ends of a text are useful */

#define LEFT_TO_RIGHT_MARK "\xe2\x80\x8e"

/* The process's locale stays unchanged: setting the locale would also change number formats. */
static bool is_locale_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool is_utf8;

	if (!locale)
		return false;
	is_utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return is_utf8;
}

bool text_is_utf8(FILE *out)
{
	static int of_locale = -1;

	if (!isatty(fileno(out)))
		return true;
	if (of_locale < 0)
		of_locale = is_locale_utf8();
	return of_locale;
}

/* Length of the printable ASCII at the beginning; most texts are all ASCII. */
static size_t count_plain_ascii(const char *text)
{
	size_t len = 0;

	while (text[len] >= ' ' && text[len] < 0x7f)
		len++;
	return len;
}

void text_plain_as(char *text, bool is_utf8)
{
	size_t len = count_plain_ascii(text);
	const char *from = text + len;
	char *to = text + len;
	int marks = len ? 0 : CHAR_MARKS_MAX;

	while (*from) {
		const char *begin = from;
		u32 c = utf8_read(&from);
		int cols = is_utf8 || c < 0x80 ? char_cols(c) : -1;

		if (is_utf8 && char_is_invisible(c))
			continue;
		if (cols < 0 || (!cols && to == text)) {
			*to++ = '?';
			marks = 0;
			continue;
		}
		marks = cols ? 0 : marks + 1;
		if (marks > CHAR_MARKS_MAX)
			continue;
		memmove(to, begin, from - begin);
		to += from - begin;
	}
	*to = '\0';
}

void text_plain(char *text)
{
	static int is_utf8 = -1;

	if (is_utf8 < 0)
		is_utf8 = text_is_utf8(stdout);
	text_plain_as(text, is_utf8);
}

/* Width of a character; the '?' that replaces a forbidden character takes one column. */
static int read_cols(const char **at)
{
	u32 c = utf8_read(at);
	int cols = char_cols(c);

	return char_is_invisible(c) ? 0 : cols < 0 ? 1 : cols;
}

int text_width(const char *text)
{
	int cols = count_plain_ascii(text);

	for (text += cols; *text; )
		cols += read_cols(&text);
	return cols;
}

/* End of the longest prefix that fits, including the marks of its last character. */
static char *find_end_of_cols(char *text, int cols)
{
	const char *at = text, *end = text;

	while (*at) {
		cols -= read_cols(&at);
		if (cols < 0)
			break;
		end = at;
	}
	return text + (end - text);
}

const char *text_end(const char *text, int cols)
{
	int more = text_width(text) - cols;
	const char *next;

	if (more <= 0)
		return text;
	while (more > 0)
		more -= read_cols(&text);
	/* A dropped character's marks are dropped too. */
	for (next = text; *next && !read_cols(&next); text = next)
		;
	return text;
}

void text_cut(char *text, int cols)
{
	const char *tail;
	char *gap;
	int head;

	if (text_width(text) <= cols)
		return;
	if (cols < CUT_LEAST) {
		*find_end_of_cols(text, cols) = '\0';
		return;
	}
	head = (cols - 1) / 2;
	gap = find_end_of_cols(text, head);
	tail = text_end(text, cols - 2 - head);
	gap[0] = gap[1] = '.';
	memmove(gap + 2, tail, strlen(tail) + 1);
}

static bool has_right_to_left(const char *text)
{
	for (text += count_plain_ascii(text); *text; )
		if (char_is_right_to_left(utf8_read(&text)))
			return true;
	return false;
}

void text_put(FILE *out, const char *text)
{
	const char *mark = has_right_to_left(text) ? LEFT_TO_RIGHT_MARK : "";

	fprintf(out, "%s%s%s", mark, text, mark);
}

int text_put_cut(FILE *out, const char *text, int cols)
{
	char copy[4096];

	snprintf(copy, sizeof(copy), "%s", text);
	text_plain(copy);
	text_cut(copy, cols);
	text_put(out, copy);
	return text_width(copy);
}

/** State of wrapped lines. */
struct wrapped_lines {
	FILE *out;
	int indent, cols;
	int col;	/* current column */
};

static void break_line(struct wrapped_lines *lines)
{
	fprintf(lines->out, "\n%*s", lines->indent, "");
	lines->col = lines->indent;
}

/* Breaks a word that is longer than a line. */
static void put_word(struct wrapped_lines *lines, char *word)
{
	int width = text_width(word);
	char *rest, kept;

	while (width > lines->cols - lines->indent) {
		rest = find_end_of_cols(word, lines->cols - lines->indent);
		if (rest == word)
			break;
		kept = *rest;
		*rest = '\0';
		text_put(lines->out, word);
		break_line(lines);
		*rest = kept;
		word = rest;
		width = text_width(word);
	}
	text_put(lines->out, word);
	lines->col += width;
}

void text_wrap_at(FILE *out, const char *text, int indent, int cols)
{
	struct wrapped_lines lines = { out, indent, cols, indent };
	char *words = strdup(text), *rest = words, *word;

	if (words)
		text_plain_as(words, text_is_utf8(out));
	while (words && (word = strsep(&rest, " "))) {
		if (lines.col > indent && lines.col + 1 + text_width(word) > cols)
			break_line(&lines);
		if (lines.col > indent) {
			fputc(' ', out);
			lines.col++;
		}
		put_word(&lines, word);
	}
	fputc('\n', out);
	free(words);
}

void text_wrap(FILE *out, const char *text, int cols)
{
	text_wrap_at(out, text, 0, cols);
}
