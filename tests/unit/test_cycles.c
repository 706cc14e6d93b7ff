// SPDX-License-Identifier: GPL-2.0-only
/* Functions that call each other in cycles: cli/profile/cycles.c. */
#include "callgraphs.h"
#include "profile/cycles.h"

#define MANY	40

/* Against the definition: each function of a cycle can be reached from every other. */
static void cycles_match_their_definition(void **state)
{
	bool reach[MANY][MANY];
	u32 first[MANY + 1], to[MANY * MANY], cycle[MANY], nr_cycles, round, a, b, c, nr;

	for (round = 0; round < 300; round++) {
		nr = 0;
		for (a = 0; a < MANY; a++) {
			first[a] = nr;
			for (b = 0; b < MANY; b++) {
				reach[a][b] = !below(20 + round / 4);
				if (reach[a][b])
					to[nr++] = b;
			}
		}
		first[MANY] = nr;
		for (c = 0; c < MANY; c++)
			for (a = 0; a < MANY; a++)
				for (b = 0; b < MANY; b++)
					reach[a][b] |= reach[a][c] && reach[c][b];
		assert_int_equal(cycles_find(MANY, first, to, cycle, &nr_cycles), 0);
		for (a = 0; a < MANY; a++) {
			bool is_in = false;

			for (b = 0; b < MANY; b++) {
				if (a == b || !reach[a][b] || !reach[b][a])
					continue;
				is_in = true;
				assert_int_equal(cycle[a], cycle[b]);
			}
			for (b = 0; b < MANY; b++)
				if (cycle[a] != CYCLES_NONE && cycle[a] == cycle[b] && a != b)
					assert_true(reach[a][b] && reach[b][a]);
			assert_int_equal(cycle[a] != CYCLES_NONE, is_in);
			assert_true(!is_in || cycle[a] < nr_cycles);
		}
	}
}

/* A path through a million functions and back: too deep for recursion. */
static void long_cycles_need_no_recursion(void **state)
{
	const u32 nr = 1000000;
	u32 *first = calloc(nr + 1, sizeof(*first)), *to = calloc(nr, sizeof(*to));
	u32 *cycle = calloc(nr, sizeof(*cycle)), nr_cycles, i;

	for (i = 0; i < nr; i++) {
		first[i] = i;
		to[i] = (i + 1) % nr;
	}
	first[nr] = nr;
	assert_int_equal(cycles_find(nr, first, to, cycle, &nr_cycles), 0);
	assert_int_equal(nr_cycles, 1);
	assert_int_equal(cycle[nr / 2], 0);
	to[nr - 1] = nr - 1;
	assert_int_equal(cycles_find(nr, first, to, cycle, &nr_cycles), 0);
	assert_int_equal(nr_cycles, 0);
	free(first);
	free(to);
	free(cycle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_match_their_definition),
		cmocka_unit_test(long_cycles_need_no_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
