// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of several runs made one: cli/profile/profile_merge.c. */
#include <math.h>

#include "unit.h"
#include "profiles.h"
#include "profile/profile_merge.h"

static u64 hits_of(const struct profile *profile, const char *process, const char *function)
{
	u64 hits = 0;

	for (u32 i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		if (!strcmp(profile->processes[stack->process].name, process) &&
		    !strcmp(profile_function_of(profile, profile_frames_of(profile, stack)[0])->name, function))
			hits += stack->hits;
	}
	return hits;
}

/* One build at two paths is one program; another build is another. */
static void programs_are_known_by_build(void **state)
{
	struct profile *a = profiles_of("web 10 user main@web#c0ffee;work@web#c0ffee 30\nlost 2\n");
	struct profile *b = profiles_of("web 11 user main@web-new#c0ffee;work@web-new#c0ffee 50\nother 3\n");
	struct profile *c = profiles_of("web 12 user main@web#beef;work@web#beef 5\n"
					"web 13 user main@web#beef;work@web#beef 5\n");
	const struct blocks none = { 0 };
	struct profile_merge merged;

	assert_int_equal(profile_merge_init(&merged), 0);
	assert_int_equal(profile_merge_add(&merged, a, &none, NULL), 0);
	assert_int_equal(profile_merge_add(&merged, b, &none, NULL), 0);
	assert_int_equal(merged.profile->nr_objects, 2);
	assert_int_equal(merged.profile->nr_stacks, 1);
	assert_int_equal(merged.profile->stacks[0].hits, 80);
	assert_int_equal(merged.profile->taken, 85);
	assert_int_equal(merged.profile->lost, 2);
	assert_int_equal(merged.profile->other, 3);
	assert_int_equal(merged.profile->processes[0].pid, 0);
	assert_int_equal(profile_merge_add(&merged, c, &none, "web3"), 0);
	assert_int_equal(merged.profile->nr_objects, 3);
	assert_int_equal(merged.profile->nr_stacks, 3);
	assert_int_equal(hits_of(merged.profile, "web@web3", "work"), 10);
	assert_int_equal(merged.profile->processes[1].pid, 12);
	profile_merge_deinit(&merged);
	profile_destroy(a);
	profile_destroy(b);
	profile_destroy(c);
}

/* Blocks of functions that become one within a run keep the largest possible square. */
static void blocks_of_stacks_add_up(void **state)
{
	struct profile *a = profiles_of("web 10 user work@web#c0ffee 60\nweb 10 user work@old#c0ffee 20\n"
					"IDLE 0 kernel [idle] 20\n");
	struct profile *b = profiles_of("web 11 user work@web#c0ffee 50\nIDLE 0 kernel [idle] 50\n");
	struct blocks of_a = { 0 }, of_b = { 0 };
	struct profile_merge merged;
	const struct block_sums *sums;

	/* The second file is the first one at another path. */
	a->functions[PROFILE_MARK_COUNT + 1].addr = a->functions[PROFILE_MARK_COUNT].addr;
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(blocks_add(&of_a, a, i, a->stacks[i].hits), 0);
	blocks_end(&of_a, 100);
	for (u32 i = 0; i < 2; i++)
		assert_int_equal(blocks_add(&of_b, b, i, b->stacks[i].hits), 0);
	blocks_end(&of_b, 100);
	assert_int_equal(profile_merge_init(&merged), 0);
	a->excess = 0.5;
	assert_int_equal(profile_merge_add(&merged, a, &of_a, NULL), 0);
	assert_int_equal(profile_merge_add(&merged, b, &of_b, NULL), 0);
	assert_int_equal(merged.blocks.nr, 2);
	sums = blocks_of(&merged.blocks, PROFILE_MARK_COUNT);
	assert_true(fabs(sums->self - 1.3) < 1e-12);
	assert_true(fabs(sums->self2 - (0.8 * 0.8 + 0.25)) < 1e-12);
	assert_true(fabs(blocks_busy(&merged.blocks)->total - 1.3) < 1e-12);
	assert_true(fabs(profile_merge_excess(&merged) - 0.5) < 1e-12);
	profile_merge_deinit(&merged);
	blocks_deinit(&of_a);
	blocks_deinit(&of_b);
	profile_destroy(a);
	profile_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_known_by_build),
		cmocka_unit_test(blocks_of_stacks_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
