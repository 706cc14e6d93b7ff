// SPDX-License-Identifier: GPL-2.0-only
/* Memory of fixed size: see pool.h. */
#include "pool.h"

#define POOL_FREE	0x80	/* in the state of a block */

/** Links of a free block, in the block. */
struct free_block {
	u32 next;	/* unit plus one; 0: none */
	u32 previous;
};

static struct free_block *free_block(const struct pool *pool, u32 unit)
{
	return (struct free_block *)(pool->memory + (size_t)unit * POOL_UNIT);
}

static void add_free(struct pool *pool, u32 unit, u32 order)
{
	struct free_block *block = free_block(pool, unit);

	block->next = pool->first[order];
	block->previous = 0;
	if (block->next)
		free_block(pool, block->next - 1)->previous = unit + 1;
	pool->first[order] = unit + 1;
	pool->state[unit] = POOL_FREE | order;
}

static void remove_free(struct pool *pool, u32 unit, u32 order)
{
	const struct free_block *block = free_block(pool, unit);

	if (block->next)
		free_block(pool, block->next - 1)->previous = block->previous;
	if (block->previous)
		free_block(pool, block->previous - 1)->next = block->next;
	else
		pool->first[order] = block->next;
	pool->state[unit] = 0;
}

void pool_init(struct pool *pool, void *memory, u8 *state, size_t bytes)
{
	u32 block = bytes / POOL_BLOCK_MAX;

	*pool = (struct pool){ .memory = memory, .state = state };
	while (block--)
		add_free(pool, block << (POOL_ORDERS - 1), POOL_ORDERS - 1);
}

void *pool_alloc(struct pool *pool, size_t size)
{
	u32 order = fls64((size - 1) / POOL_UNIT), found = order, unit;

	while (found < POOL_ORDERS && !pool->first[found])
		found++;
	if (found >= POOL_ORDERS)
		return NULL;
	unit = pool->first[found] - 1;
	remove_free(pool, unit, found);
	/* The upper half of a block that is too large stays free. */
	while (found-- > order)
		add_free(pool, unit + (1u << found), found);
	pool->state[unit] = order;
	return free_block(pool, unit);
}

void pool_free(struct pool *pool, void *block)
{
	u32 unit = ((char *)block - pool->memory) / POOL_UNIT, order = pool->state[unit], buddy;

	for (; order < POOL_ORDERS - 1; order++) {
		buddy = unit ^ 1u << order;
		if (pool->state[buddy] != (POOL_FREE | order))
			break;
		remove_free(pool, buddy, order);
		pool->state[unit] = 0;
		unit &= buddy;
	}
	add_free(pool, unit, order);
}
