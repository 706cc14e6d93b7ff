// SPDX-License-Identifier: GPL-2.0-only
/* The expectation of a trace: cli/trace/trace_expect.c. */
#include "unit.h"
#include "trace/trace_expect.h"

static void rates_are_expected(void **state)
{
	const u64 of_cpus[] = { 20000, 50000 }, others[] = { 100000, 0 };
	/* 100 ms: 700,000 events a second; 10,000 calls and 100,000 others of 500 ns take 55% of a CPU. */
	struct trace_expect expect = trace_expect_from(of_cpus, others, 2, 100000000, 500000, 1000000);

	assert_int_equal(expect.events_hz, 700000);
	assert_int_equal(expect.calls_hz, 350000);
	assert_true(expect.busiest_pct > 54.99 && expect.busiest_pct < 55.01);
	assert_true(expect.seconds > 1.999 && expect.seconds < 2.001);
	expect = trace_expect_from(of_cpus, others, 2, 100000000, 500000, 0);
	assert_true(expect.seconds == 0);
	expect = trace_expect_from(of_cpus, others, 2, 0, 500000, 1000000);
	assert_true(expect.events_hz == 0 && expect.seconds == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_expected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
