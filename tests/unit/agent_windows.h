/* SPDX-License-Identifier: GPL-2.0-only */
/* An agent's windows in virtual time, in a ring on disk, each with the same stacks. */
#ifndef AGENT_WINDOWS_H
#define AGENT_WINDOWS_H

#include "unit.h"
#include "directory.h"
#include "profiles.h"
#include "said.h"
#include "agent/windows.h"

#define TAKEN	17	/* samples of a window */

static const char text[] =
	"a 1 user main@a;one@a 8\n"
	"a 1 kernel main@a;two@kernel 6\n"
	"b 2 user main@b 2\n"
	"lost 1\n";

static struct text_error why;
static struct profile *profile;
static struct receipt_cpu cpu = { .cpu = 3, .expected = 20, .taken = TAKEN, .missed = 2, .pending = 1, .lost = 1,
				  .sampled_ns = 20000000 };
static struct run run;

/* One window of four tables, which ends at @now. */
static inline void end_window(struct windows *windows, const struct window_now *now)
{
	struct run_result result = { .nr_cpus = 1, .period_ns = 1000000, .seed = 1,
				     .elapsed_seconds = 15 };
	int i, before, is_whole;

	for (i = 0; i < 4; i++) {
		result.began = now->since_1970 - 60 + 15 * i;
		result.account = (struct run_account){ .taken = i ? 0 : TAKEN, .expected = i ? 0 : 20,
						       .missed = i ? 0 : 2, .lost = i ? 0 : 1 };
		before = said_begin("/dev/null");
		is_whole = windows_end_table(windows, NULL, &result, &run.receipt, now);
		said_end(before);
		assert_int_equal(is_whole, i == 3);
	}
	/* Its loss is told to the journal. */
	before = said_begin("/dev/null");
	windows_end_stacks(windows, &run, profile, NULL, now);
	said_end(before);
}

static inline void open_windows(struct windows *windows, u64 bytes, const struct window_now *now)
{
	*windows = (struct windows){ .per_stacks = 4 };
	assert_int_equal(window_ring_open(&windows->ring, in_directory("ring"), bytes, 3600, now, &why), 0);
}

static inline void step(struct window_now *now, double seconds)
{
	now->since_boot += seconds;
	now->since_1970 += seconds;
}

static inline int begin(void **state)
{
	sh("rm -rf ring");
	profile = profiles_of(text);
	run = (struct run){ .cpus = &cpu, .nr_cpus = 1 };
	receipt_add_up(&run.receipt, &cpu, 1);
	run.receipt.period_ns = 1000000;
	run.receipt.what = CPUPROBE_WHAT_STACKS;
	return 0;
}

static inline int end(void **state)
{
	profile_destroy(profile);
	return 0;
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

#endif
