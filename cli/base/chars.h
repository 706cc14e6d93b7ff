/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Characters of names, which are foreign, as a terminal has them: the one measure of tables and
 * of the live view. Names are bytes of UTF-8 whatever the locale says.
 */
#ifndef CHARS_H
#define CHARS_H

#include <stdbool.h>
#include <stdint.h>

#define CHAR_MARKS_MAX 2	/* shown on one character: more would reach into the lines around */

/**
 * char_cols() - columns that a character of utf8_read() takes: 1 or 2, or 0 if it changes the
 * character before it. -1: it must not be shown, because it is no character, the C library does
 * not know it, it controls the terminal, or it turns or ends the line.
 */
int char_cols(uint32_t c);

/** char_is_invisible() - whether it shows nothing and may be left away: joiners, selectors. */
bool char_is_invisible(uint32_t c);

/** char_is_right_to_left() - whether it is a letter written in that direction, or its mark. */
bool char_is_right_to_left(uint32_t c);

#endif
