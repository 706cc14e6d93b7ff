/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the two files that include curses.h: terminal.c handles keys and signals,
 * terminal_screen.c the screen.
 */
#ifndef TOP_TERMINAL_PARTS_H
#define TOP_TERMINAL_PARTS_H

#include "top/terminal.h"

/** terminal_begin_screen() - set up colours, if the terminal has them and NO_COLOR is not set. */
void terminal_begin_screen(void);

/** terminal_forget_screen() - make the next terminal_show() draw every cell. */
void terminal_forget_screen(void);

#endif
