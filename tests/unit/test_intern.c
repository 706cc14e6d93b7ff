// SPDX-License-Identifier: GPL-2.0-only
/* Interning, and hashes that may be saved: cli/base/intern.c, fnv.c. */
#include <sys/wait.h>

#include "hostile.h"
#include "base/fnv.h"
#include "base/intern.h"

static u64 nr_compared;

static bool is_other(const void *owner, u32 position, const void *key)
{
	nr_compared++;
	return false;
}

static void words_that_collide(void **state)
{
	enum { NR = 20000 };
	struct intern index = { 0 };
	u64 words[2], hash;

	nr_compared = 0;
	for (u32 i = 0; i < NR; i++) {
		words[0] = i;
		words[1] = colliding(i);
		hash = intern_hash(0, words, sizeof(words));
		assert_int_equal(intern_find(&index, hash, is_other, NULL, words), INTERN_NONE);
		assert_int_equal(intern_add(&index, hash, i), 0);
	}
	/* Two hashes may share the same 32 bits by chance: once in 20 runs. */
	assert_in_range(nr_compared, 0, 10);
	intern_deinit(&index);
}

/* Texts with a common beginning have different hashes. */
static void texts_split_elsewhere(void **state)
{
	u64 ab_c = intern_hash(intern_hash(0, "ab", 2), "c", 1);

	assert_true(ab_c != intern_hash(intern_hash(0, "a", 1), "bc", 2));
	assert_true(ab_c != intern_hash(0, "abc", 3));
	assert_true(ab_c == intern_hash(intern_hash(0, "ab", 2), "c", 1));
	assert_true(intern_hash(0, "a\0", 2) != intern_hash(0, "a", 1));
	assert_true(intern_hash(1, "a", 1) != intern_hash(0, "a", 1));
}

/* The values of the authors' test vectors: a saved hash means the same everywhere. */
static void saved_hashes_are_fnv(void **state)
{
	assert_true(fnv_hash("", 0) == 0xcbf29ce484222325ULL);
	assert_true(fnv_hash("a", 1) == 0xaf63dc4c8601ec8cULL);
	assert_true(fnv_hash("foobar", 6) == 0x85944171f73967e8ULL);
	assert_true(fnv_hash("\xff", 1) == (0xcbf29ce484222325ULL ^ 0xff) * 0x100000001b3ULL);
}

static bool is_word(const void *owner, u32 position, const void *key)
{
	return ((const u64 *)owner)[position] == *(const u64 *)key;
}

/* Every entry is found at its index, however often the table has grown, and nothing else is. */
static void all_are_found(void **state)
{
	enum { NR = 3000 };
	static u64 words[NR];
	struct intern index = { 0 };
	u64 word;
	u32 i, nr;

	for (nr = 0; nr < NR; nr++) {
		words[nr] = nr * nr;
		assert_int_equal(intern_add(&index, intern_hash(0, &words[nr], 8), nr), 0);
		for (i = 0; i <= nr; i += 1 + nr / 50)
			assert_int_equal(intern_find(&index, intern_hash(0, &words[i], 8), is_word,
						     words, &words[i]), i);
		word = words[nr] + 2;
		assert_int_equal(intern_find(&index, intern_hash(0, &word, 8), is_word, words,
					     &word), INTERN_NONE);
	}
	intern_deinit(&index);
	assert_int_equal(intern_find(&index, 0, is_word, words, words), INTERN_NONE);
}

/* Every byte matters, in whole words and in the rest. */
static void all_bytes_are_hashed(void **state)
{
	char bytes[21] = { 0 };
	u64 before = intern_hash(0, bytes, sizeof(bytes));

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = 1;
		assert_true(intern_hash(0, bytes, sizeof(bytes)) != before);
		bytes[i] = 0;
	}
	assert_true(intern_hash(0, bytes, sizeof(bytes)) == before);
}

/* The hash of a text in a process that has not drawn a key yet. */
static u64 hash_elsewhere(void)
{
	u64 hash = 0;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	if (!fork()) {
		hash = intern_hash(0, "text", 4);
		_exit(write(ends[1], &hash, sizeof(hash)) != sizeof(hash));
	}
	assert_int_equal(read(ends[0], &hash, sizeof(hash)), sizeof(hash));
	wait(NULL);
	close(ends[0]);
	close(ends[1]);
	return hash;
}

/* The first test, so that no key has been drawn yet in this process. */
static void every_process_has_its_key(void **state)
{
	assert_true(hash_elsewhere() != hash_elsewhere());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(every_process_has_its_key),
		LIMITED(all_are_found), LIMITED(all_bytes_are_hashed),
		LIMITED(words_that_collide), LIMITED(texts_split_elsewhere), LIMITED(saved_hashes_are_fnv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
