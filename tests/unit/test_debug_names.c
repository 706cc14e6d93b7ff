// SPDX-License-Identifier: GPL-2.0-only
/* Files without names, hints about them and fetching them: cli/report/debug_names.c. */
#include "directory.h"
#include "profile/nameless.h"
#include "report/debug_names.h"
#include "profiles.h"

static void make_nameless(struct profile *profile)
{
	static char names[8][PROFILE_NAME_MAX];
	u32 i, nr = 0;

	for (i = 0; i < profile->nr_functions; i++) {
		struct profile_function *function = &profile->functions[i];

		if (!strcmp(function->name, "nameless")) {
			function->addr = 0;
			function->name = "(no symbol)";
		} else if (!strncmp(function->name, "range", 5)) {
			assert_true(nr < 8);
			nameless_name(profile->objects[function->object].name, function->addr, names[nr]);
			function->name = names[nr++];
		}
	}
}

/*
 * @expected: "" for no hint. Functions called "nameless" have no symbol; of those called "range1" and
 * the like the range is known.
 */
static void assert_hint(const char *text, enum flat_base base, const char *expected)
{
	struct profile *profile = profiles_of(text);
	char *said;

	make_nameless(profile);
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
		    "probe: 40% of the time is in code of libz.so.1 without names\n"
		    "hint: use -debuginfod to fetch them, or measure with its debug symbols package "
		    "installed\n");
}

/* Each is too small for a hint, or smaller than another file's only one. */
static void all_ranges_of_a_file_count(void **state)
{
	static const char text[] = "sh 7 user main@sh;range1@libz.so.1#c0ffee 4\n"
		"sh 7 user main@sh;range2@libz.so.1#c0ffee 5\n"
		"sh 7 user main@sh;range3@libz.so.1#c0ffee 4\n"
		"sh 7 user main@sh;nameless@libz.so.1#c0ffee 3\n"
		"sh 7 user main@sh;range4@libx.so.1#beef 15\n"
		"sh 7 user main@sh;range1@libx.so.1#beef;read@libz.so.1#c0ffee 69\n";
	char expected[256];
	struct profile *profile = profiles_of(text);
	u64 addr = 0;

	for (u32 i = 0; i < profile->nr_functions; i++)
		if (!strcmp(profile->functions[i].name, "range2"))
			addr = profile->functions[i].addr;
	profile_destroy(profile);
	snprintf(expected, sizeof(expected),
		 "probe: 16%% of the time is in code of libz.so.1 without names, such as libz.so.1+0x%llx\n"
		 "hint: use -debuginfod to fetch them, or measure with its debug symbols package "
		 "installed\n", addr);
	assert_hint(text, FLAT_BASE_MACHINE, expected);
	assert_hint("sh 7 user main@sh 95\nsh 7 user main@sh;range1@libz.so.1#c0ffee 3\n"
		    "sh 7 user main@sh;range2@libz.so.1#c0ffee 2\n", FLAT_BASE_MACHINE, "");
}

/* A name that only looks like a place is a name. */
static void names_made_of_ranges_are_recognized(void **state)
{
	struct profile *profile = profiles_of("sh 7 user range1@libz.so.1;nameless@libz.so.1;main@sh 1\n");
	char longest[600], name[PROFILE_NAME_MAX];
	struct profile_object object = { .kind = PROFILE_FILE, .path = "", .name = longest };
	struct profile_function function = { .name = name };
	u32 i, nr = 0;

	make_nameless(profile);
	for (i = 0; i < profile->nr_functions; i++)
		nr += nameless_is(profile, i);
	assert_int_equal(nr, 2);
	/* The address or the object is another one. */
	for (i = PROFILE_MARK_COUNT; strcmp(profile->functions[i].name, "(no symbol)"); i++)
		;
	function.object = profile->functions[i].object;
	function.name = "libz.so.1+0x20";
	function.addr = 0x30;
	assert_false(nameless_is(profile, profile_add_function(profile, &function)));
	function.name = "libx.so.1+0x30";
	assert_false(nameless_is(profile, profile_add_function(profile, &function)));
	function.name = "(no symbol)";
	assert_false(nameless_is(profile, profile_add_function(profile, &function)));
	function.name = "libz.so.1+0x30";
	assert_true(nameless_is(profile, profile_add_function(profile, &function)));
	/* The name of an object may be as long as that of a function; wide characters are not divided. */
	longest[0] = 'x';
	for (i = 1; i < sizeof(longest) - 1; i++)
		longest[i] = "\xe2\x82\xac"[(i - 1) % 3];
	longest[i] = '\0';
	function.object = profile_add_object(profile, &object);
	function.addr = 0xfedcba9876543210;
	function.name = name;
	nameless_name(profile->objects[function.object].name, function.addr, name);
	assert_non_null(strstr(name, "\xac+0xfedcba9876543210"));
	i = profile_add_function(profile, &function);
	assert_string_equal(profile->functions[i].name, name);
	assert_true(nameless_is(profile, i));
	profile_destroy(profile);
}

/* Require which build-ids are asked for, in place of servers: a script writes them down. */
static void assert_fetched(const char *text, double least, const char *expected)
{
	const struct debug_names_rows rows = { .flat.base = FLAT_BASE_MACHINE, .least = least };
	struct stack_run run = { .profile = profiles_of(text) };
	char asked[256] = "", path[600];
	FILE *file;

	make_nameless(run.profile);
	write_file(in_directory("asked"), "");
	snprintf(path, sizeof(path), "%s:%s", directory, getenv("PATH"));
	setenv("PATH", path, 1);
	assert_int_equal(debug_names_fetch(&run, &rows, NULL), 0);
	setenv("PATH", strchr(path, ':') + 1, 1);
	file = fopen(in_directory("asked"), "r");
	asked[fread(asked, 1, sizeof(asked) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(asked, expected);
	profile_destroy(run.profile);
}

/* Each file is asked for once, if one of its rows is shown or all of them together are worth a hint. */
static void files_are_asked_for_once(void **state)
{
	static const char text[] = "sh 7 user main@sh;range1@libz.so.1#c0ffee 4\n"
		"sh 7 user main@sh;range2@libz.so.1#c0ffee 4\n"
		"sh 7 user main@sh;range3@libx.so.1#beef 2\n"
		"sh 7 user main@sh;range4@libx.so.1#beef 2\n"
		"sh 7 user main@sh;range5@libw.so.1 20\n"
		"sh 7 user main@sh;read@liby.so.1#f00d 20\n"
		"sh 7 user main@sh 48\n";
	char script[300];

	snprintf(script, sizeof(script), "#!/bin/sh\necho $2 >>%s\nexit 2\n", in_directory("asked"));
	write_file(in_directory("debuginfod-find"), script);
	sh("chmod +x debuginfod-find");
	assert_fetched(text, 0.5, "c0ffee\n");
	assert_fetched(text, 0.01, "c0ffee\nbeef\n");
}

static void no_debuginfod_without_a_build_id(void **state)
{
	assert_hint("sh 7 user main@sh;nameless@libz.so.1 30\nother 10\n", FLAT_BASE_MACHINE,
		    "probe: 75% of the time is in code of libz.so.1 without names\n"
		    "hint: measure with its debug symbols package installed\n");
}

static void small_shares_get_no_hint(void **state)
{
	static const char text[] = "sh 7 user main@sh;nameless@libz.so.1#c0ffee 5\n"
		"sh 7 user main@sh 35\nIDLE 0 kernel [idle] 60\n";

	assert_hint(text, FLAT_BASE_MACHINE, "");
	assert_hint(text, FLAT_BASE_TARGET,
		    "probe: 12% of the time is in code of libz.so.1 without names\n"
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
		cmocka_unit_test(all_ranges_of_a_file_count),
		cmocka_unit_test(names_made_of_ranges_are_recognized),
		cmocka_unit_test(files_are_asked_for_once),
		cmocka_unit_test(no_debuginfod_without_a_build_id),
		cmocka_unit_test(small_shares_get_no_hint),
		cmocka_unit_test(no_hint_for_code_without_debug_files),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
