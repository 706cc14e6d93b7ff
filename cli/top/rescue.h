/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Restores the terminal when the program cannot: in the handlers of fatal signals, and from a
 * watcher process if the program is killed.
 */
#ifndef TOP_RESCUE_H
#define TOP_RESCUE_H

#include <stddef.h>
#include <termios.h>

/**
 * rescue_begin() - install the handlers and start the watcher.
 * @in_fd: the terminal, whose settings are restored; need not be open for writing
 * @out_fd: the terminal, open for writing
 * @before: terminal settings to restore
 * @during: terminal settings in use
 * @bytes: @len bytes that reset the screen, at most 256
 */
void rescue_begin(int in_fd, int out_fd, const struct termios *before, const struct termios *during,
		  const char *bytes, size_t len);

/** rescue_end() - remove the handlers and end the watcher: the caller restores the terminal. */
void rescue_end(void);

#endif
