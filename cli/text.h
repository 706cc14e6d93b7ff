/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that crosses borders: error reasons going up, foreign names going out. */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
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

/**
 * text_clean() - replace in place what must not reach a terminal: control
 * characters, and bytes that are not valid UTF-8, become '?'.
 */
void text_clean(char *text);

/** text_base_name() - what stands behind the last slash of a path, if anything does. */
const char *text_base_name(const char *path);

/** text_json() - write a string literal of JSON, quotes included. */
void text_json(FILE *out, const char *text);

/**
 * text_json_with() - the same for readers who see more in a text than JSON does. @put is asked at
 * each character: it writes an escape and returns how many bytes that stands for, or returns 0.
 */
void text_json_with(FILE *out, const char *text, size_t (*put)(FILE *out, const char *text));

/** text_time() - "2026-11-21 07:33:41" of @unix_seconds, local time; returns @text. */
const char *text_time(double unix_seconds, char *text, size_t len);

/** text_ns() - a time as three digits and a unit, "12.3 us"; returns @text. */
const char *text_ns(double ns, char text[16]);

/** text_width() - columns a clean UTF-8 text takes, one per character. */
int text_width(const char *text);

/** text_wrap() - write clean text as lines of at most @cols columns, broken at blanks. */
void text_wrap(FILE *out, const char *text, int cols);

/**
 * text_wrap_at() - the same behind @indent columns that have been written; further lines begin
 * there.
 */
void text_wrap_at(FILE *out, const char *text, int indent, int cols);

/**
 * text_cut() - shorten in place to @cols columns, never inside a character: ".." stands for the
 * middle, since names often differ in their ends. To very few columns: the end goes.
 */
void text_cut(char *text, int cols);

#endif
