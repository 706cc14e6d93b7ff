/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Error texts and untrusted names. A name is cleaned on input, so that every format of a report
 * shows the cleaned name. Text for people, above all in tables, is also made plain, measured and
 * cut on output.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/** Why something failed: one line, "<action> <object>: <reason>", and a hint or "". */
struct text_error {
	char what[512];
	char hint[512];
};

/** text_fail() - fill @error (may be NULL) and return @code, so that it can end a function. */
int text_fail(struct text_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** text_hint() - add a hint to an error already filled. */
void text_hint(struct text_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** text_report() - print "probe: ..." and the hint, if any, on stderr; nothing for an error without words. */
void text_report(const struct text_error *error);

/** text_clean() - replace, in place, bytes that must not reach a terminal: see utf8_clean(). */
void text_clean(char *text);

/** text_is_word() - whether a shell reads an unquoted text as one word, unchanged. */
bool text_is_word(const char *text);

/** text_base_name() - file name after a path's last slash; the path, if nothing follows a slash. */
const char *text_base_name(const char *path);

/** text_json() - write a text as a JSON string literal, quotes included. */
void text_json(FILE *out, const char *text);

/** text_time() - format @unix_seconds as local time, "2026-11-21 07:33:41"; returns @text. */
const char *text_time(double unix_seconds, char *text, size_t len);

/** text_ns() - format a time as three digits and a unit, "12.3 us", from 1,000 s on in whole seconds; returns @text. */
const char *text_ns(double ns, char text[16]);

/**
 * text_is_utf8() - whether @out can show UTF-8. A terminal cannot if the locale has another
 * character set: the bytes of UTF-8 could even be control characters there.
 */
bool text_is_utf8(FILE *out);

/**
 * text_plain() - clean a text, in place, for a line on standard output that people read. Does what
 * text_clean() does. Also replaces characters that change the line's direction by '?', and drops
 * invisible characters and combining marks that follow no character or are too many. If standard
 * output cannot show UTF-8, '?' replaces everything except ASCII. Not for machine formats.
 */
void text_plain(char *text);

/** text_plain_as() - text_plain() for an output other than standard output. */
void text_plain_as(char *text, bool is_utf8);

/** text_width() - columns of a plain text; of any other text, its columns once plain, in UTF-8. */
int text_width(const char *text);

/** text_end() - longest end of a text that fits into @cols columns. Points into @text. */
const char *text_end(const char *text, int cols);

/**
 * text_cut() - shorten a text in place to @cols columns, never inside a character or between a
 * character and its marks. ".." replaces the middle, because names often differ at their ends. If
 * @cols is very small, the end is dropped instead.
 */
void text_cut(char *text, int cols);

/**
 * text_put() - write a plain text so that the text keeps to its columns. A text with letters of a
 * right-to-left script gets a left-to-right mark, of no width, before and after the text.
 */
void text_put(FILE *out, const char *text);

/** text_put_cut() - write a text, made plain and cut to @cols columns. Returns its columns. */
int text_put_cut(FILE *out, const char *text, int cols);

/**
 * text_wrap() - write a text, made plain, as lines of at most @cols columns, broken at blanks, or
 * inside a word that is longer than a line.
 */
void text_wrap(FILE *out, const char *text, int cols);

/**
 * text_wrap_at() - text_wrap() after @indent columns that are already written; further lines are
 * indented by @indent.
 */
void text_wrap_at(FILE *out, const char *text, int indent, int cols);

#endif
