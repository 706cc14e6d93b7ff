// SPDX-License-Identifier: GPL-2.0-only
/* An agent's windows in virtual time: cli/agent/windows.c, window_ring.c, agent_window.c, window_merge.c. */
#include <errno.h>
#include <malloc.h>

#include "unit.h"
#include "directory.h"
#include "profiles.h"
#include "agent/window_merge.h"
#include "agent/windows.h"
#include "profile/profile_save.h"
#include "verify.h"

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

#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

/* Bytes that are allocated. */
static size_t count_bytes(void)
{
#ifdef __SANITIZE_ADDRESS__
	return __sanitizer_get_current_allocated_bytes();
#else
	return mallinfo2().uordblks;
#endif
}

/* One window of four tables, which ends at @now. */
static void end_window(struct windows *windows, const struct window_now *now)
{
	struct run_result result = { .nr_cpus = 1, .period_ns = 1000000, .seed = 1,
				     .began = now->since_1970 - 60, .elapsed_seconds = 15 };
	int i;

	for (i = 0; i < 4; i++) {
		result.account = (struct run_account){ .taken = i ? 0 : TAKEN, .expected = i ? 0 : 20,
						       .missed = i ? 0 : 2, .lost = i ? 0 : 1 };
		assert_int_equal(windows_end_table(windows, NULL, &result, &run.receipt, now), i == 3);
	}
	windows_end_stacks(windows, &run, profile, NULL, now);
}

static void open_windows(struct windows *windows, u64 bytes, const struct window_now *now)
{
	*windows = (struct windows){ .per_stacks = 4 };
	assert_int_equal(window_ring_open(&windows->ring, in_directory("ring"), bytes, 3600, now, &why), 0);
}

static void step(struct window_now *now, double seconds)
{
	now->since_boot += seconds;
	now->since_1970 += seconds;
}

static u64 count_files(void)
{
	FILE *pipe;
	unsigned long long nr;
	char command[200];

	snprintf(command, sizeof(command), "ls %s | grep -c probe", in_directory("ring"));
	pipe = popen(command, "r");
	assert_int_equal(fscanf(pipe, "%llu", &nr), 1);
	pclose(pipe);
	return nr;
}

/* A day: an hour stays, each file verifies, and no memory is left behind. */
static void a_day_takes_fixed_memory(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;
	size_t before = 0;
	int minute;

	open_windows(&windows, 64 << 20, &now);
	for (minute = 1; minute <= 24 * 60; minute++) {
		step(&now, 60);
		end_window(&windows, &now);
		if (minute == 120)
			before = count_bytes();
	}
	assert_int_equal(windows.nr_written, 1440);
	assert_int_equal(windows.ring.nr, 60);
	assert_int_equal(count_files(), 60);
	assert_int_equal(windows.ring.next_number, 1441);
	assert_int_equal(windows.nr_gaps, 0);
	assert_int_equal(journal_sum(&windows.journal), windows.journal.nr[JOURNAL_LOSS]);
	assert_int_equal(windows.total.taken, 1440 * TAKEN);
	assert_true(before && count_bytes() <= before);
	window_ring_close(&windows.ring);
}

static void the_ring_keeps_to_its_bytes(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;
	u64 one, i;

	open_windows(&windows, 64 << 20, &now);
	end_window(&windows, &now);
	one = windows.ring.bytes;
	window_ring_close(&windows.ring);
	open_windows(&windows, 5 * one + 1, &now);
	for (i = 0; i < 20; i++) {
		step(&now, 60);
		end_window(&windows, &now);
		assert_true(windows.ring.bytes <= 5 * one + 1);
	}
	assert_int_equal(windows.ring.nr, 5);
	assert_int_equal(windows.ring.kept[0].window.number, 17);
	window_ring_limit(&windows.ring, 2 * one, 3600, &now);
	assert_int_equal(count_files(), 2);
	/* A window that is larger than the whole ring is lost, and that is a fault. */
	window_ring_limit(&windows.ring, one - 1, 3600, &now);
	end_window(&windows, &now);
	assert_int_equal(windows.nr_unwritten, 1);
	assert_int_equal(windows.journal.nr[JOURNAL_RING], 1);
	window_ring_close(&windows.ring);
}

/* Files of before are kept; what was half written is removed, what is damaged is counted and left out. */
static void an_agent_that_was_killed(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;
	struct window *good;
	size_t nr;
	int i;

	open_windows(&windows, 64 << 20, &now);
	for (i = 0; i < 4; i++) {
		step(&now, 60);
		end_window(&windows, &now);
	}
	window_ring_close(&windows.ring);
	sh("cd ring && echo half >0000000005.probe.a1b2c3 && truncate -s 100 0000000002.probe && cp 0000000003.probe "
	   "0000000007.probe && echo keep >notes && echo x >9.probe && mkdir 0000000008.probe");
	step(&now, 200);
	open_windows(&windows, 64 << 20, &now);
	assert_int_equal(windows.ring.nr, 5);
	assert_int_equal(windows.ring.nr_damaged, 2);	/* one is cut, one has another's number */
	assert_int_equal(access(in_directory("ring/0000000005.probe.a1b2c3"), F_OK), -1);
	assert_int_equal(access(in_directory("ring/notes"), F_OK), 0);
	assert_int_equal(access(in_directory("ring/9.probe"), F_OK), 0);
	assert_int_equal(windows.ring.next_number, 8);
	good = window_ring_good(&windows.ring, &nr);
	assert_int_equal(nr, 3);
	assert_int_equal(good[2].number, 4);
	free(good);
	sh("cd ring && rmdir 0000000008.probe");
	end_window(&windows, &now);
	good = window_ring_good(&windows.ring, &nr);
	assert_int_equal(nr, 4);
	assert_true(window_gap(&good[0], &good[1]) == 60);	/* the cut one */
	assert_true(window_gap(&good[2], &good[3]) == 140);
	free(good);
	window_ring_close(&windows.ring);
}

static void a_second_agent_is_refused(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;
	struct window_ring other;

	open_windows(&windows, 1 << 20, &now);
	assert_int_equal(window_ring_open(&other, in_directory("ring"), 1 << 20, 3600, &now, &why), -EBUSY);
	assert_non_null(strstr(why.what, "another agent has it"));
	window_ring_close(&windows.ring);
	assert_int_equal(window_ring_open(&other, in_directory("ring"), 1 << 20, 3600, &now, &why), 0);
	window_ring_close(&other);
}

static void recent_windows_are_found(void **state)
{
	const struct window windows[] = {
		{ 1, 1, 5000, 60, 60 }, { 2, 1, 5060, 60, 120 },
		/* Another start of the machine. */
		{ 3, 2, 6000, 60, 90 }, { 4, 2, 6060, 60, 150 }, { 5, 2, 6120, 60, 210 },
	};
	struct window_now now = { 2, 215, 6185 };

	assert_int_equal(window_first_since(windows, 5, 1, &now), 5);
	assert_int_equal(window_first_since(windows, 5, 6, &now), 4);
	assert_int_equal(window_first_since(windows, 5, 66, &now), 3);
	assert_int_equal(window_first_since(windows, 5, 1000, &now), 2);
	assert_int_equal(window_first_since(windows, 5, 1066, &now), 1);
	assert_int_equal(window_first_since(windows, 5, 3600, &now), 0);
	assert_int_equal(window_first_since(windows, 0, 3600, &now), 0);
	/* The clock was set back an hour: windows of this start know better, older ones are not younger. */
	now.since_1970 -= 3600;
	assert_int_equal(window_first_since(windows, 5, 66, &now), 3);
	assert_int_equal(window_first_since(windows, 5, 125, &now), 3);
	assert_int_equal(window_first_since(windows, 5, 126, &now), 0);
	assert_true(window_gap(&windows[0], &windows[1]) == 0);
	assert_true(window_gap(&windows[1], &windows[2]) == 880);
}

/* Each clock is set back once; numbers and gaps do not notice. */
static void the_clock_is_set_back(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;
	int i;

	open_windows(&windows, 64 << 20, &now);
	for (i = 0; i < 10; i++) {
		step(&now, 60);
		if (i == 5)
			now.since_1970 -= 86400;
		end_window(&windows, &now);
	}
	assert_int_equal(windows.nr_gaps, 0);
	assert_int_equal(windows.ring.nr, 10);
	assert_int_equal(windows.ring.kept[9].window.number, 10);
	window_ring_close(&windows.ring);
	open_windows(&windows, 64 << 20, &now);
	assert_int_equal(windows.ring.nr, 10);
	window_ring_close(&windows.ring);
}

static void add_file(struct window_merge *merge, const struct window_ring *ring, u64 number)
{
	char path[WINDOW_RING_PATH];
	struct record record;

	window_ring_path(ring, number, path);
	assert_int_equal(record_read(path, &record, &why), 0);
	assert_int_equal(window_merge_add(merge, &record), 0);
	record_deinit(&record);
}

/* Harvests take a while, now longer, now shorter: windows follow each other exactly. */
static void late_ends_make_no_overlap(void **state)
{
	struct window_now now = { 1, 1000, 1e9 }, late;
	struct windows windows;
	int i;

	open_windows(&windows, 64 << 20, &now);
	for (i = 0; i < 10; i++) {
		step(&now, 60);
		late = now;
		step(&late, i % 3 * 0.3);
		end_window(&windows, &late);
	}
	for (i = 1; i < 10; i++)
		assert_true(windows.ring.kept[i].window.ended ==
			    windows.ring.kept[i - 1].window.ended + windows.ring.kept[i].window.seconds);
	assert_int_equal(windows.nr_gaps, 0);
	window_ring_close(&windows.ring);
}

/* Three windows and a gap: one run whose sums hold, and which tells of the gap. */
static void windows_become_one_run(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct verify_result result;
	struct windows windows;
	struct window_merge merge;
	struct record_writer writer;
	struct record record;
	struct profile *all;
	char *told;
	int i;

	open_windows(&windows, 64 << 20, &now);
	window_merge_init(&merge);
	for (i = 1; i <= 3; i++) {
		step(&now, i == 3 ? 90 : 60);
		end_window(&windows, &now);
		add_file(&merge, &windows.ring, i);
	}
	assert_int_equal(windows.nr_gaps, 1);
	assert_int_equal(record_create(&writer, in_directory("all"), &why), 0);
	window_merge_save(&merge, &writer);
	assert_int_equal(record_commit(&writer, &why), 0);
	window_merge_deinit(&merge);
	assert_int_equal(record_read(in_directory("all"), &record, &why), 0);
	assert_int_equal(verify_record(&record, stdout, &result, &why), 0);
	assert_int_equal(result.nr_wrong, 0);
	assert_int_equal(result.taken, 3 * TAKEN);
	assert_true(result.has_receipt);
	all = profile_load(&record, &why);
	assert_int_equal(all->nr_stacks, 3);
	assert_int_equal(all->lost, 3);
	profile_destroy(all);
	told = WRITTEN(out, window_merge_tell(&record, out));
	assert_non_null(strstr(told, "probe: 3 windows since "));
	assert_non_null(strstr(told, ", 180 s, with 1 gap of 30 s in all\nprobe: nothing was measured for 30 s, from "));
	free(told);
	record_deinit(&record);
	window_ring_close(&windows.ring);
}

/* A kind of fault has a line, then silence for ten minutes; each is counted. */
static void faults_are_said_seldom(void **state)
{
	struct journal journal = { 0 };
	int second;

	freopen(in_directory("said"), "w", stderr);
	for (second = 1; second <= 601; second++)
		journal_fault(&journal, JOURNAL_RING, second, "no room\033");
	journal_fault(&journal, JOURNAL_LOSS, 2, "lost");
	fflush(stderr);
	assert_int_equal(journal_sum(&journal), 602);
	sh("printf 'probe: agent: no room?\\nprobe: agent: no room? (599 more since the last line)\\n"
	   "probe: agent: lost\\n' | diff - said");
}

static int begin(void **state)
{
	sh("rm -rf ring");
	profile = profiles_of(text);
	run = (struct run){ .cpus = &cpu, .nr_cpus = 1 };
	receipt_add_up(&run.receipt, &cpu, 1);
	run.receipt.period_ns = 1000000;
	run.receipt.what = CPUPROBE_WHAT_STACKS;
	return 0;
}

static int end(void **state)
{
	profile_destroy(profile);
	return 0;
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_day_takes_fixed_memory), TEST(the_ring_keeps_to_its_bytes), TEST(an_agent_that_was_killed),
		TEST(a_second_agent_is_refused), TEST(recent_windows_are_found), TEST(the_clock_is_set_back),
		TEST(late_ends_make_no_overlap),
		TEST(windows_become_one_run), TEST(faults_are_said_seldom),
	};

	/* Each of these windows has a loss that the journal is told of. */
	freopen("/dev/null", "w", stderr);
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
