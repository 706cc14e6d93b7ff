// SPDX-License-Identifier: GPL-2.0-only
/* Compiled unwinding tables of a run: cli/run/unwind_cache.c. */
#include "unit.h"
#include "run/unwind_cache.h"

#define ROWS	1000	/* of each table: 4 KiB, and little else */

static struct sym_unwind *make_table(u32 nr_rows)
{
	struct sym_unwind *table = calloc(1, sizeof(*table));

	table->nr_pages = 1;
	table->nr_rows = nr_rows;
	table->nr_rules = 1;
	table->pages = calloc(2, sizeof(u32));
	table->rows = calloc(nr_rows, sizeof(u32));
	table->rules = calloc(1, sizeof(struct cpuprobe_rule));
	return table;
}

static struct unwind_key key_of(u64 inode)
{
	return (struct unwind_key){ .device = 1, .inode = inode, .len_bytes = 2, .mtime_ns = 3 };
}

static bool has(struct unwind_cache *cache, u64 inode)
{
	const struct unwind_key key = key_of(inode);
	const struct sym_unwind *table;

	return unwind_cache_find(cache, &key, &table);
}

static void add(struct unwind_cache *cache, u64 inode, u64 limit)
{
	const struct unwind_key key = key_of(inode);

	unwind_cache_add(cache, &key, make_table(ROWS), limit);
}

/* A file that changed is another one, in each part of its identity. */
static void contents_are_identified(void **state)
{
	struct unwind_cache *cache = unwind_cache_create();
	struct sym_unwind *table = make_table(ROWS);
	const struct unwind_key keys[] = {
		{ 1, 2, 3, 4 }, { 9, 2, 3, 4 }, { 1, 9, 3, 4 }, { 1, 2, 9, 4 }, { 1, 2, 3, 9 },
	};
	const struct sym_unwind *found = NULL;

	assert_false(unwind_cache_find(cache, &keys[0], &found));
	unwind_cache_add(cache, &keys[0], table, 1 << 20);
	assert_true(unwind_cache_find(cache, &keys[0], &found));
	assert_ptr_equal(found, table);
	for (int i = 1; i < 5; i++)
		assert_false(unwind_cache_find(cache, &keys[i], &found));
	unwind_cache_destroy(cache);
}

/* The cache remembers files without call frame information too. */
static void no_information(void **state)
{
	struct unwind_cache *cache = unwind_cache_create();
	const struct unwind_key key = key_of(7);
	const struct sym_unwind *found = (void *)1;

	unwind_cache_add(cache, &key, NULL, 1 << 20);
	assert_true(unwind_cache_find(cache, &key, &found));
	assert_null(found);
	unwind_cache_destroy(cache);
	unwind_cache_destroy(NULL);
}

static void least_used_tables_go_first(void **state)
{
	struct unwind_cache *cache = unwind_cache_create();
	u64 limit;

	add(cache, 1, 1 << 20);
	limit = 3 * unwind_cache_bytes(cache);
	assert_in_range(limit, 3 * 4 * ROWS, 3 * 4 * ROWS + 1000);
	add(cache, 2, limit);
	add(cache, 3, limit);
	assert_int_equal(unwind_cache_bytes(cache), limit);
	assert_true(has(cache, 1));
	add(cache, 4, limit);
	assert_int_equal(unwind_cache_bytes(cache), limit);
	assert_false(has(cache, 2));
	assert_true(has(cache, 1) && has(cache, 3) && has(cache, 4));
	/* Used in this order: 1 is the oldest now. */
	add(cache, 5, limit);
	assert_false(has(cache, 1));
	/* The limit may shrink; one byte less than two tables leaves one. */
	add(cache, 6, limit / 3 * 2 - 1);
	assert_int_equal(unwind_cache_bytes(cache), limit / 3);
	assert_true(has(cache, 6));
	/* A table that does not fit at all leaves the others alone. */
	add(cache, 7, limit / 3 - 1);
	assert_false(has(cache, 7));
	assert_true(has(cache, 6));
	unwind_cache_destroy(cache);
}

/* Empty tables take no memory to speak of, but their number is limited. */
static void number_of_tables(void **state)
{
	struct unwind_cache *cache = unwind_cache_create();

	for (u64 i = 0; i <= UNWIND_CACHE_MAX; i++) {
		const struct unwind_key key = key_of(i);

		unwind_cache_add(cache, &key, NULL, 1 << 30);
	}
	assert_false(has(cache, 0));
	assert_true(has(cache, 1));
	assert_true(has(cache, UNWIND_CACHE_MAX));
	unwind_cache_destroy(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contents_are_identified), cmocka_unit_test(no_information),
		cmocka_unit_test(least_used_tables_go_first), cmocka_unit_test(number_of_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
