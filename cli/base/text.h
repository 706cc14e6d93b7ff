/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text that crosses borders: error reasons going up, foreign names going out. A name is cleaned
 * where it comes in, which every form of a report shows then. What people read, in a table above
 * all, is made plain besides, measured, cut and put.
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

/** text_report() - print "probe: ..." and the hint, if any, on stderr. */
void text_report(const struct text_error *error);

/** text_clean() - replace in place what must not reach a terminal: utf8_clean(). */
void text_clean(char *text);

/** text_is_word() - whether a shell takes a text for one word of just these characters. */
bool text_is_word(const char *text);

/** text_base_name() - what stands behind the last slash of a path, if anything does. */
const char *text_base_name(const char *path);

/** text_json() - write a string literal of JSON, quotes included. */
void text_json(FILE *out, const char *text);

/** text_time() - "2026-11-21 07:33:41" of @unix_seconds, local time; returns @text. */
const char *text_time(double unix_seconds, char *text, size_t len);

/** text_ns() - a time as three digits and a unit, "12.3 us"; returns @text. */
const char *text_ns(double ns, char text[16]);

/**
 * text_is_utf8() - whether people will see UTF-8 that is written there: not on a terminal of
 * another character set, as the locale has it, to which its bytes could even be controls.
 */
bool text_is_utf8(FILE *out);

/**
 * text_plain() - make a text, in place, what may stand in a line on standard output: as
 * text_clean() has it, and '?' for what turns the line's direction too; marks that follow no
 * character, or too many of them, and what shows nothing do not stay. Where text_is_utf8() says no,
 * '?' for all but ASCII. Not for programs.
 */
void text_plain(char *text);

/** text_plain_as() - the same for another place than standard output. */
void text_plain_as(char *text, bool is_utf8);

/** text_width() - columns that a plain text takes; of another text once it is plain, in UTF-8. */
int text_width(const char *text);

/** text_end() - as much of the end of a text as fits into @cols columns. Points into it. */
const char *text_end(const char *text, int cols);

/**
 * text_cut() - shorten in place to @cols columns, never inside a character or between it and its
 * marks: ".." stands for the middle, since names often differ in their ends. To very few columns:
 * the end goes.
 */
void text_cut(char *text, int cols);

/**
 * text_put() - write a plain text so that it keeps to its columns: before and behind letters that
 * are written from right to left stands a mark that ends their direction. It takes no column.
 */
void text_put(FILE *out, const char *text);

/** text_put_cut() - write a text, made plain and cut to @cols columns. Returns those it takes. */
int text_put_cut(FILE *out, const char *text, int cols);

/**
 * text_wrap() - write a text, made plain, as lines of at most @cols columns, broken at blanks, or
 * within a word that is longer.
 */
void text_wrap(FILE *out, const char *text, int cols);

/**
 * text_wrap_at() - the same behind @indent columns that have been written; further lines begin
 * there.
 */
void text_wrap_at(FILE *out, const char *text, int indent, int cols);

#endif
