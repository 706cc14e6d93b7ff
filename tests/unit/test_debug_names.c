// SPDX-License-Identifier: GPL-2.0-only
/* Hints about files without names: cli/report/debug_names.c. */
#include "unit.h"
#include "report/debug_names.h"
#include "profiles.h"

/* @expected: "" for no hint. Functions called "nameless" have no symbol. */
static void assert_hint(const char *text, enum flat_base base, const char *expected)
{
	struct profile *profile = profiles_of(text);
	u32 i;
	char *said;

	for (i = 0; i < profile->nr_functions; i++)
		if (!strcmp(profile->functions[i].name, "nameless")) {
			profile->functions[i].addr = 0;
			profile->functions[i].name = "(no symbol)";
		}
	said = WRITTEN(out, debug_names_hint(out, profile, base));
	assert_string_equal(said, expected);
	free(said);
	profile_destroy(profile);
}

static void the_largest_is_named(void **state)
{
	assert_hint("sh 7 user main@sh;nameless@libz.so.1#c0ffee 30\n"
		    "sh 7 user main@sh;read@libz.so.1#c0ffee;nameless@libz.so.1#c0ffee 10\n"
		    "sh 7 user main@sh;nameless@libx.so.1#beef 20\n"
		    "sh 7 user main@sh;read@libz.so.1#c0ffee 40\n", FLAT_BASE_MACHINE,
		    "probe: 40% of the time is in code of libz.so.1 without names: (no symbol)\n"
		    "hint: use -debuginfod to fetch them, or measure with its debug symbols package "
		    "installed\n");
}

static void no_debuginfod_without_a_build_id(void **state)
{
	assert_hint("sh 7 user main@sh;nameless@libz.so.1 30\nother 10\n", FLAT_BASE_MACHINE,
		    "probe: 75% of the time is in code of libz.so.1 without names: (no symbol)\n"
		    "hint: measure with its debug symbols package installed\n");
}

static void small_shares_get_no_hint(void **state)
{
	static const char text[] = "sh 7 user main@sh;nameless@libz.so.1#c0ffee 5\n"
		"sh 7 user main@sh 35\nIDLE 0 kernel [idle] 60\n";

	assert_hint(text, FLAT_BASE_MACHINE, "");
	assert_hint(text, FLAT_BASE_TARGET,
		    "probe: 12% of the time is in code of libz.so.1 without names: (no symbol)\n"
		    "hint: use -debuginfod to fetch them, or measure with its debug symbols package "
		    "installed\n");
}

static void no_hint_for_code_without_debug_files(void **state)
{
	assert_hint("sh 7 kernel main@sh;nameless@kernel 50\n"
		    "sh 7 user main@sh;nameless@perf-7.map 50\n"
		    "IDLE 0 kernel [idle] 60\n", FLAT_BASE_MACHINE, "");
	/* Callers without names do not count: they do not run. */
	assert_hint("sh 7 user nameless@libz.so.1#c0ffee;main@sh 50\n", FLAT_BASE_MACHINE, "");
	assert_hint("IDLE 0 kernel [idle] 60\n", FLAT_BASE_KERNEL, "");
	/* A function that is inlined everywhere has a name and no address. */
	assert_hint("sh 7 user main@libz.so.1#c0ffee;~~inner@libz.so.1#c0ffee 50\n",
		    FLAT_BASE_MACHINE, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_is_named),
		cmocka_unit_test(no_debuginfod_without_a_build_id),
		cmocka_unit_test(small_shares_get_no_hint),
		cmocka_unit_test(no_hint_for_code_without_debug_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
