// SPDX-License-Identifier: GPL-2.0-only
/* Why user stacks end: cli/resolve/ends.c. */
#include "unit.h"
#include "profiles.h"
#include "resolve/ends.h"

/** A stack of a test, with all that ends_count() reads. */
struct subject {
	struct profile *profile;
	struct ends ends;
	struct receipt_stacks stacks;
};

static void begin(struct subject *subject, const char *text)
{
	memset(subject, 0, sizeof(*subject));
	subject->profile = profiles_of(text);
}

static void end(struct subject *subject)
{
	ends_deinit(&subject->ends);
	profile_destroy(subject->profile);
}

/* Counts stack @at of the profile, whose outermost user frame is its last frame. */
static void count(struct subject *subject, u32 at, enum receipt_end why, u32 flags)
{
	const struct profile_stack *stack = &subject->profile->stacks[at];
	const u32 *frames = profile_frames_of(subject->profile, stack);
	const struct ends_stack ended = {
		.hits = stack->hits, .flags = flags, .end = why, .process = stack->process,
		.frames = frames, .nr = stack->nr_frames, .last_user = frames[stack->nr_frames - 1],
	};

	ends_count(&subject->ends, subject->profile, &ended, &subject->stacks);
}

/* Alone, and with all flags that have a lower precedence. */
static void reasons(void **state)
{
	static const struct { u32 flag; enum receipt_end end; enum profile_mark mark; } cases[] = {
		{ CPUPROBE_STACK_NO_FRAME_POINTER, RECEIPT_NO_POINTER, MARK_NO_FRAME_POINTER },
		{ CPUPROBE_STACK_OUTSIDE, RECEIPT_OUTSIDE, MARK_OUTSIDE },
		{ CPUPROBE_STACK_UNSUPPORTED, RECEIPT_UNSUPPORTED, MARK_UNSUPPORTED },
		{ CPUPROBE_STACK_NO_RULE, RECEIPT_NO_RULE, MARK_NO_TABLE },
		{ CPUPROBE_STACK_NO_TABLE, RECEIPT_NO_TABLE, MARK_NO_TABLE },
		{ CPUPROBE_STACK_NO_BUDGET, RECEIPT_NO_BUDGET, MARK_NO_TABLE },
		{ CPUPROBE_STACK_UNMAPPED, RECEIPT_GENERATED, MARK_GENERATED },
		{ CPUPROBE_STACK_UNKNOWN, RECEIPT_UNKNOWN, MARK_NO_TABLE },
		{ CPUPROBE_STACK_UNREADABLE, RECEIPT_UNREADABLE, MARK_UNREADABLE },
		{ CPUPROBE_STACK_USER_DEEP, RECEIPT_TOO_DEEP, MARK_TOO_DEEP },
		{ CPUPROBE_STACK_32BIT, RECEIPT_32BIT, MARK_32BIT },
	};
	u32 flags = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		flags |= cases[i].flag;
		assert_int_equal(ends_reason(cases[i].flag), cases[i].end);
		assert_int_equal(ends_reason(flags), cases[i].end);
		assert_int_equal(ends_mark(cases[i].end), cases[i].mark);
	}
	assert_int_equal(ends_mark(RECEIPT_CUT), MARK_CUT);
	assert_int_equal(ends_mark(RECEIPT_LATE), MARK_NO_TABLE);
	assert_int_equal(ends_reason(CPUPROBE_STACK_BY_POINTER | CPUPROBE_STACK_GUESSED |
				     CPUPROBE_STACK_KERNEL_DEEP | CPUPROBE_STACK_BROKEN),
			 RECEIPT_WHOLE);
}

static void samples_are_counted_once(void **state)
{
	struct subject subject;

	begin(&subject, "a 1 user main@a 5\na 1 user f@a 7\n");
	count(&subject, 0, RECEIPT_NO_STACK, 0);
	assert_int_equal(subject.stacks.samples, 0);
	count(&subject, 0, RECEIPT_WHOLE, CPUPROBE_STACK_BY_POINTER);
	count(&subject, 1, RECEIPT_UNREADABLE, 0);
	assert_int_equal(subject.stacks.samples, 12);
	assert_int_equal(subject.stacks.whole, 5);
	assert_int_equal(subject.stacks.by_pointer, 5);
	assert_int_equal(subject.stacks.ended[RECEIPT_UNREADABLE], 7);
	assert_int_equal(subject.stacks.object[0].samples, 0);
	end(&subject);
}

/* The three objects with the most samples, the most first, whatever the order of the stacks. */
static void objects_are_ranked(void **state)
{
	static const char *const names[] = { "d", "b", "c" };
	static const u64 samples[] = { 13, 10, 7 };
	struct subject subject;

	begin(&subject, "p 1 user f@a 4\np 1 user f@b 5\np 1 user f@c 7\np 1 user f@d 13\n"
	      "p 1 user f@e 1\n");
	count(&subject, 0, RECEIPT_NO_TABLE, 0);
	assert_string_equal(subject.stacks.object[0].name, "a");
	count(&subject, 1, RECEIPT_NO_TABLE, 0);
	count(&subject, 2, RECEIPT_NO_TABLE, 0);
	assert_string_equal(subject.stacks.object[0].name, "c");
	count(&subject, 1, RECEIPT_NO_TABLE, 0);
	assert_string_equal(subject.stacks.object[0].name, "b");
	assert_string_equal(subject.stacks.object[2].name, "a");
	count(&subject, 3, RECEIPT_NO_TABLE, 0);
	for (int i = 0; i < RECEIPT_OBJECTS; i++) {
		assert_string_equal(subject.stacks.object[i].name, names[i]);
		assert_int_equal(subject.stacks.object[i].samples, samples[i]);
	}
	/* One that has fewer than the third is left out. */
	count(&subject, 4, RECEIPT_NO_TABLE, 0);
	assert_string_equal(subject.stacks.object[2].name, "c");
	/* The one that was dropped comes back when it has more. */
	count(&subject, 0, RECEIPT_NO_TABLE, 0);
	assert_string_equal(subject.stacks.object[2].name, "a");
	assert_int_equal(subject.stacks.object[2].samples, 8);
	assert_int_equal(subject.stacks.ended[RECEIPT_NO_TABLE], 4 + 5 + 7 + 5 + 13 + 1 + 4);
	end(&subject);
}

/* Versions of the two interpreters, unless generated code names a function. */
static void nameless_functions(void **state)
{
	struct subject subject;
	u32 i;

	begin(&subject, "python3.11 1 user f@a 1\npython 1 user f@a 2\nnode 1 user f@a 4\n"
	      "python-config 1 user f@a 8\nnodejs 1 user f@a 16\npython3 1 user f@a;g@a 32\n"
	      "sh 1 user f@a 64\n");
	for (i = 0; i < subject.profile->nr_stacks; i++)
		count(&subject, i, RECEIPT_WHOLE, 0);
	assert_int_equal(subject.stacks.nameless[RECEIPT_PYTHON], 35);
	assert_int_equal(subject.stacks.nameless[RECEIPT_NODE], 4);
	subject.profile->objects[profile_function_of(subject.profile, profile_frames_of(
		subject.profile, &subject.profile->stacks[5])[1])->object].kind = PROFILE_JIT;
	count(&subject, 5, RECEIPT_WHOLE, 0);
	assert_int_equal(subject.stacks.nameless[RECEIPT_PYTHON], 35);
	end(&subject);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons), cmocka_unit_test(samples_are_counted_once),
		cmocka_unit_test(objects_are_ranked), cmocka_unit_test(nameless_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
