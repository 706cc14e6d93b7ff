/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of fixed size for code that cannot allocate: a buddy allocator, with blocks of 64 bytes to
 * 64 KiB. Both operations take at most one step for each of the 11 sizes. The caller has a lock.
 */
#ifndef CPUPROBE_POOL_H
#define CPUPROBE_POOL_H

#include "pure.h"

#define POOL_UNIT	64	/* bytes of the smallest block */
#define POOL_ORDERS	11	/* sizes of blocks, each twice the one before */
#define POOL_BLOCK_MAX	(POOL_UNIT << (POOL_ORDERS - 1))	/* a pool's size is a multiple of this */

struct pool {
	char *memory;
	u8 *state;		/* of each unit: order of the block that begins there, and whether it is free */
	u32 first[POOL_ORDERS];	/* free block of each order: its unit plus one; 0: none */
};

/**
 * pool_init() - begin with all memory free.
 * @memory: @bytes, aligned to pointers
 * @state: @bytes / POOL_UNIT bytes, zeroed
 * @bytes: a multiple of POOL_BLOCK_MAX
 */
void pool_init(struct pool *pool, void *memory, u8 *state, size_t bytes);

/** pool_alloc() - a block of at least @size bytes, at least 1, or NULL. Its content is undefined. */
void *pool_alloc(struct pool *pool, size_t size);

/** pool_free() - give back a block of pool_alloc(). */
void pool_free(struct pool *pool, void *block);

#endif
