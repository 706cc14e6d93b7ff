/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A compact index: the same symbols as an index's, in 16 bytes each instead of some hundred. Names of ELF
 * files are not kept: each is read from the file when it is asked for. For measurements that never end, which
 * need the names of few functions of many files. Immutable; may be read from several threads.
 */
#ifndef SYM_COMPACT_H
#define SYM_COMPACT_H

#include "symbolizer.h"

#define SYM_COMPACT_NAME	SYM_NAME_WHOLE	/* bytes that tell any name as sym_name() shows it, with the NUL */

struct sym_compact;

/**
 * sym_compact_create_object() - as sym_index_create_object(). Keeps descriptors of its own of the files that
 * have the names, at most 7. -EFBIG: 4 GiB of names.
 */
int sym_compact_create_object(int fd, const char *path, const char *root, struct sym_compact **compact_ret,
			      struct sym_error *error_ret);

/**
 * sym_compact_create_kallsyms() - as sym_index_create_kallsyms(). The names are kept.
 * @low_ret, @high_ret: addresses of _stext and _etext, or 0 and UINT64_MAX if they have none; may be NULL
 */
int sym_compact_create_kallsyms(const char *path, struct sym_compact **compact_ret, u64 *low_ret, u64 *high_ret,
				struct sym_error *error_ret);

/**
 * sym_compact_find() - find the innermost symbol that owns @addr. False: none. O(log n).
 * @sym_ret: its name is @name
 * @name: filled with the raw name, cut; "" if the file with the name has changed. NULL: not wanted
 */
bool sym_compact_find(const struct sym_compact *compact, u64 addr, struct sym *sym_ret,
		      char name[SYM_COMPACT_NAME]);

/** sym_compact_bytes() - bytes of memory. */
size_t sym_compact_bytes(const struct sym_compact *compact);

/** sym_compact_destroy() - NULL is allowed. */
void sym_compact_destroy(struct sym_compact *compact);

#endif
