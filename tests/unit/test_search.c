// SPDX-License-Identifier: GPL-2.0-only
/* From the counts of one step to the next range: cli/proc/search.c. */
#include <math.h>
#include <unistd.h>

#include "inputs.h"
#include "proc/search.h"

static u64 hits[CPUPROBE_SLOTS];
static struct slots_layout layout;

static void begin(u64 low, u64 high)
{
	memset(hits, 0, sizeof(hits));
	assert_int_equal(slots_layout_init(&layout, low, high), 0);
}

static void trim_keeps_slots_with_hits(void **state)
{
	struct search_range range = { 1, 2 };

	begin(0x1003, 0x8fff);			/* slots of 64, from 0x1000 */
	assert_int_equal(layout.shift, 6);
	assert_false(search_trim(&layout, hits, &range));
	assert_int_equal(range.low, 1);
	hits[0] = 1;
	assert_true(search_trim(&layout, hits, &range));
	assert_int_equal(range.low, 0x1003);	/* never outside the old limits */
	assert_int_equal(range.high, 0x1040);
	hits[0] = 0;
	hits[5] = 1, hits[300] = 2;
	assert_true(search_trim(&layout, hits, &range));
	assert_int_equal(range.low, 0x1000 + 5 * 64);
	assert_int_equal(range.high, 0x1000 + 301 * 64);
	hits[layout.nr_slots - 1] = 1;
	assert_true(search_trim(&layout, hits, &range));
	assert_int_equal(range.high, 0x8fff);
}

/* The figures in the documentation. */
static void unseen_share(void **state)
{
	assert_true(fabs(search_unseen(381, 0) - 0.00998) < 0.0001);
	assert_true(search_unseen(380, 0) > 0.01);
	assert_true(search_unseen(0, 0) == 1);
}

static void a_sixteenth_that_stands_out(void **state)
{
	struct search_hot hot;

	begin(0x10000, 0x10000 + 512 * 256);
	assert_false(search_hottest(&layout, hits, 0, NULL, &hot));
	for (int i = 0; i < 512; i++)
		hits[i] = 1;
	assert_true(search_hottest(&layout, hits, 0, NULL, &hot));
	assert_false(hot.stands_out);		/* flat */
	/* 32 slots across two of the grid's sixteenths: windows begin anywhere */
	for (int i = 50; i < 82; i++)
		hits[i] = 20;
	assert_true(search_hottest(&layout, hits, 0, NULL, &hot));
	assert_true(hot.stands_out);
	assert_int_equal(hot.range.low, 0x10000 + 50 * 256);
	assert_int_equal(hot.range.high, 0x10000 + 82 * 256);
	assert_int_equal(hot.hits, 640);
	assert_int_equal(hot.next_hits, 32);
	assert_true(hot.interval.lo > hot.next_interval.hi);
	/* corrected for 481 windows and 16 looks */
	assert_true(hot.interval.lo == stat_wilson_at(640.0 / 1120, 1120, 0, stat_z(481 * 16)).lo);
	assert_true(hot.next_interval.hi == stat_wilson_at(32.0 / 1120, 1120, 0, stat_z(481 * 16)).hi);
	/* of two equal windows neither is the hottest */
	for (int i = 200; i < 232; i++)
		hits[i] = 20;
	assert_true(search_hottest(&layout, hits, 0, NULL, &hot));
	assert_false(hot.stands_out);
	assert_int_equal(hot.next_hits, 640);
}

/* The next best may begin where the best ends, or end where the best begins, but not overlap it. */
static void next_best_does_not_overlap(void **state)
{
	struct search_hot hot;

	for (int is_behind = 0; is_behind < 2; is_behind++) {
		int next = is_behind ? 132 : 68;

		begin(0x10000, 0x10000 + 512 * 256);
		for (int i = 0; i < 32; i++) {
			hits[100 + i] = 20;
			hits[next + i] = 15;
		}
		assert_true(search_hottest(&layout, hits, 0, NULL, &hot));
		assert_int_equal(hot.hits, 640);
		assert_int_equal(hot.range.low, 0x10000 + 100 * 256);
		assert_int_equal(hot.next_hits, 480);
		assert_int_equal(hot.next.low, 0x10000 + next * 256);
		assert_int_equal(hot.next.high, 0x10000 + (next + 32) * 256);
	}
}

/* A function of exactly a slot counts; a smaller one cannot be told from its neighbours. */
static void functions_of_a_slot(void **state)
{
	struct sym_index *index = symbols_of("10000 1000 T cold\n11000 80 T slot\n"
					     "11080 7f T less\n110ff e000 T rest\n");
	struct search_hot hot;

	begin(0x10000, 0x20000);		/* slots of 128 */
	assert_int_equal(layout.shift, 7);
	hits[(0x11000 - 0x10000) / 128] = 600;
	for (int i = 0; i < 512; i += 5)
		hits[i]++;
	assert_true(search_hottest(&layout, hits, 0, index, &hot));
	assert_non_null(hot.function);
	assert_string_equal(hot.function->name, "slot");
	hits[(0x11000 - 0x10000) / 128] = 0;
	hits[(0x11080 - 0x10000) / 128] = 600;
	assert_true(search_hottest(&layout, hits, 0, index, &hot));
	assert_true(!hot.function || strcmp(hot.function->name, "less"));
	sym_index_destroy(index);
}

/* Noise without a hot part is mistaken for one in at most 5% of searches, over all looks. */
static void flat_noise_stays_flat(void **state)
{
	u64 x = 88172645463325252ULL;
	int wrong = 0, searches = 2000;

	for (int search = 0; search < searches; search++) {
		bool is_wrong = false;
		struct search_hot hot;

		begin(0, 512);
		for (int n = 1; n <= 2048; n++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			hits[(x >> 20) & 511]++;
			if (n >= SEARCH_FIRST_LOOK && !(n & (n - 1)))
				is_wrong |= search_hottest(&layout, hits, 0, NULL, &hot) &&
					hot.stands_out;
		}
		wrong += is_wrong;
	}
	assert_true(wrong <= 0.05 * searches);
}

static void a_function_that_stands_out(void **state)
{
	struct sym_index *index = symbols_of("0000000000010000 0000000000008000 T cold\n"
					     "0000000000018000 0000000000002800 T warm\n"
					     "000000000001a800 0000000000000400 T hot_one\n"
					     "000000000001ac00 0000000000005400 T rest\n");
	struct search_hot hot;

	begin(0x10000, 0x20000);		/* slots of 128 */
	hits[(0x1a800 - 0x10000) / 128] = 300;
	hits[(0x1aa00 - 0x10000) / 128] = 300;
	for (int i = 0; i < 512; i += 5)
		hits[i]++;
	assert_true(search_hottest(&layout, hits, 0, index, &hot));
	assert_true(hot.stands_out);
	assert_string_equal(hot.function->name, "hot_one");
	assert_int_equal(hot.range.low, 0x1a800);
	assert_int_equal(hot.range.high, 0x1ac00);
	/* the range is that function: the search continues in its slots */
	begin(0x1a800, 0x1ac00);
	hits[100] = 50;
	assert_true(search_hottest(&layout, hits, 0, index, &hot));
	assert_null(hot.function);
	assert_true(hot.stands_out && hot.range.low <= 0x1a800 + 200);
	/* all slots are equal: no function is named, although the whole range is in one */
	for (u32 i = 0; i < layout.nr_slots; i++)
		hits[i] = 10;
	assert_true(search_hottest(&layout, hits, 0, index, &hot));
	assert_null(hot.function);
	assert_false(hot.stands_out);
	/* single bytes: the samples of an instruction are at its first byte */
	begin(0x1a800, 0x1a900);
	hits[7] = 60, hits[9] = 10;
	assert_true(search_hottest(&layout, hits, 0, index, &hot));
	assert_true(hot.stands_out);
	assert_int_equal(hot.range.low, 0x1a807);
	assert_int_equal(hot.range.high, 0x1a808);
	assert_int_equal(hot.next.low, 0x1a809);
	sym_index_destroy(index);
}

static void one_hit_does_not_stand_out(void **state)
{
	struct search_hot hot;

	begin(0x1000, 0x9000);
	hits[77] = 1;
	assert_true(search_hottest(&layout, hits, 0, NULL, &hot));
	assert_false(hot.stands_out);
	assert_int_equal(hot.hits, 1);
	assert_int_equal(hot.next_hits, 0);
	/* a range of one slot leaves no choice */
	begin(5, 6);
	hits[0] = 1000;
	assert_true(search_hottest(&layout, hits, 0, NULL, &hot));
	assert_int_equal(hot.range.low, 5);
	assert_int_equal(hot.range.high, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trim_keeps_slots_with_hits), cmocka_unit_test(unseen_share),
		cmocka_unit_test(a_sixteenth_that_stands_out),
		cmocka_unit_test(next_best_does_not_overlap), cmocka_unit_test(functions_of_a_slot),
		cmocka_unit_test(flat_noise_stays_flat),
		cmocka_unit_test(a_function_that_stands_out),
		cmocka_unit_test(one_hit_does_not_stand_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
