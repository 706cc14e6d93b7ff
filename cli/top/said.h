/* SPDX-License-Identifier: GPL-2.0-only */
/* Captures standard error while the screen is in use, and prints the output afterwards. */
#ifndef TOP_SAID_H
#define TOP_SAID_H

#include <stdbool.h>
#include <stddef.h>

/** said_begin() - start capturing. Without memory, the output is discarded. */
void said_begin(void);

/**
 * said_last() - copy the last line written since the previous call, with the message before it if
 * the line is a hint. False: no new line.
 */
bool said_last(char *line, size_t len);

/**
 * said_end() - restore standard error, and print the captured lines there, each distinct line once.
 */
void said_end(void);

#endif
