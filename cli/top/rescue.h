/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives the terminal back when the program cannot: from the handlers of signals that crash it, and
 * from a process that watches for it to be killed outright.
 */
#ifndef TOP_RESCUE_H
#define TOP_RESCUE_H

#include <stddef.h>
#include <termios.h>

/**
 * rescue_begin() - stand by. @before: settings of the terminal to return to
 * @during: those in use; @bytes: what resets the screen, at most 256 of them
 */
void rescue_begin(int fd, const struct termios *before, const struct termios *during,
		  const char *bytes, size_t len);

/** rescue_end() - all is well: the terminal has been given back. */
void rescue_end(void);

#endif
