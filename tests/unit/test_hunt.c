// SPDX-License-Identifier: GPL-2.0-only
/* The course of a search for instructions; the last step has slots of a byte: cli/proc/hunt.c. */
#include <unistd.h>

#include "inputs.h"
#include "proc/hunt.h"

static struct proc_report report;
static struct hunt hunt;
static struct sym_index *symbols;

/* 32 KiB of code; all hits in the slot of 64 bytes at 0x3000. */
static int setup(void **state)
{
	memset(&report, 0, sizeof(report));
	assert_int_equal(slots_layout_init(&report.layout, 0x1000, 0x9000), 0);
	report.hits[(0x3000 - 0x1000) / 64] = 100;
	symbols = symbols_of("2fc0 0000000000000100 T small\n30c0 0000000000001000 T large\n");
	hunt_init(&hunt, true);
	hunt.wants_bytes = true;
	return 0;
}

static int teardown(void **state)
{
	sym_index_destroy(symbols);
	hunt_deinit(&hunt);
	return 0;
}

static void next_range_contains_the_function(void **state)
{
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 10));
	assert_int_equal(hunt.next.low, 0x2fc0);
	assert_int_equal(hunt.next.high, 0x30c0);
}

static void next_range_has_at_least_512_bytes(void **state)
{
	report.hits[(0x3000 - 0x1000) / 64] = 0;
	report.hits[(0x3800 - 0x1000) / 64] = 100;
	assert_true(hunt_is_step_done(&hunt, &report, NULL, 10));
	assert_true(hunt.next.low <= 0x3800 && hunt.next.high >= 0x3840);
	/* A sixteenth of the range is already more. */
	assert_int_equal(hunt.next.high - hunt.next.low, 32 * 64);
	assert_int_equal(slots_layout_init(&report.layout, 0x3000, 0x3800), 0);
	memset(report.hits, 0, sizeof(report.hits));
	report.hits[0x100] = 100;
	hunt_next_step(&hunt, &report);
	assert_int_equal(slots_layout_init(&report.layout, 0x3000, 0x3800), 0);
	assert_true(hunt_is_step_done(&hunt, &report, NULL, 10));
	assert_int_equal(hunt.next.high - hunt.next.low, CPUPROBE_SLOTS);
	assert_true(hunt.next.low < 0x3400 && hunt.next.high > 0x3404);
}

static void goes_no_further_than_bytes(void **state)
{
	assert_int_equal(slots_layout_init(&report.layout, 0x3000, 0x3100), 0);
	memset(report.hits, 0, sizeof(report.hits));
	report.hits[0x10] = 100000;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 10));
	hunt.wants_bytes = false;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 10));
}

/* Slots of 64 bytes, two of them with hits, far apart; the task has more samples elsewhere. */
static void trims(void **state)
{
	hunt_init(&hunt, false);
	memset(report.hits, 0, sizeof(report.hits));
	report.hits[100] = 100;
	report.hits[400] = 100;
	/* 380 samples leave more than 1% unseen, 381 less: samples elsewhere count too. */
	report.elsewhere.outside = 180;
	report.elsewhere.other_task = 100000;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 10));
	report.elsewhere.outside = 181;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 10));
	assert_true(hunt.is_trim);
	assert_int_equal(hunt.next.low, 0x1000 + 100 * 64);
	assert_int_equal(hunt.next.high, 0x1000 + 401 * 64);
	assert_string_equal(hunt.why,
			    "dropped the ends without hits: below 1.0% with 95% confidence");
	/* The last harvest brought a hit in an empty slot. */
	report.hits[90] = 1;
	hunt_next_step(&hunt, &report);
	assert_int_equal(report.layout.low, 0x1000 + 90 * 64);
	assert_int_equal(report.layout.high, 0x1000 + 401 * 64);
	assert_int_equal(report.nr_steps, 1);
	assert_int_equal(report.steps[0].low, 0x1000);
	assert_int_equal(report.steps[0].high, 0x9000);
	assert_int_equal(report.steps[0].slot_bytes, 64);
	assert_int_equal(report.steps[0].hits, 201);
	assert_int_equal(report.steps[0].outside, 181);
	assert_string_equal(hunt.why, "");
}

/* A step ends after half of the remaining time, whatever is still unknown. */
static void time_is_up(void **state)
{
	hunt_init(&hunt, false);
	memset(report.hits, 0, sizeof(report.hits));
	report.hits[100] = 10;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 3600));
	assert_true(hunt.step_seconds == 1800);
	hunt.step_began -= 1801;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 1));
	assert_string_equal(hunt.why,
			    "dropped the ends without hits: below 27.8% with 95% confidence");
	/* A run without an end gives each step two seconds. */
	hunt_init(&hunt, false);
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 0));
	assert_true(hunt.step_seconds == 2);
}

/* Looks at 32, 64, 128... hits, at most 16; one step is kept in reserve for the last. */
static void looks_are_few(void **state)
{
	u64 *hits = &report.hits[(0x3000 - 0x1000) / 64];

	hunt.wants_bytes = false;
	*hits = SEARCH_FIRST_LOOK - 1;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 3600));
	assert_int_equal(hunt.nr_looks, 0);
	*hits = 5 * SEARCH_FIRST_LOOK;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 3600));
	assert_int_equal(hunt.nr_looks, 1);
	assert_int_equal(hunt.next_look, 8 * SEARCH_FIRST_LOOK);
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 3600));
	assert_int_equal(hunt.nr_looks, 1);
	*hits = 8 * SEARCH_FIRST_LOOK;
	hunt.nr_looks = SEARCH_LOOKS;
	report.elsewhere.outside = 0;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 3600));
	hunt.nr_looks = SEARCH_LOOKS - 1;
	report.nr_steps = PROC_STEPS_MAX - 1;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 3600));
	report.nr_steps = PROC_STEPS_MAX - 2;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 3600));
	assert_string_equal(hunt.why, "hot function small: 100.0% of the hits, next 0.0%");
}

/* The result of a search, in words. */
static void verdicts(void **state)
{
	snprintf(report.object, sizeof(report.object), "thing");
	report.object_start = 0x1000;
	assert_false(hunt_end(&hunt, &report, symbols));
	assert_int_equal(report.nr_steps, 1);
	assert_string_equal(report.steps[0].why, "");
	assert_string_equal(report.verdict, "Hottest: 0x2fc0-0x30c0, small, with 90.9-100.0% of "
			    "the 100 hits of the last step; no other has hits.");
	/* Two results that are alike. */
	report.result.account.taken = 200;
	report.hits[(0x3800 - 0x1000) / 64] = 100;
	hunt_end(&hunt, &report, NULL);
	assert_non_null(strstr(report.verdict, "Flat: no sixteenth or function of this range "
			       "stands out. The busiest, from thing+0x"));
	assert_non_null(strstr(report.verdict, " of 200 hits; the next, from thing+0x"));
	/* By bytes: an instruction inside a function. */
	assert_int_equal(slots_layout_init(&report.layout, 0x2fc0, 0x30c0), 0);
	memset(report.hits, 0, sizeof(report.hits));
	report.hits[0x10] = 900;
	report.hits[0x20] = 100;
	hunt_end(&hunt, &report, symbols);
	assert_non_null(strstr(report.verdict, "Hottest instruction: small+0x10 at 0x2fd0, with "));
	assert_non_null(strstr(report.verdict, "; the next, small+0x20, has "));
	hunt_init(&hunt, false);
	hunt_end(&hunt, &report, symbols);
	assert_string_equal(report.verdict, "Ended before the range was narrow: all hits are in "
			    "0x2fd0-0x2fe1.");
	memset(report.hits, 0, sizeof(report.hits));
	hunt_end(&hunt, &report, symbols);
	assert_string_equal(report.verdict, "No sample fell into thing.");
	report.hits[0] = report.hits[report.layout.nr_slots - 1] = 1;
	hunt_end(&hunt, &report, symbols);
	assert_string_equal(report.verdict, "Narrowed: both ends of this range have hits.");
}

/* A function that continues after a nested one does not begin there. */
static void a_function_that_goes_on(void **state)
{
	struct sym_index *nested = symbols_of("1000 8000 T outer\n2000 100 T inner\n");

	memset(report.hits, 0, sizeof(report.hits));
	report.hits[0] = 1000;
	assert_int_equal(slots_layout_init(&report.layout, 0x2100, 0x2200), 0);
	hunt_end(&hunt, &report, nested);
	assert_non_null(strstr(report.verdict, "Hottest instruction: outer+0x1100 at 0x2100, "));
	assert_int_equal(slots_layout_init(&report.layout, 0x2000, 0x2100), 0);
	hunt_end(&hunt, &report, nested);
	assert_non_null(strstr(report.verdict, "Hottest instruction: inner at 0x2000, "));
	sym_index_destroy(nested);
}

/* The task ended before the second step had samples: the first step's counts are used. */
static void last_step_without_samples(void **state)
{
	hunt.wants_bytes = false;
	report.result.account.taken = 100;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 10));
	hunt_next_step(&hunt, &report);
	assert_int_equal(report.nr_steps, 1);
	memset(report.hits, 0, sizeof(report.hits));
	report.result.account.taken = 0;
	report.objects[0].hits = 7;
	report.nr_objects = 1;
	assert_true(hunt_end(&hunt, &report, symbols));
	assert_int_equal(report.result.account.taken, 100);
	assert_int_equal(report.nr_steps, 1);
	assert_int_equal(report.layout.low, 0x1000);
	assert_int_equal(report.layout.high, 0x9000);
	assert_int_equal(proc_report_hits(&report), 100);
	assert_int_equal(report.objects[0].hits, 7);
	assert_int_equal(report.nr_objects, 1);
	assert_non_null(strstr(report.verdict, "Hottest: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(next_range_contains_the_function, setup, teardown),
		cmocka_unit_test_setup_teardown(next_range_has_at_least_512_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(goes_no_further_than_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(trims, setup, teardown),
		cmocka_unit_test_setup_teardown(time_is_up, setup, teardown),
		cmocka_unit_test_setup_teardown(looks_are_few, setup, teardown),
		cmocka_unit_test_setup_teardown(verdicts, setup, teardown),
		cmocka_unit_test_setup_teardown(a_function_that_goes_on, setup, teardown),
		cmocka_unit_test_setup_teardown(last_step_without_samples, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
