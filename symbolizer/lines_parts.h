/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Internals of debug information: lines.c opens it and finds lines, lines_dropped.c sets lines of dropped functions
 * apart, inlines.c finds inlined calls.
 */
#ifndef SYMBOLIZER_LINES_PARTS_H
#define SYMBOLIZER_LINES_PARTS_H

#include <elfutils/libdw.h>

#include "internal.h"

#define UNITS_HELD_MAX	1024	/* compilation units whose lines libdw keeps decoded */
#define ROWS_HELD_MAX	(1u << 20)	/* ... with so many rows in all; one unit alone may have more */

/** Addresses of one compilation unit. */
struct lines_range {
	u64 start;
	u64 end;
	Dwarf_Off unit;
};

/** A unit that was used since libdw opened the file. */
struct lines_held {
	Dwarf_Off unit;		/* offset plus one; 0: free */
	bool is_decoded;	/* its rows were counted */
};

struct inlines;

struct sym_lines {
	char *bytes;		/* the file; read, not mapped, because it may shrink during use */
	Elf *elf;
	void *tables;		/* line tables that libdw reads instead of those in the file; NULL: none */
	Dwarf *dwarf;
	u64 code_start;		/* lowest address of code: below are functions that the linker dropped */
	struct lines_range *ranges;	/* by start */
	size_t nr;
	size_t max;
	struct lines_held held[2 * UNITS_HELD_MAX];	/* hash table */
	struct lines_held *last_held;	/* of the unit that was opened last */
	unsigned int nr_held;
	u64 nr_rows;		/* of the held units */
	u64 rows_max;		/* ROWS_HELD_MAX, or a limit of a test's */
	struct inlines *inlines;	/* cache of inlines.c; NULL: nothing was looked up yet */
};

/** lines_open_unit() - get the compilation unit of an address. False: none, or out of memory. */
bool lines_open_unit(struct sym_lines *lines, u64 addr, Dwarf_Die *unit_ret);

/** lines_code_start() - get the lowest address of a file's sections of code. 0: there are none. */
u64 lines_code_start(Elf *elf);

/**
 * lines_move_dropped() - move line tables of functions that the linker dropped above all code, in a copy that libdw
 * reads instead of the file's. Called before libdw reads any. -ENOMEM.
 */
int lines_move_dropped(struct sym_lines *lines);

/** inlines_destroy() - free the cache; NULL is allowed. */
void inlines_destroy(struct inlines *inlines);

#endif
