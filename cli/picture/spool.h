/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries of many rows that come in any order and are read row by row. They wait in an unnamed temporary
 * file; memory has one block of each row.
 */
#ifndef SPOOL_H
#define SPOOL_H

#include <stdio.h>

#include "types.h"

#define SPOOL_ENTRIES	255

struct spool_entry {
	u64 ns;
	u32 what;
	u32 is_end;
};

struct spool_block {
	u64 before;		/* place in the file of the row's block before this one, plus one; 0: none */
	u64 nr;
	struct spool_entry entry[SPOOL_ENTRIES];
};

struct spool {
	FILE *file;
	struct spool_block **blocks;	/* by row; NULL: nothing yet */
	u32 nr_rows;
	u64 nr_written;		/* blocks in the file */
	int error;
};

/** spool_init() - -errno: nothing to deinit. */
int spool_init(struct spool *spool, u32 nr_rows);

void spool_deinit(struct spool *spool);

/** spool_add() - append an entry to a row. @error keeps the first error. */
void spool_add(struct spool *spool, u32 row, struct spool_entry entry);

/** spool_read - gets the entries of a row, in order. */
typedef void (*spool_read)(void *context, const struct spool_entry *entry);

/** spool_read_row() - read a row, after its last spool_add(). 0 or -errno. */
int spool_read_row(struct spool *spool, u32 row, spool_read read, void *context);

#endif
