// SPDX-License-Identifier: GPL-2.0-only
/* The course of a search for instructions: cli/hunt.c, where the last step's slots are bytes. */
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "hunt.h"

static struct proc_report report;
static struct hunt hunt;
static struct sym_index *symbols;

/* 32 KiB of code; all hits in the slot of 64 bytes at 0x3000. */
static int setup(void **state)
{
	static const char names[] = "2fc0 0000000000000100 T small\n"
		"30c0 0000000000001000 T large\n";
	int fd = memfd_create("names", 0);

	(void)state;
	memset(&report, 0, sizeof(report));
	assert_int_equal(slots_layout_init(&report.layout, 0x1000, 0x9000), 0);
	report.hits[(0x3000 - 0x1000) / 64] = 100;
	assert_int_equal(write(fd, names, sizeof(names) - 1), sizeof(names) - 1);
	assert_int_equal(sym_index_create_text(fd, &symbols, NULL), 0);
	close(fd);
	hunt_init(&hunt, true);
	hunt.wants_bytes = true;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	sym_index_destroy(symbols);
	hunt_deinit(&hunt);
	return 0;
}

static void takes_in_the_function(void **state)
{
	(void)state;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 10));
	assert_int_equal(hunt.next.low, 0x2fc0);
	assert_int_equal(hunt.next.high, 0x30c0);
}

static void takes_in_512_bytes(void **state)
{
	(void)state;
	report.hits[(0x3000 - 0x1000) / 64] = 0;
	report.hits[(0x3800 - 0x1000) / 64] = 100;
	assert_true(hunt_is_step_done(&hunt, &report, NULL, 10));
	assert_true(hunt.next.low <= 0x3800 && hunt.next.high >= 0x3840);
	/* A sixteenth of the range is more than that already. */
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
	(void)state;
	assert_int_equal(slots_layout_init(&report.layout, 0x3000, 0x3100), 0);
	memset(report.hits, 0, sizeof(report.hits));
	report.hits[0x10] = 100000;
	assert_false(hunt_is_step_done(&hunt, &report, symbols, 10));
	hunt.wants_bytes = false;
	assert_true(hunt_is_step_done(&hunt, &report, symbols, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(takes_in_the_function, setup, teardown),
		cmocka_unit_test_setup_teardown(takes_in_512_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(goes_no_further_than_bytes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
