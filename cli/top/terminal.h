/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal, through ncurses: shows cells, returns keys, and is restored however the program
 * ends. There is one terminal. While it is open, signals that end, stop or continue a program are
 * blocked and become events, and standard error is captured.
 */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "base/text.h"
#include "top/cells.h"

enum terminal_event {
	TERMINAL_NOTHING,
	TERMINAL_KEY,
	TERMINAL_REDRAW,	/* the size has changed, or the screen was overwritten */
	TERMINAL_ENDED,		/* hang-up, or a signal asks the program to end */
};

/** terminal_check() - check that the terminal is usable. -ENOTTY, -EINVAL with a reason. */
int terminal_check(struct text_error *error_ret);

/** terminal_open() - set up the terminal. @only_ascii: no UTF-8, even if the locale has it. */
int terminal_open(bool only_ascii, struct text_error *error_ret);

/** terminal_close() - restore the terminal, and print the captured standard error. */
void terminal_close(void);

/** terminal_fd() - a descriptor that is readable when terminal_next() has an event. */
int terminal_fd(void);

/** terminal_next() - the next event, without waiting. Call it until TERMINAL_NOTHING. */
enum terminal_event terminal_next(u32 *key_ret);

/** terminal_size() - current rows and columns, and whether to use UTF-8 instead of ASCII. */
void terminal_size(int *rows_ret, int *cols_ret, bool *is_utf8_ret);

/** terminal_show() - show the cells on the screen. */
void terminal_show(const struct cells *cells);

/** terminal_said() - the last new line of captured standard error, as said_last(). */
bool terminal_said(char *line, size_t len);

#endif
