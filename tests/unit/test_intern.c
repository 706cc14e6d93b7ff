// SPDX-License-Identifier: GPL-2.0-only
/* Interning: cli/base/intern.c. */
#include "hostile.h"
#include "base/intern.h"

static uint64_t nr_compared;

static bool is_other(const void *owner, uint32_t position, const void *key)
{
	nr_compared++;
	return false;
}

static void words_that_collide(void **state)
{
	enum { NR = 20000 };
	struct intern index = { 0 };
	uint64_t words[2], hash;

	nr_compared = 0;
	for (uint32_t i = 0; i < NR; i++) {
		words[0] = i;
		words[1] = colliding(i);
		hash = intern_hash(0, words, sizeof(words));
		assert_int_equal(intern_find(&index, hash, is_other, NULL, words), INTERN_NONE);
		assert_int_equal(intern_add(&index, hash, i), 0);
	}
	/* Two of them may have the same 32 bits by chance: once in 20 runs. */
	assert_in_range(nr_compared, 0, 10);
	intern_deinit(&index);
}

/* Texts that go on where others end have another hash. */
static void texts_split_elsewhere(void **state)
{
	uint64_t ab_c = intern_hash(intern_hash(0, "ab", 2), "c", 1);

	assert_true(ab_c != intern_hash(intern_hash(0, "a", 1), "bc", 2));
	assert_true(ab_c != intern_hash(0, "abc", 3));
	assert_true(ab_c == intern_hash(intern_hash(0, "ab", 2), "c", 1));
	assert_true(intern_hash(0, "a\0", 2) != intern_hash(0, "a", 1));
	assert_true(intern_hash(1, "a", 1) != intern_hash(0, "a", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(words_that_collide), LIMITED(texts_split_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
