// SPDX-License-Identifier: GPL-2.0-only
/* Files of groups of functions: cli/profile/groups.c. */
#include <stdbool.h>

#include "unit.h"
#include "profile/groups.h"

static struct groups *read_bytes(const char *bytes, size_t len, struct text_error *error)
{
	/* fmemopen() rejects an empty buffer. */
	FILE *in = len ? fmemopen((void *)bytes, len, "r") : fopen("/dev/null", "r");
	struct groups *groups = groups_read(in, "file", error);

	fclose(in);
	return groups;
}

static struct groups *read_text(const char *text, struct text_error *error)
{
	return read_bytes(text, strlen(text), error);
}

static void first_match_wins(void **state)
{
	struct groups *groups = read_text(
		"# comment\n"
		"\n"
		"[copying]\r\n"
		"  memcpy*  \r\n"
		"kernel:copy_*_user*\n"
		"[locking]\n"
		"*lock*\n"
		"mem*\n"
		"[copying]\n"
		"mem_too\n"
		"operator new\n", NULL);

	assert_non_null(groups);
	assert_int_equal(groups_nr(groups), 2);
	assert_string_equal(groups_name(groups, 0), "copying");
	assert_string_equal(groups_name(groups, 1), "locking");
	assert_int_equal(groups_match(groups, "libc.so.6", "memcpy_avx"), 0);
	assert_int_equal(groups_match(groups, "kernel", "copy_to_user_nofault"), 0);
	assert_int_equal(groups_match(groups, "kernel2", "copy_to_user"), GROUPS_NONE);
	assert_int_equal(groups_match(groups, "kernel", "_spin_lock_irq"), 1);
	assert_int_equal(groups_match(groups, "a", "mem_too"), 1);	/* mem* precedes it */
	assert_int_equal(groups_match(groups, "a", "operator new"), 0);
	assert_int_equal(groups_match(groups, "a", "operator new[]"), GROUPS_NONE);
	assert_int_equal(groups_match(groups, "a", "a memcpy"), GROUPS_NONE);	/* whole names */
	groups_destroy(groups);
}

/* A single ':' separates object and function; "::" and quoted text are part of a name. */
static void colons(void **state)
{
	static const struct {
		const char *pattern, *object, *function;
		bool fits;
	} cases[] = {
		{ "std::*", "a", "std::sort", true },
		{ "std::*", "std", ":sort", false },
		{ "libstdc*:std::*", "libstdc++.so.6", "std::sort", true },
		{ "libstdc*:std::*", "libc.so.6", "std::sort", false },
		{ "*:Lazy:~f", "perf-1.map", "Lazy:~f", true },
		{ "[[:upper:]]*", "a", "Upper", true },
		{ "[[:upper:]]*", "a", "lower", false },
		{ "[[:digit:]]x:f*", "7x", "fun", true },
		{ "a\\:b", "x", "a:b", true },
		{ "-:\\[idle]", "-", "[idle]", true },
		{ "*:[i]x[]]", "-", "ix]", true },
		{ "a\\\\[xy]", "-", "a\\y", true },
		{ "[!a]:f", "b", "f", true },
		{ "[!]:]x", "a", "bx", true },
		{ "[]:]x", "a", ":x", true },
		{ "a:::b", "a", "a:::b", true },
		{ "a:::b", "a", ":b", false },
	};
	char text[128];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct groups *groups;

		snprintf(text, sizeof(text), "[g]\n%s", cases[i].pattern);
		groups = read_text(text, NULL);
		assert_non_null(groups);
		if ((groups_match(groups, cases[i].object,
				  cases[i].function) == 0) != cases[i].fits)
			fail_msg("%s", cases[i].pattern);
		groups_destroy(groups);
	}
}

static void errors_have_the_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "read groups file: the file has no [GROUP]" },
		{ "# only\n\n", "read groups file: the file has no [GROUP]" },
		{ "memcpy\n[a]\n",
		  "read groups file: line 1: no [GROUP] precedes this pattern" },
		{ "\n[a]\nb\n[]\n", "read groups file: line 4: the group has no name" },
		{ "[a]\n[b]\nx\n", "read groups file: [a] has no pattern" },
		{ "[a]\n\nx[\n", "read groups file: line 3: a '[' has no ']'" },
		{ "[a]\nx\\\n", "read groups file: line 2: nothing follows the final '\\'" },
		{ "[a]\nkernel:\n", "read groups file: line 2: a glob is missing before or after ':'" },
		{ "[a]\n:f\n", "read groups file: line 2: a glob is missing before or after ':'" },
		{ "[a]b[c]\n", "read groups file: line 1: a group's name has no brackets; if this is a "
		  "pattern, put \"*:\" before it" },
	};
	struct text_error error;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_null(read_text(cases[i].text, &error));
		assert_string_equal(error.what, cases[i].message);
	}
}

static void other_files_are_refused(void **state)
{
	static char bytes[6000];
	const char *const message = "read groups file: line 2: too long, or contains a NUL";
	struct text_error error;
	struct groups *groups;

	assert_null(read_bytes("[a]\nb\0c\n", 8, &error));
	assert_string_equal(error.what, message);
	assert_null(read_bytes("[a]\nb\0", 6, &error));
	assert_string_equal(error.what, message);
	memset(bytes, 'x', sizeof(bytes));
	memcpy(bytes, "[a]\n", 4);
	assert_null(read_bytes(bytes, sizeof(bytes), &error));
	assert_string_equal(error.what, message);
	/* A line of the maximum length, and one that is a byte longer. */
	memset(bytes + 4, 'x', 4096);
	groups = read_bytes(bytes, 4 + 4096, &error);
	assert_non_null(groups);
	groups_destroy(groups);
	assert_null(read_bytes(bytes, 4 + 4097, &error));
	assert_string_equal(error.what, message);
	groups = read_text("[a\033[2J]\nx\n", &error);
	assert_null(groups);
	groups = read_text("[a\033b\xff]\nx\n", &error);
	assert_string_equal(groups_name(groups, 0), "a?b?");
	groups_destroy(groups);
}

static void too_many_are_refused(void **state)
{
	char *text = malloc(20 * (GROUPS_PATTERNS_MAX + 10)), *end = text;
	struct text_error error;
	int i;

	for (i = 0; i <= GROUPS_MAX; i++)
		end += sprintf(end, "[%d]\nx\n", i);
	assert_null(read_text(text, &error));
	assert_string_equal(error.what, "read groups file: line 2001: too many groups");
	end = text + sprintf(text, "[a]\n");
	for (i = 0; i <= GROUPS_PATTERNS_MAX; i++)
		end += sprintf(end, "x\n");
	assert_null(read_text(text, &error));
	assert_string_equal(error.what, "read groups file: line 100002: too many patterns");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_match_wins),
		cmocka_unit_test(colons),
		cmocka_unit_test(errors_have_the_line),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
