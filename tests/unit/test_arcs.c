// SPDX-License-Identifier: GPL-2.0-only
/* Tables of calls: kmod/arcs.c. */
#include "unit.h"
#include "arcs.h"

#define KERNEL	0xffffffff81000000ULL
#define PLACES	64

static struct arc place[PLACES];
static struct arcs arcs;

static void begin(void)
{
	memset(place, 0, sizeof(place));
	arcs_init(&arcs, place, PLACES);
}

/* Calls of a key in all places; a key has one place only. */
static u64 calls_of(u64 key, u32 context)
{
	u32 i, nr = 0;
	u64 calls = 0;

	for (i = 0; i < PLACES; i++)
		if ((u64)local_read(&place[i].key) == key) {
			calls += local_read(&place[i].calls[context]);
			nr++;
		}
	assert_in_range(nr, 0, 1);
	return calls;
}

static void keys_hold_both_addresses(void **state)
{
	static const u64 function[] = { KERNEL, KERNEL + 4, 0xffffffffc0123456, ~0ULL };
	u32 i, j;

	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++) {
			u64 key = arcs_key(function[i], function[j]);

			assert_int_equal(arcs_function(key), function[i]);
			assert_int_equal(arcs_caller(key), function[j]);
		}
}

static void calls_are_counted_by_arc_and_context(void **state)
{
	u64 a = arcs_key(KERNEL, KERNEL + 16), b = arcs_key(KERNEL, KERNEL + 32);
	u32 i;

	begin();
	for (i = 0; i < 5; i++)
		arcs_count(&arcs, a, CPUPROBE_CONTEXT_PROCESS);
	arcs_count(&arcs, a, CPUPROBE_CONTEXT_IRQ);
	arcs_count(&arcs, b, CPUPROBE_CONTEXT_SOFTIRQ);
	assert_int_equal(calls_of(a, CPUPROBE_CONTEXT_PROCESS), 5);
	assert_int_equal(calls_of(a, CPUPROBE_CONTEXT_SOFTIRQ), 0);
	assert_int_equal(calls_of(a, CPUPROBE_CONTEXT_IRQ), 1);
	assert_int_equal(calls_of(b, CPUPROBE_CONTEXT_SOFTIRQ), 1);
	assert_int_equal(local_read(&arcs.lost), 0);
}

/* Whatever the number of arcs, each call is counted once or lost, and nothing is written outside. */
static void a_full_table_loses_calls(void **state)
{
	u64 counted = 0;
	u32 i;

	begin();
	for (i = 0; i < 1000; i++)
		arcs_count(&arcs, arcs_key(KERNEL + 16 * i, KERNEL), 0);
	for (i = 0; i < PLACES; i++)
		counted += local_read(&place[i].calls[0]);
	assert_int_equal(counted + local_read(&arcs.lost), 1000);
	assert_in_range(counted, PLACES * 9 / 10, PLACES);
}

/* A place that an interrupt claims between a look and the claim belongs to the interrupt's arc. */
static void a_lost_race_goes_on_to_the_next_place(void **state)
{
	u64 mine = arcs_key(KERNEL, KERNEL + 16), other = arcs_key(KERNEL + 64, KERNEL);
	struct arc *first;

	begin();
	first = arcs_first(&arcs, mine);
	assert_false(arcs_is_first(first, mine));
	*(u64 *)&first->key = other;
	arcs_count(&arcs, mine, 0);
	assert_int_equal(calls_of(other, 0), 0);
	assert_int_equal(calls_of(mine, 0), 1);
	assert_int_equal(local_read(&place[(first - place + 1) % PLACES].key), (long)mine);
	arcs_count(&arcs, mine, 0);
	assert_int_equal(calls_of(mine, 0), 2);
}

/* Memory holds a power of two of places; a search goes on at the first place after the last one. */
static void a_table_is_a_ring(void **state)
{
	u64 key = arcs_key(KERNEL, KERNEL);
	u32 i;

	assert_int_equal(arcs_places(4096), 128);
	assert_int_equal(arcs_places(1 << 20), 32768);
	assert_int_equal(arcs_places((3 << 20) - 1), 65536);
	begin();
	assert_int_equal(arcs_size(&arcs), PLACES);
	/* A key whose search begins at the last place, which is taken. */
	while (arcs_first(&arcs, key) != &place[PLACES - 1])
		key++;
	*(u64 *)&place[PLACES - 1].key = 1;
	for (i = 0; i < 3; i++)
		arcs_count(&arcs, key, 0);
	assert_int_equal(local_read(&place[0].calls[0]), 3);
}

/* Return addresses in one function, and functions called from one place, spread over the table. */
static void arcs_spread(void **state)
{
	static struct arc many[32768];
	struct arcs table;
	u32 i;

	arcs_init(&table, many, 32768);
	for (i = 0; i < 8192; i++)
		arcs_count(&table, arcs_key(KERNEL + 16 * i, KERNEL + 5 * i), 0);
	for (i = 0; i < 4096; i++)
		arcs_count(&table, arcs_key(KERNEL, KERNEL + 5 * i + 3), 0);
	for (i = 0; i < 4096; i++)
		arcs_count(&table, arcs_key(KERNEL + 64 * i, KERNEL - 32), 0);
	assert_int_equal(local_read(&table.lost), 0);
}

/* A search looks at 8 places, the last one included. */
static void a_search_ends(void **state)
{
	u64 key = arcs_key(KERNEL, KERNEL + 16);
	struct arc *first, *last;
	u32 i;

	begin();
	first = arcs_first(&arcs, key);
	for (i = 0; i < CPUPROBE_CALLS_SEARCH - 1; i++)
		*(u64 *)&place[(first - place + i) % PLACES].key = i + 1;
	last = &place[(first - place + 7) % PLACES];
	arcs_count(&arcs, key, 0);
	assert_int_equal(local_read(&last->calls[0]), 1);
	*(u64 *)&last->key = 8;
	arcs_count(&arcs, key, 0);
	assert_int_equal(local_read(&arcs.lost), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_hold_both_addresses),
		cmocka_unit_test(calls_are_counted_by_arc_and_context),
		cmocka_unit_test(a_full_table_loses_calls),
		cmocka_unit_test(a_lost_race_goes_on_to_the_next_place),
		cmocka_unit_test(a_table_is_a_ring),
		cmocka_unit_test(arcs_spread),
		cmocka_unit_test(a_search_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
