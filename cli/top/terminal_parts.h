/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two files that include curses.h: terminal.c has keys and signals, terminal_screen.c the
 * screen.
 */
#ifndef TOP_TERMINAL_PARTS_H
#define TOP_TERMINAL_PARTS_H

#include "top/terminal.h"

/** terminal_begin_screen() - choose colours, if the terminal has any and they are wanted. */
void terminal_begin_screen(void);

/** terminal_forget_screen() - what is on the screen is no longer known. */
void terminal_forget_screen(void);

#endif
