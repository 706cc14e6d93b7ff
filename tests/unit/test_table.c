// SPDX-License-Identifier: GPL-2.0-only
/* The hashed system table: kmod/table.c, the file that the kernel runs. */
#include "unit.h"
#include "table.h"

static struct table table;

static int reset(void **state)
{
	memset(&table, 0, sizeof(table));
	return 0;
}

/* XOR of all sixteen bytes of the id, top bit cleared. */
static u32 plain_hash(const struct identity *who)
{
	const unsigned char *byte = (const unsigned char *)who->id;
	unsigned char hash = 0;

	for (size_t i = 0; i < sizeof(who->id); i++)
		hash ^= byte[i];
	return hash & 0x7f;
}

static void hash_matches_the_paper(void **state)
{
	struct identity who = { { 0x0123456789abcdef, 0xfedcba98 }, CPUPROBE_KIND_EXE };

	for (int i = 0; i < 100000; i++) {
		assert_int_equal(table_hash(&who), plain_hash(&who));
		who.id[0] = who.id[0] * 6364136223846793005ULL + 1442695040888963407ULL;
		who.id[1] ^= who.id[0] >> 7;
	}
}

static void same_identity_same_record(void **state)
{
	struct identity a = { { 5, 0 }, CPUPROBE_KIND_EXE },
		b = { { 5, 0 }, CPUPROBE_KIND_KTHREAD };
	bool created = false;
	struct cpuprobe_record *record = table_get(&table, &a, &created);

	assert_true(created);
	created = false;
	assert_ptr_equal(table_get(&table, &a, &created), record);
	assert_false(created);
	assert_ptr_not_equal(table_get(&table, &b, &created), record);
	assert_true(created);
	assert_int_equal(table.nr_records, 2);
}

/* Identities that differ in a single byte of one word are distinct. */
static void every_word_counts(void **state)
{
	static const struct identity who[] = {
		{ { 5, 7 }, CPUPROBE_KIND_EXE }, { { 5, 6 }, CPUPROBE_KIND_EXE },
		{ { 4, 7 }, CPUPROBE_KIND_EXE },
		{ { 5, 7 | 1ULL << 63 }, CPUPROBE_KIND_EXE },
		{ { 5 | 1ULL << 63, 7 }, CPUPROBE_KIND_EXE },
	};
	struct cpuprobe_record *record[5];
	bool created;

	for (int i = 0; i < 5; i++) {
		created = false;
		record[i] = table_get(&table, &who[i], &created);
		assert_true(created);
		assert_int_equal(record[i]->id[0], who[i].id[0]);
		assert_int_equal(record[i]->id[1], who[i].id[1]);
		assert_int_equal(table.nr_records, i + 1);
	}
	for (int i = 0; i < 5; i++)
		assert_ptr_equal(table_get(&table, &who[i], &created), record[i]);
}

/* Six identities with one hash: five find adjacent room, with wrap-around, the sixth is lost. */
static void search_is_limited_to_five(void **state)
{
	struct cpuprobe_record *record[6];
	bool created;

	for (u64 i = 0; i < 6; i++) {
		struct identity who = { { 126 ^ i ^ (i << 8), 0 }, CPUPROBE_KIND_EXE };

		assert_int_equal(table_hash(&who), 126);
		record[i] = table_get(&table, &who, &created);
	}
	for (int i = 0; i < 5; i++)
		assert_ptr_equal(record[i], &table.record[(126 + i) % 128]);
	assert_null(record[5]);
	assert_int_equal(table.nr_records, 5);
}

/* Whatever was found last, the fast way finds the record of an identity, or none; where another has its place: none. */
static void the_fast_way_agrees_with_the_search(void **state)
{
	const struct identity unknown = { { 77, 0 }, CPUPROBE_KIND_EXE };
	struct cpuprobe_record *record[3], *found;
	struct identity who[3];
	bool created;

	assert_false(table_find_fast(&table, &unknown, &found));
	for (u64 i = 0; i < 3; i++) {
		/* The first two have one place, so that the second is found by the search alone. */
		who[i] = (struct identity){ { i < 2 ? 126 ^ i ^ (i << 8) : 5, 9 }, CPUPROBE_KIND_EXE };
		record[i] = table_get(&table, &who[i], &created);
	}
	for (int i = 0; i < 100; i++) {
		const int at = i * 7 % 5 % 3;

		found = NULL;
		assert_int_equal(table_find_fast(&table, &who[at], &found), at != 1);
		assert_ptr_equal(found, at == 1 ? NULL : record[at]);
		assert_false(table_find_fast(&table, &unknown, &found));
	}
	/* The one found last needs no hash. */
	assert_true(table_find_fast(&table, &who[2], &found));
	assert_ptr_equal((char *)table.record + table.recent, record[2]);
	memset(&table, 0, sizeof(table));
	assert_false(table_find_fast(&table, &who[2], &found));
}

/* records + lost = taken, for any input. */
static void every_sample_is_counted_or_lost(void **state)
{
	u64 taken = 0, lost = 0, x = 1;

	for (int i = 0; i < 100000; i++) {
		struct identity who = { { 0, 0 }, CPUPROBE_KIND_EXE };
		struct cpuprobe_record *record;
		bool created;

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		who.id[0] = (x >> 33) % 150 * 2654435761u;
		record = table_get(&table, &who, &created);
		taken++;
		if (record)
			record->hits[i % CPUPROBE_MODES]++;
		else
			lost++;
	}
	assert_true(lost > 0);
	assert_int_equal(table_hits(&table) + lost, taken);
	assert_in_range(table.nr_records, 100, 128);
}

/*
 * Losses at 2,000 new identities a second: one sample of a new identity every 0.5 ms, and a harvest
 * 5 ms after the table has asked for it, which is late for a tool that was woken.
 */
static double model_lost(bool is_random, u32 seed)
{
	const int late_samples = 10;
	u64 x = seed, taken = 0, lost = 0;
	int until_harvest = -1;

	memset(&table, 0, sizeof(table));
	for (u32 i = 0; i < 400000; i++, taken++) {
		struct identity who = {
			{ (1000 + i) * CPUPROBE_INODE_FACTOR, 0x800000000ULL }, CPUPROBE_KIND_EXE
		};
		bool created = false;

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		if (is_random)
			who.id[0] = x >> 16;
		lost += !table_get(&table, &who, &created);
		if (until_harvest < 0 && table.nr_records >= CPUPROBE_WAKE_RECORDS)
			until_harvest = late_samples;
		if (until_harvest >= 0 && !until_harvest--)
			memset(&table, 0, sizeof(table));
	}
	return (double)lost / taken;
}

static void harvests_lose_few_samples(void **state)
{
	/* Consecutive numbers, as of processes and inodes, seldom collide. */
	print_message("numbers in order: %.5f%% lost\n", model_lost(false, 1) * 100);
	assert_true(model_lost(false, 1) < 0.001);
	for (u32 seed = 1; seed <= 5; seed++) {
		double lost = model_lost(true, seed);

		print_message("random identities: %.4f%% lost\n", lost * 100);
		assert_true(lost < 0.001);
	}
}

/*
 * For any hash and time, a number's place depends on the number alone: neighbours are 79 records
 * apart. Nothing else is lost but the top byte of the time.
 */
static void numbers_are_spread(void **state)
{
	static const u32 hashes[] = { 0, 1, 0x80, 0xdeadbeef, ~0u };
	static const u64 starts[] = { 0, 1, 0x7f, 0x80, 123456789012345ULL, ~0ULL >> 8,
					   ~0ULL };

	for (u32 pid = 1; pid < 5 * CPUPROBE_RECORDS; pid++)
		for (size_t h = 0; h < sizeof(hashes) / sizeof(hashes[0]); h++)
			for (size_t t = 0; t < sizeof(starts) / sizeof(starts[0]); t++) {
				struct identity who;

				identity_of_number(pid, hashes[h], starts[t], &who);
				assert_int_equal(table_hash(&who), pid * 79 % CPUPROBE_RECORDS);
				assert_int_equal(who.id[0], (u64)pid << 32 | hashes[h]);
				assert_int_equal(who.id[1] << 8, starts[t] << 8);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(hash_matches_the_paper, reset),
		cmocka_unit_test_setup(same_identity_same_record, reset),
		cmocka_unit_test_setup(every_word_counts, reset),
		cmocka_unit_test_setup(search_is_limited_to_five, reset),
		cmocka_unit_test_setup(the_fast_way_agrees_with_the_search, reset),
		cmocka_unit_test_setup(every_sample_is_counted_or_lost, reset),
		cmocka_unit_test_setup(harvests_lose_few_samples, reset),
		cmocka_unit_test(numbers_are_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
