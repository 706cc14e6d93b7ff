/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opened code files: their segments, symbols, ranges of functions, bytes and source lines. This is a
 * cache. At most BINARIES_MAX files are open at a time, with BINARIES_NAMES_MAX bytes of symbols and
 * ranges in all (one file alone may have more) and the lines of BINARIES_LINES_MAX files. The least
 * recently used are closed first; they are opened again when needed, if that is still possible.
 */
#ifndef BINARIES_H
#define BINARIES_H

#include <sys/types.h>
#include <time.h>

#include "base/intern.h"
#include "resolve/files.h"
#include "sym_compact.h"
#include "sym_ranges.h"
#include "symbolizer.h"

#define BINARIES_MAX		256
#define BINARIES_NAMES_MAX	(200ULL << 20)	/* bytes of symbols and ranges */
#define BINARIES_SYM_BYTES	100		/* of a symbol in an index, with its name: an estimate */
#define BINARIES_LINES_MAX	8
#define BINARIES_CHEAP_MAX	(64ULL << 20)	/* bytes of debug information, see is_cheap */

struct binary {
	struct mapped_file *file;	/* owner of this slot; NULL: free */
	int fd;
	int pid;			/* a process that maps it; 0: none */
	bool is_foreign;		/* opened for a process with another root directory, as in a container */
	off_t len;
	struct timespec changed;	/* when its contents last changed */
	bool has_image;			/* it is an ELF file */
	bool is_indexed;		/* its symbols were looked up */
	bool is_ranged;			/* the ranges of its functions were looked up */
	bool is_lined;			/* its source lines were looked up */
	struct sym_image image;
	struct sym_index *index;	/* NULL: none, or in .compact */
	struct sym_compact *compact;	/* NULL: none, or in .index */
	struct sym_ranges *ranges;	/* of functions; NULL: none */
	struct sym_lines *lines;	/* NULL: none */
	u64 debug_len;			/* bytes of debug information of the lines */
	struct intern names;		/* names in the index, for resolver_inlines.c */
	u64 used;			/* time of last use, by the cache's clock */
};

struct binaries {
	struct binary slot[BINARIES_MAX];
	u64 clock;
	int vdso_fd;			/* copy of our own vdso; -1: none */
	u64 names_max;			/* BINARIES_NAMES_MAX, or a limit of the caller's */
	bool is_compact;		/* symbols are read into compact indexes: there are no others */
	const char *root;		/* first root for debug files; NULL: the process's */
	/*
	 * Read only debug information of root or the user, below our root directory, and BINARIES_CHEAP_MAX of all files:
	 * the root of a container without a user namespace writes files as root, too.
	 */
	bool is_cheap;
	u64 nr_debug_left_out;		/* files whose debug information was not read therefore */
};

/** A mapping of a file, by which the file is found even if its path now leads elsewhere. */
struct binary_hint {
	int pid;		/* a running process; 0: none */
	u64 start;		/* the mapping */
	u64 end;
	bool is_foreign;	/* the process has another root directory than we */
};

/** binaries_init() - start with no open file. The caller keeps @root. */
void binaries_init(struct binaries *binaries, const char *root);

/**
 * binaries_get() - get a file, and open it if necessary.
 *
 * Three ways are tried: the process's mapping, the path in the process's root, and the path in our
 * root. Paths count only if they lead to the mapped inode. In our root, for a process with another one, the device must
 * be that of the mapping, too. NULL: the file cannot be opened. The
 * result is valid until the next call.
 */
struct binary *binaries_get(struct binaries *binaries, struct mapped_file *file,
			    const struct binary_hint *hint);

/** binaries_adopt() - open a file by a descriptor, which the caller keeps. @is_foreign: as in the hint */
struct binary *binaries_adopt(struct binaries *binaries, struct mapped_file *file, int fd, bool is_foreign);

/** binaries_is_it() - whether @fd has the size and modification time of the opened file. */
bool binaries_is_it(const struct binary *binary, int fd);

/**
 * binaries_retire_changed() - retire each open file that was overwritten since it was opened: processes that map it
 * from now on map another file. While a file is open, no other one can have its inode.
 */
void binaries_retire_changed(struct binaries *binaries);

/** A symbol that was found. */
struct binary_symbol {
	struct sym sym;		/* its name is of the index, or the one below */
	char name[SYM_COMPACT_NAME];
};

/**
 * binaries_find() - find the symbol that owns a link-time address. False: none. Symbols are read at first use.
 * @with_name: false: the name is not needed, which may save reading it
 */
bool binaries_find(struct binaries *binaries, struct binary *binary, u64 addr, bool with_name,
		   struct binary_symbol *symbol_ret);

/**
 * binaries_index() - get a binary's symbols, read at first use. NULL: none, or indexes are compact. Valid
 * like it.
 */
const struct sym_index *binaries_index(struct binaries *binaries, struct binary *binary);

/**
 * binaries_ranges() - get the ranges of a binary's functions, read at first use. NULL: none. Valid
 * like it.
 */
const struct sym_ranges *binaries_ranges(struct binaries *binaries, struct binary *binary);

/** binaries_lines() - get a binary's source lines, read at first use. NULL: none. Valid like it. */
struct sym_lines *binaries_lines(struct binaries *binaries, struct binary *binary);

/** binaries_use_debug() - take symbols and source lines from the binary's debug file. */
int binaries_use_debug(struct binaries *binaries, struct binary *binary, int debug_fd);

/** binaries_drop() - close a file, if it is open. */
void binaries_drop(struct mapped_file *file);

/** binaries_deinit() - close all files. */
void binaries_deinit(struct binaries *binaries);

#endif
