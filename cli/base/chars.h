/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Characters of untrusted names on a terminal. Tables and the live view use the same widths. Names
 * are UTF-8 in any locale.
 */
#ifndef CHARS_H
#define CHARS_H

#include <stdbool.h>

#include "types.h"

#define CHAR_MARKS_MAX 2	/* shown on one character; more would cover neighbouring lines */

/**
 * char_cols() - width of a character from utf8_read(): 1 or 2 columns, or 0 if it combines with the
 * character before it. -1: the character must not be shown. It is invalid, unknown to the C
 * library, controls the terminal, or changes the direction or ends the line.
 */
int char_cols(u32 c);

/** char_is_invisible() - whether a character shows nothing and may be omitted, like a joiner. */
bool char_is_invisible(u32 c);

/** char_is_right_to_left() - whether a letter or mark belongs to a right-to-left script. */
bool char_is_right_to_left(u32 c);

#endif
