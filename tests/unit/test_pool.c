// SPDX-License-Identifier: GPL-2.0-only
/* Memory of fixed size: kmod/pool.c. */
#include "unit.h"
#include "pool.h"

#define BLOCKS	4
#define UNITS	(BLOCKS * POOL_BLOCK_MAX / POOL_UNIT)

static struct pool pool;
static u64 memory[UNITS * POOL_UNIT / sizeof(u64)];
static u8 state[UNITS];

static void begin(void)
{
	memset(state, 0, sizeof(state));
	pool_init(&pool, memory, state, sizeof(memory));
}

/* All memory is free again, in the largest blocks. */
static void assert_all_free(void)
{
	void *block[BLOCKS];
	u32 i;

	for (i = 0; i < BLOCKS; i++) {
		block[i] = pool_alloc(&pool, POOL_BLOCK_MAX);
		assert_non_null(block[i]);
	}
	assert_null(pool_alloc(&pool, 1));
	for (i = 0; i < BLOCKS; i++)
		pool_free(&pool, block[i]);
}

static void all_memory_is_given_out(void **data)
{
	static void *block[UNITS];
	u32 i;

	begin();
	for (i = 0; i < UNITS; i++) {
		block[i] = pool_alloc(&pool, i % POOL_UNIT + 1);
		assert_non_null(block[i]);
		memset(block[i], 0xff, POOL_UNIT);
	}
	assert_null(pool_alloc(&pool, 1));
	for (i = 0; i < UNITS; i += 2)
		pool_free(&pool, block[i]);
	/* Every second unit is free: no two adjoin. */
	assert_null(pool_alloc(&pool, POOL_UNIT + 1));
	for (i = 1; i < UNITS; i += 2)
		pool_free(&pool, block[i]);
	assert_all_free();
}

static void blocks_too_large_are_refused(void **data)
{
	begin();
	assert_null(pool_alloc(&pool, POOL_BLOCK_MAX + 1));
	assert_null(pool_alloc(&pool, SIZE_MAX));
	assert_all_free();
}

static void sizes_round_up_to_powers_of_two(void **data)
{
	u32 order;

	for (order = 0; order < POOL_ORDERS; order++) {
		size_t size = (size_t)POOL_UNIT << order, nr = 0;

		begin();
		/* The least that needs this order, and the most that fits. */
		while (pool_alloc(&pool, nr % 2 ? size : size / 2 + !!order))
			nr++;
		assert_int_equal(nr, sizeof(memory) / size);
	}
}

/* Blocks do not overlap: each one keeps what was written to it. */
static void random_use(void **data)
{
	struct {
		u8 *block;
		size_t size;
		u8 fill;
	} used[300] = { 0 };
	u64 random = 1;
	u32 turn, i;
	size_t j;

	begin();
	for (turn = 0; turn < 50000; turn++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		i = (random >> 33) % 300;
		if (used[i].block) {
			for (j = 0; j < used[i].size; j++)
				assert_int_equal(used[i].block[j], used[i].fill);
			pool_free(&pool, used[i].block);
			used[i].block = NULL;
			continue;
		}
		used[i].size = 1 + ((random >> 40) & ((1u << (random >> 20) % 13) - 1));
		used[i].fill = turn;
		used[i].block = pool_alloc(&pool, used[i].size);
		if (used[i].block)
			memset(used[i].block, used[i].fill, used[i].size);
	}
	for (i = 0; i < 300; i++)
		if (used[i].block)
			pool_free(&pool, used[i].block);
	assert_all_free();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_memory_is_given_out),
		cmocka_unit_test(blocks_too_large_are_refused),
		cmocka_unit_test(sizes_round_up_to_powers_of_two),
		cmocka_unit_test(random_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
