// SPDX-License-Identifier: GPL-2.0-only
/* Options of following calls: cli/trace/trace_session.c. */
#include <errno.h>

#include "unit.h"
#include "trace/trace_session.h"

static int check_start(const char *start_at, struct text_error *error_ret)
{
	const struct trace_options options = { .globs = "f", .start_at = start_at };

	return trace_options_check(&options, error_ret);
}

/* The module takes a number up to S32_MAX. */
static void numbers_of_calls_have_limits(void **state)
{
	static const char *const bad[] = { "f:0", "f:2147483648", "f:4294967297", "f:99999999999999999999999" };
	struct text_error error;
	char message[128];
	size_t i;

	assert_int_equal(check_start("f", &error), 0);
	assert_int_equal(check_start("f:1", &error), 0);
	assert_int_equal(check_start("module:f", &error), 0);
	assert_int_equal(check_start("module:f:2147483647", &error), 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(check_start(bad[i], &error), -EINVAL);
		snprintf(message, sizeof(message), "-start-at %s: calls are numbered from 1 to 2147483647", bad[i]);
		assert_string_equal(error.what, message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(numbers_of_calls_have_limits) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
