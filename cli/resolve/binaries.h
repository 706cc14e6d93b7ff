/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are mapped as code, opened: their segments, symbols, bytes and source lines. A
 * cache: at most BINARIES_MAX are open at a time, with at most BINARIES_SYMS_MAX symbols in all
 * (but one may have more by itself) and the lines of BINARIES_LINES_MAX files; those that were
 * used least recently go first, and are opened again when they can be.
 */
#ifndef BINARIES_H
#define BINARIES_H

#include <sys/types.h>
#include <time.h>

#include "resolve/files.h"
#include "symbolizer.h"

#define BINARIES_MAX		256
#define BINARIES_SYMS_MAX	2000000		/* some 100 bytes each */
#define BINARIES_LINES_MAX	8

struct binary {
	struct mapped_file *file;	/* whose this is; NULL: free */
	int fd;
	int pid;			/* a process that maps it; 0: none */
	off_t len;
	struct timespec changed;	/* its contents, last */
	bool has_image;			/* it is an ELF file */
	bool is_indexed;		/* its symbols have been looked for */
	bool is_lined;			/* its source lines too */
	struct sym_image image;
	struct sym_index *index;	/* NULL: none */
	struct sym_lines *lines;	/* NULL: none */
	uint64_t used;			/* the highest was used last */
};

struct binaries {
	struct binary slot[BINARIES_MAX];
	uint64_t clock;
	int vdso_fd;			/* a copy of our own; -1: none */
	const char *root;		/* where debug files are looked for first; NULL: in that
					   of the process */
};

/** Where a file is mapped, so that it is found though its path leads elsewhere. */
struct binary_hint {
	int pid;		/* of a process that runs now; 0: none */
	uint64_t start;		/* the mapping */
	uint64_t end;
};

/** binaries_init() - none open. @root stays the caller's. */
void binaries_init(struct binaries *binaries, const char *root);

/**
 * binaries_get() - a file, opened if need be: as the process has it mapped, by its path in the
 * process's root, by its path in ours; always the same inode, or none. NULL: not to be had.
 * Valid until the next is asked for.
 */
struct binary *binaries_get(struct binaries *binaries, struct mapped_file *file,
			    const struct binary_hint *hint);

/** binaries_adopt() - open it by a descriptor that leads to it, which stays the caller's. */
struct binary *binaries_adopt(struct binaries *binaries, struct mapped_file *file, int fd);

/** binaries_is_it() - whether @fd has the contents that the opened file had. */
bool binaries_is_it(const struct binary *binary, int fd);

/** binaries_index() - its symbols, read at first use; NULL: none. Valid like the binary. */
const struct sym_index *binaries_index(struct binaries *binaries, struct binary *binary);

/** binaries_lines() - its source lines, read at first use; NULL: none. Valid like the binary. */
struct sym_lines *binaries_lines(struct binaries *binaries, struct binary *binary);

/** binaries_use_debug() - take symbols, and lines, from a debug file that belongs to it. */
int binaries_use_debug(struct binaries *binaries, struct binary *binary, int debug_fd);

/** binaries_drop() - close it, if it is open. */
void binaries_drop(struct mapped_file *file);

/** binaries_deinit() - close all. */
void binaries_deinit(struct binaries *binaries);

#endif
