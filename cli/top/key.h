/* SPDX-License-Identifier: GPL-2.0-only */
/* Codes of keys that are not characters; a character's code is its Unicode number. */
#ifndef TOP_KEY_H
#define TOP_KEY_H

enum key {
	TOP_ENTER = 0x110000, TOP_ESCAPE, TOP_UP, TOP_DOWN, TOP_LEFT, TOP_RIGHT, TOP_PAGE_UP,
	TOP_PAGE_DOWN, TOP_HOME, TOP_END, TOP_ERASE, TOP_NONE
};

#endif
