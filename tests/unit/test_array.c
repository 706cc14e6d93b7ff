// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that grow: cli/base/array.h. */
#include "unit.h"
#include "base/array.h"

/* Added elements stay, and there is room for the next one. */
static void entries_stay(void **state)
{
	u32 *array = NULL;

	for (u32 nr = 0; nr < 1000; nr++) {
		assert_true(array_has_room(&array, nr, sizeof(*array)));
		array[nr] = nr;
		for (u32 i = 0; i < nr; i++)
			assert_int_equal(array[i], i);
	}
	free(array);
}

/* A size that overflows leaves the array as it was. */
static void no_positions(void **state)
{
	char *array = NULL, *before;

	assert_true(array_has_room(&array, 0, 1));
	before = array;
	assert_false(array_has_room(&array, 1U << 31, 1));
	assert_ptr_equal(array, before);
	free(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_stay), cmocka_unit_test(no_positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
