// SPDX-License-Identifier: GPL-2.0-only
/* Frames of addresses that were resolved before: cli/resolve/frame_cache.c. */
#include <stdlib.h>

#include "unit.h"
#include "resolve/frame_cache.h"
#include "resolve/resolver_parts.h"

static struct frame_cache *cache;

static int begin(void **state)
{
	cache = calloc(1, sizeof(*cache));
	return cache ? 0 : -1;
}

static int finish(void **state)
{
	free(cache);
	return 0;
}

static void fill(u32 owner, u64 addr, enum resolver_found found, u32 frame)
{
	struct resolved *place = frame_cache_find(cache, owner, addr, found);

	assert_int_equal(place->owner, 0);
	assert_int_equal(place->inlined, RESOLVER_NO_LINK);
	place->owner = owner;
	place->frame = frame;
}

/* Owners so many that some share a place with the first one: an address counts only for its own. */
#define OWNERS 1000000

/* An address of a file counts only for that file, and for the way in which it was found. */
static void an_address_of_a_file(void **state)
{
	u32 owner;

	fill(1, 0x1000, RESOLVER_AT, 7);
	assert_int_equal(frame_cache_find(cache, 1, 0x1000, RESOLVER_AT)->frame, 7);
	for (owner = 2; owner < OWNERS; owner++)
		assert_int_equal(frame_cache_find(cache, owner, 0x1000, RESOLVER_AT)->owner, 0);
	fill(1, 0x1000, RESOLVER_AT, 8);
	fill(1, 0x1000, RESOLVER_CALLER, 9);
	fill(KERNEL_OWNER, 0x1000, RESOLVER_AT, 10);
	assert_int_equal(frame_cache_find(cache, KERNEL_OWNER, 0x1000, RESOLVER_AT)->frame, 10);
	frame_cache_forget(cache);
	fill(KERNEL_OWNER, 0x1000, RESOLVER_AT, 11);
}

static void an_address_of_a_process(void **state)
{
	const struct resolved resolved = { .frame = 7, .inlined = 3, .found = RESOLVER_RETURN,
					   .is_code = true };
	const struct placed *placed;
	u32 layout;

	assert_null(frame_cache_placed(cache, 0, 0, RESOLVER_AT));
	assert_null(frame_cache_placed(cache, 5, 0x1000, RESOLVER_RETURN));
	frame_cache_place(cache, 5, 0x1000, &resolved, true);
	placed = frame_cache_placed(cache, 5, 0x1000, RESOLVER_RETURN);
	assert_non_null(placed);
	assert_int_equal(placed->frame, 7);
	assert_int_equal(placed->inlined, 3);
	assert_true(placed->is_code && placed->is_plain);
	/* another layout, another way to find it, another address */
	for (layout = 6; layout < OWNERS; layout++)
		assert_null(frame_cache_placed(cache, layout, 0x1000, RESOLVER_RETURN));
	assert_null(frame_cache_placed(cache, 5, 0x1000, RESOLVER_CALLER));
	assert_null(frame_cache_placed(cache, 5, 0x1001, RESOLVER_RETURN));
	frame_cache_forget(cache);
	assert_null(frame_cache_placed(cache, 5, 0x1000, RESOLVER_RETURN));
}

static void a_function_of_a_file(void **state)
{
	u32 file;

	assert_int_equal(frame_cache_entered(cache, 5, 0x1000)->function, 0);
	frame_cache_entered(cache, 5, 0x1000)->function = 40;
	assert_int_equal(frame_cache_entered(cache, 5, 0x1001)->function, 0);
	assert_int_equal(frame_cache_entered(cache, 5, 0x1000)->function, 40);
	for (file = 6; file < OWNERS; file++)
		assert_int_equal(frame_cache_entered(cache, file, 0x1000)->function, 0);
	frame_cache_entered(cache, 5, 0x1000)->function = 40;
	frame_cache_forget(cache);
	assert_int_equal(frame_cache_entered(cache, 5, 0x1000)->function, 0);
}

/* Neighbouring addresses, and equal ones of different layouts, have places of their own. */
static void addresses_spread(void **state)
{
	const struct resolved resolved = { .frame = 7, .found = RESOLVER_AT };
	u32 kept = 0, layout;
	u64 addr;

	for (layout = 1; layout <= 64; layout++)
		for (addr = 0x7f1234560000; addr < 0x7f1234560000 + 64; addr++)
			frame_cache_place(cache, layout, addr, &resolved, false);
	for (layout = 1; layout <= 64; layout++)
		for (addr = 0x7f1234560000; addr < 0x7f1234560000 + 64; addr++)
			kept += !!frame_cache_placed(cache, layout, addr, RESOLVER_AT);
	/* 4,096 addresses at random in 65,536 places: 97% keep theirs. */
	assert_in_range(kept, 4096 * 95 / 100, 4096);
}

/* A small cache uses a part of its memory, and forgets all of that. */
static void small_caches(void **state)
{
	const u32 nr = FRAME_CACHE_PLACES >> FRAME_CACHE_SMALL;
	u32 i;

	cache->coarse = FRAME_CACHE_SMALL;
	for (i = 1; i < OWNERS; i++) {
		frame_cache_find(cache, i, 0x1000, RESOLVER_AT)->owner = i;
		frame_cache_place(cache, i, 0x1000, &(struct resolved){ .frame = i }, true);
		frame_cache_entered(cache, i, 0x1000)->function = i;
	}
	for (i = 0; i < FRAME_CACHE_PLACES; i++) {
		assert_int_equal(!!cache->resolved[i].owner, i < nr);
		assert_int_equal(!!cache->placed[i].layout, i < nr);
		assert_int_equal(!!cache->entered[i].function, i < nr);
	}
	frame_cache_forget(cache);
	for (i = 0; i < nr; i++)
		assert_true(!cache->resolved[i].owner && !cache->placed[i].layout && !cache->entered[i].function);
	assert_int_equal(cache->coarse, FRAME_CACHE_SMALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_address_of_a_file, begin, finish),
		cmocka_unit_test_setup_teardown(an_address_of_a_process, begin, finish),
		cmocka_unit_test_setup_teardown(a_function_of_a_file, begin, finish),
		cmocka_unit_test_setup_teardown(addresses_spread, begin, finish),
		cmocka_unit_test_setup_teardown(small_caches, begin, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
