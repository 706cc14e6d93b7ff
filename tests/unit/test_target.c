// SPDX-License-Identifier: GPL-2.0-only
/* Errors about invalid ranges of addresses: cli/proc/target.c, on this program itself. */
#include <errno.h>
#include <unistd.h>

#include "unit.h"
#include "proc/target.h"

#define FUNCTION(name)	".globl \"" name "\"\n.type \"" name "\",@function\n\"" name "\":\nnop\n"
#define END(name)	".size \"" name "\", .-\"" name "\"\n"

asm(".text\n"
    FUNCTION("range_one") "nop\n" END("range_one")
    FUNCTION("range_outer") FUNCTION("range_inner") END("range_inner") "nop\n" END("range_outer")
    FUNCTION("range_last") END("range_last")
    FUNCTION("range odd") END("range odd"));

static char own[512];

static void assert_hint(const char *low, const char *high, const char *expected)
{
	const struct target_request request = { .word = own, .low = low, .high = high };
	struct text_error error = { "", "" };
	struct target target;

	assert_int_equal(target_init(&target, &request, &error), -EINVAL);
	assert_non_null(strstr(error.what, "-low must be below -high"));
	assert_string_equal(error.hint, expected);
}

static void the_hint_names_the_end_of_a_function(void **state)
{
	assert_hint("range_one", "range_one", "for all of range_one: -low range_one "
		    "-high range_outer");
	/* A symbol inside of the function is not its end. */
	assert_hint("range_outer", "range_outer", "for all of range_outer: -low range_outer "
		    "-high range_last");
}

static void names_unfit_for_a_shell_become_addresses(void **state)
{
	const struct target_request request = {
		.word = own, .low = "range_last", .high = "range odd"
	};
	char expected[128];
	struct target target;

	assert_int_equal(target_init(&target, &request, NULL), 0);
	snprintf(expected, sizeof(expected), "for all of range_last: -low range_last -high 0x%llx",
		 (unsigned long long)target.layout.high);
	target_deinit(&target);
	assert_hint("range_last", "range_last", expected);
	assert_hint("range odd", "range odd", "");
}

static void other_ranges_have_no_hint(void **state)
{
	assert_hint("range_outer", "range_one", "");
	assert_hint("range_one+1", "range_one+1", "");
	assert_hint("0x1200", "0x1100", "");
	assert_hint("0x1200", "0x1200", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hint_names_the_end_of_a_function),
		cmocka_unit_test(names_unfit_for_a_shell_become_addresses),
		cmocka_unit_test(other_ranges_have_no_hint),
	};
	ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (len < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
