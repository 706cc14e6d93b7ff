// SPDX-License-Identifier: GPL-2.0-only
/* Frames of whole functions: cli/resolve/whole_frames.c. */
#include "unit.h"
#include "profile/profile.h"
#include "resolve/whole_frames.h"

static u32 add_function(struct profile *profile, const char *name, u64 addr)
{
	const struct profile_object object = { .kind = PROFILE_FILE, .path = (char *)"/bin/work", .name = (char *)"work" };
	const u32 at = profile_add_object(profile, &object);

	return profile_add_function(profile, &(struct profile_function){ .object = at, .name = (char *)name, .addr = addr });
}

static u32 add_frame(struct profile *profile, u32 function, u64 addr, u32 line, bool is_inlined)
{
	return profile_add_frame(profile, &(struct profile_frame){
		.function = function, .addr = addr, .line = line, .is_inlined = is_inlined });
}

/* Two instructions of a function have one frame; where it is inlined, another one. Marks stay. */
static void instructions_become_functions(void **state)
{
	struct profile *profile = profile_create();
	const u32 a = add_function(profile, "a", 0x1000), b = add_function(profile, "b", 0x2000);
	u32 list[] = {
		0, add_frame(profile, a, 0x1004, 3, false), add_frame(profile, a, 0x1008, 4, false),
		add_frame(profile, a, 0x2004, 5, true), add_frame(profile, b, 0x2004, 6, false),
	};
	struct whole_frames whole = { .nr = 0 };
	u32 again[5], i;

	assert_true(profile_is_mark(list[0]));
	memcpy(again, list, sizeof(list));
	assert_true(whole_frames_use(&whole, profile, list, 5));
	assert_true(profile_is_mark(list[0]));
	assert_int_equal(list[1], list[2]);
	for (i = 1; i < 5; i++) {
		const struct profile_frame *frame = &profile->frames[list[i]];

		assert_int_equal(frame->function, i < 4 ? a : b);
		assert_int_equal(frame->addr, i < 4 ? 0x1000 : 0x2000);
		assert_int_equal(frame->is_inlined, i == 3);
		assert_int_equal(frame->line, 0);
	}
	assert_true(whole_frames_use(&whole, profile, again, 5));
	assert_memory_equal(again, list, sizeof(list));
	whole_frames_deinit(&whole);
	profile_destroy(profile);
}

/* Functions may come while frames are there already. */
static void functions_are_added(void **state)
{
	struct profile *profile = profile_create();
	struct whole_frames whole = { .nr = 0 };
	u32 i, function, frame;

	for (i = 0; i < 1000; i++) {
		function = add_function(profile, "a", 0x1000 + 16 * i);
		frame = add_frame(profile, function, 0x1004 + 16 * i, 1, i & 1);
		assert_true(whole_frames_use(&whole, profile, &frame, 1));
		assert_int_equal(profile->frames[frame].function, function);
		assert_int_equal(profile->frames[frame].addr, 0x1000 + 16 * i);
		assert_int_equal(profile->frames[frame].is_inlined, i & 1);
	}
	whole_frames_deinit(&whole);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_become_functions),
		cmocka_unit_test(functions_are_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
