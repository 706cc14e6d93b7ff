/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts of UTF-8 that anybody may have written: the only decoder of the library and of the tool.
 * Pure. All texts end with a NUL.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_NONE UINT32_MAX

/**
 * utf8_read() - the character at @*at, which then points after it. UTF8_NONE, and one byte further,
 * for what is no character: overlong forms, surrogates, above U+10FFFF, truncated, a stray byte.
 * At the final NUL: 0, and beyond it.
 */
uint32_t utf8_read(const char **at);

/** utf8_is_control() - whether it is a control character, C0 or C1. */
bool utf8_is_control(uint32_t c);

/** utf8_clean() - in place: control characters, and bytes that are no character, become '?'. */
void utf8_clean(char *text);

/** utf8_cut() - the most bytes, up to @len, of a longer text that end with a whole character. */
size_t utf8_cut(const char *text, size_t len);

#endif
