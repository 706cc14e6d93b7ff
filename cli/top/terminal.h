/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal, by way of ncurses: shows cells, hands out keys, and is left as it was found however
 * the program ends. One at a time. While it is open, signals that end, stop or continue a program
 * are blocked and come as events, and what is written to standard error is kept for the caller.
 */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "base/text.h"
#include "top/cells.h"

enum terminal_event {
	TERMINAL_NOTHING,
	TERMINAL_KEY,
	TERMINAL_REDRAW,	/* another size, or what was shown is gone */
	TERMINAL_ENDED,		/* it was closed, or a signal wants the program to end */
};

/** terminal_check() - whether there is one that will do. -ENOTTY, -EINVAL with a reason. */
int terminal_check(struct text_error *error_ret);

/** terminal_open() - take it over. @only_ascii: also where more can be shown. */
int terminal_open(bool only_ascii, struct text_error *error_ret);

/** terminal_close() - give it back; what was written to standard error meanwhile is printed. */
void terminal_close(void);

/** terminal_fd() - can be read when terminal_next() has something. */
int terminal_fd(void);

/** terminal_next() - what has happened; to be called until nothing has. Does not wait. */
enum terminal_event terminal_next(uint32_t *key_ret);

/** terminal_size() - rows and columns; whether it shows more than ASCII. */
void terminal_size(int *rows_ret, int *cols_ret, bool *is_utf8_ret);

/** terminal_show() - make the screen look like that. */
void terminal_show(const struct cells *cells);

/** terminal_said() - the last line written to standard error since the last call; false: none. */
bool terminal_said(char *line, size_t len);

#endif
