// SPDX-License-Identifier: GPL-2.0-only
/* Profiles with inlined functions: cli/profile/inlined.c, and what reports count. */
#include "unit.h"
#include "profile/inlined.h"
#include "profiles.h"
#include "report/flat.h"

/* middle and inner are inlined in work, at two addresses; loop is inlined in itself. */
static const char some[] =
	"sh 7 user main@sh;work+0x10{a.c:5}@sh;~middle+0x10{a.c:20}@sh;~~inner+0x10{a.c:31}@sh 5\n"
	"sh 7 user main@sh;work+0x20{a.c:6}@sh;~middle+0x20{a.c:22}@sh 3\n"
	"sh 7 user main@sh;work+0x30{a.c:7}@sh 2\n"
	"sh 7 user main@sh;loop{a.c:40}@sh;~loop{a.c:41}@sh;~loop{a.c:42}@sh 4\n"
	"sh 7 kernel read@kernel 1\nlost 6\nother 7\n";

/* The names of a stack with their lines, the leaf first. */
static const char *frames_text(const struct profile *profile, u32 at)
{
	static char text[1024];
	const struct profile_stack *stack = &profile->stacks[at];
	const u32 *frames = profile_frames_of(profile, stack);
	char *end = text;
	u32 i;

	for (i = 0; i < stack->nr_frames; i++)
		end += sprintf(end, "%s%s%s:%u", i ? " " : "",
			       profile->frames[frames[i]].is_inlined ? "~" : "",
			       profile_function_of(profile, frames[i])->name,
			       profile->frames[frames[i]].line);
	return text;
}

static void check_totals(const struct profile *a, const struct profile *b)
{
	assert_true(a->taken == b->taken && a->lost == b->lost && a->other == b->other);
	assert_true(a->taken_ns == b->taken_ns && a->lost_ns == b->lost_ns &&
		    a->other_ns == b->other_ns);
}

/* Each address becomes one frame: the function with the code, at the line of the address. */
static void dropped(void **state)
{
	struct profile *profile = profiles_of(some), *whole = inlined_drop(profile);

	assert_true(inlined_is_there(profile));
	assert_non_null(whole);
	assert_int_equal(whole->nr_stacks, 5);
	assert_string_equal(frames_text(whole, 0), "work:31 main:0");
	assert_string_equal(frames_text(whole, 1), "work:22 main:0");
	assert_string_equal(frames_text(whole, 2), "work:7 main:0");
	assert_string_equal(frames_text(whole, 3), "loop:42 main:0");
	assert_string_equal(frames_text(whole, 4), "read:0");
	assert_int_equal(whole->stacks[0].hits, 5);
	assert_true(whole->stacks[1].ns == 3e6);
	check_totals(whole, profile);
	assert_int_equal(whole->nr_functions, profile->nr_functions);
	profile_destroy(whole);
	profile_destroy(profile);
}

/* Stacks that differ only in inlined frames, at one line, become one. Damaged runs may end inlined. */
static void joined(void **state)
{
	struct profile *profile = profiles_of("sh 7 user main@sh;~in@sh 5\nsh 7 user main@sh 2\n"
					      "sh 7 user ~odd@sh;~in@sh 4\n");
	struct profile *whole = inlined_drop(profile);

	assert_non_null(whole);
	assert_int_equal(whole->nr_stacks, 2);
	assert_string_equal(frames_text(whole, 0), "main:0");
	assert_int_equal(whole->stacks[0].hits, 7);
	assert_string_equal(frames_text(whole, 1), "odd:0");
	profile_destroy(whole);
	profile_destroy(profile);
}

static void none(void **state)
{
	struct profile *profile = profiles_of("sh 7 user main@sh;work@sh 5\n");

	assert_false(inlined_is_there(profile));
	profile_destroy(profile);
}

/* Self time is that of the innermost function; a stack counts once for each function in it. */
static void counted(void **state)
{
	struct profile *profile = profiles_of(some);
	const struct flat_options options = { .by = FLAT_FUNCTION };
	struct flat *flat = flat_create(profile, &options, NULL);
	static const struct { const char *name; u64 self, total; } expected[] = {
		{ "inner", 5, 5 }, { "middle", 3, 8 }, { "work", 2, 10 }, { "loop", 4, 4 },
		{ "main", 0, 14 },
	};
	size_t i, at, nr_found = 0;

	for (i = 0; i < flat->nr_rows; i++)
		for (at = 0; at < sizeof(expected) / sizeof(expected[0]); at++) {
			const struct flat_row *row = &flat->rows[i];

			if (row->kind != FLAT_ROW ||
			    strcmp(profile->functions[row->key.function].name, expected[at].name))
				continue;
			assert_int_equal(row->hits, expected[at].self);
			assert_int_equal(row->all_hits, expected[at].total);
			nr_found++;
		}
	assert_int_equal(nr_found, 5);
	flat_destroy(flat);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dropped), cmocka_unit_test(joined), cmocka_unit_test(none),
		cmocka_unit_test(counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
