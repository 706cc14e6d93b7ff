/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiled unwinding tables of a run, by file: a file whose table the module has dropped, or that the
 * next session needs, is not compiled again. Bounded memory: the tables used least recently go first.
 */
#ifndef UNWIND_CACHE_H
#define UNWIND_CACHE_H

#include "types.h"
#include "sym_unwind.h"

#define UNWIND_CACHE_MAX	4096	/* tables, as many as the module knows files */

/** Identity of a file's contents. All zero: the vdso. */
struct unwind_key {
	u64 device;
	u64 inode;
	u64 len_bytes;
	u64 mtime_ns;
};

struct unwind_cache;

/** unwind_cache_create() - NULL: out of memory. */
struct unwind_cache *unwind_cache_create(void);

void unwind_cache_destroy(struct unwind_cache *cache);

/**
 * unwind_cache_find() - get the table of a file. It stays valid until the next unwind_cache_add().
 * @table_ret: NULL: the file has no call frame information
 * False: the file was not compiled, or its table was dropped.
 */
bool unwind_cache_find(struct unwind_cache *cache, const struct unwind_key *key,
		       const struct sym_unwind **table_ret);

/**
 * unwind_cache_add() - add the table of a file that unwind_cache_find() did not find.
 * @table: belongs to the cache from now on; NULL: the file has no call frame information
 * @limit_bytes: drop other tables until all fit; if this one alone does not, it is destroyed at once
 */
void unwind_cache_add(struct unwind_cache *cache, const struct unwind_key *key,
		      struct sym_unwind *table, u64 limit_bytes);

/** unwind_cache_bytes() - memory of all tables. */
u64 unwind_cache_bytes(const struct unwind_cache *cache);

#endif
