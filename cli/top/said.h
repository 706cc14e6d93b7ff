/* SPDX-License-Identifier: GPL-2.0-only */
/* What is written to standard error while the screen is in use: kept, and printed afterwards. */
#ifndef TOP_SAID_H
#define TOP_SAID_H

#include <stdbool.h>
#include <stddef.h>

/** said_begin() - from now on. Where that fails it is lost, rather than on the screen. */
void said_begin(void);

/** said_last() - the last line written since the last call; false: none was. */
bool said_last(char *line, size_t len);

/**
 * said_end() - standard error is what it was; what was written is printed there, each line once.
 */
void said_end(void);

#endif
