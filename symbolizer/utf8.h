/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Untrusted UTF-8 text: the only decoder of the library and of the tool. Pure. All texts end with a
 * NUL.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

#define UTF8_NONE UINT32_MAX

/**
 * utf8_read() - read the character at @*at and advance @*at past it. UTF8_NONE, and one byte
 * further, for invalid input: overlong forms, surrogates, above U+10FFFF, truncated characters,
 * stray bytes. At the final NUL: 0, and past it.
 */
u32 utf8_read(const char **at);

/** utf8_is_control() - whether @c is a control character, C0 or C1. */
bool utf8_is_control(u32 c);

/** utf8_clean() - replace control characters and invalid bytes by '?', in place. */
void utf8_clean(char *text);

/** utf8_cut() - length, at most @len, at which a longer text is cut at a character boundary. */
size_t utf8_cut(const char *text, size_t len);

#endif
