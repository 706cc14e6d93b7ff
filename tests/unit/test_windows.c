// SPDX-License-Identifier: GPL-2.0-only
/* An agent's windows in virtual time: cli/agent/windows.c, window_ring.c, agent_window.c. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "agent_windows.h"
#include "base/fnv.h"
#include "base/sysfile.h"
#include "profile/profile_save.h"
#include "run/record.h"

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
	assert_int_equal(windows.ring.nr_dropped, 1380);
	assert_true(windows.ring.kept[59].window.began == now.since_1970 - 60);
	assert_int_equal(windows.journal.nr[JOURNAL_LOSS], 1440);
	assert_int_equal(journal_sum(&windows.journal), 1440);
	assert_int_equal(windows.total.taken, 1440 * TAKEN);
	assert_int_equal(windows.total.lost, 1440);
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
	   "0000000007.probe && echo keep >notes && echo x >9.probe && mkdir 0000000008.probe && "
	   "echo keep >0000000005.probe.old && echo keep >18014398509481984.probe");
	step(&now, 200);
	open_windows(&windows, 64 << 20, &now);
	assert_int_equal(windows.ring.nr, 5);
	assert_int_equal(windows.ring.nr_damaged, 2);	/* one is cut, one has another's number */
	assert_int_equal(access(in_directory("ring/0000000005.probe.a1b2c3"), F_OK), -1);
	assert_int_equal(access(in_directory("ring/notes"), F_OK), 0);
	assert_int_equal(access(in_directory("ring/9.probe"), F_OK), 0);
	assert_int_equal(access(in_directory("ring/0000000005.probe.old"), F_OK), 0);
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

static void old_windows_go(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;
	int i;

	open_windows(&windows, 64 << 20, &now);
	for (i = 0; i < 5; i++) {
		step(&now, 60);
		end_window(&windows, &now);
	}
	window_ring_limit(&windows.ring, 64 << 20, 130, &now);
	assert_int_equal(windows.ring.nr, 3);
	window_ring_close(&windows.ring);
	step(&now, 7200);
	open_windows(&windows, 64 << 20, &now);
	assert_int_equal(windows.ring.nr, 0);
	assert_int_equal(windows.ring.next_number, 6);
	window_ring_close(&windows.ring);
}

/** A sink that counts what it gets, and fails if it is told to. */
struct counting_sink {
	int nr_tables, nr_stacks, error;
	double began, seconds;		/* of the last window */
	u64 taken;
};

static int take_table(void *self, const struct agent_table_window *window, struct text_error *error_ret)
{
	struct counting_sink *sink = self;

	sink->nr_tables++;
	sink->began = window->began;
	sink->seconds = window->seconds;
	return sink->error ? text_fail(error_ret, sink->error, "full") : 0;
}

static int take_stacks(void *self, const struct agent_stacks_window *window, struct text_error *error_ret)
{
	struct counting_sink *sink = self;

	sink->nr_stacks++;
	sink->began = window->window.began;
	sink->seconds = window->window.seconds;
	sink->taken = window->result->account.taken;
	assert_true(window->bytes && window->len);
	return sink->error ? text_fail(error_ret, sink->error, "full") : 0;
}

/* Each sink takes what it wants; one that fails is in the journal by name, and keeps no other from it. */
static void sinks_take_windows(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct counting_sink of_tables = { .error = -EIO }, of_stacks = { 0 };
	struct windows windows;

	open_windows(&windows, 64 << 20, &now);
	windows.sinks[0] = (struct agent_sink){ .name = "tables", .self = &of_tables, .take_table = take_table };
	windows.sinks[1] = (struct agent_sink){ .name = "stacks", .self = &of_stacks, .take_stacks = take_stacks };
	windows.nr_sinks = 2;
	end_window(&windows, &now);
	assert_int_equal(of_tables.nr_tables, 4);
	assert_true(of_tables.began == now.since_1970 - 15 && of_tables.seconds == 15);
	assert_int_equal(windows.nr_tables_ended, 4);
	assert_int_equal(windows.journal.nr[JOURNAL_SINK], 4);
	assert_string_equal(windows.journal.last, "1 of 17 samples found no room");
	assert_int_equal(of_stacks.nr_stacks, 1);
	assert_true(of_stacks.began == now.since_1970 - 60 && of_stacks.seconds == 60);
	assert_int_equal(of_stacks.taken, TAKEN);
	of_stacks.error = -EIO;
	step(&now, 60);
	end_window(&windows, &now);
	assert_int_equal(windows.journal.nr[JOURNAL_SINK], 9);
	/* A refusal is a fault of its own kind, the end of a fault is none. */
	of_stacks.error = 0;
	of_tables.error = AGENT_SINK_REFUSED;
	step(&now, 60);
	end_window(&windows, &now);
	of_tables.error = AGENT_SINK_WORKS;
	step(&now, 60);
	end_window(&windows, &now);
	assert_int_equal(windows.journal.nr[JOURNAL_SINK], 9);
	assert_int_equal(windows.journal.nr[JOURNAL_REFUSED], 4);
	assert_false(windows.journal.is_open[JOURNAL_SINK]);
	of_tables.error = of_stacks.error = -EIO;
	/* Sinks get a window that found no room in the ring. */
	window_ring_limit(&windows.ring, 10, 3600, &now);
	end_window(&windows, &now);
	assert_int_equal(windows.nr_unwritten, 1);
	assert_int_equal(of_stacks.nr_stacks, 5);
	window_ring_close(&windows.ring);
}

/* Stacks that the agent had no memory for are in its profile's loss, and in no account's. */
static void lost_by_the_agent(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct windows windows;

	open_windows(&windows, 64 << 20, &now);
	profile->taken += 3;
	profile->lost += 3;
	end_window(&windows, &now);
	assert_string_equal(windows.journal.last, "4 of 17 samples found no room");
	assert_int_equal(windows.total.lost, 4);
	window_ring_close(&windows.ring);
}

/* The agent ends, or is asked, within a window: tables that ended, and a part of another. */
static void a_part_is_a_shorter_window(void **state)
{
	struct window_now now = { 1, 1000, 1e9 };
	struct run_result table = { .nr_cpus = 1, .period_ns = 1000000, .began = 1e9 - 20, .elapsed_seconds = 15,
				    .account = { .taken = 10, .expected = 12, .missed = 2, .excess = 0.5 } };
	struct run_result part = { .nr_cpus = 1, .period_ns = 1000000, .began = 1e9 - 5, .elapsed_seconds = 5,
				   .account = { .taken = 7, .expected = 8, .excess = 0.25 } };
	struct windows windows;
	struct window window;
	size_t len;

	open_windows(&windows, 64 << 20, &now);
	assert_false(windows_end_table(&windows, NULL, &table, &run.receipt, &now));
	free(windows_pack(&windows, &run, profile, &part, &now, &window, &len));
	assert_true(window.began == 1e9 - 20 && window.seconds == 20 && window.ended == 1000);
	assert_int_equal(window.number, 1);
	/* Asking changed nothing. */
	assert_int_equal(windows.ring.nr, 0);
	windows_end_stacks(&windows, &run, profile, &part, &now);
	assert_int_equal(windows.ring.nr, 1);
	assert_true(windows.ring.kept[0].window.seconds == 20);
	assert_int_equal(windows.total.taken, 17);
	assert_int_equal(windows.total.missed, 2);
	assert_int_equal(windows.total.expected, 20);
	assert_true(windows.total.excess == 0.5);
	window_ring_close(&windows.ring);
}

#define KILLS		200
#define KILLED_BYTES	(40 << 10)	/* so small that old windows are removed all the time */

/* An agent that writes windows and tells the number of each, until it is killed. */
static void write_for_ever(int out, double since_boot)
{
	struct window_now now = { 1, since_boot, 1e9 + since_boot };
	struct windows windows;
	u64 number;

	open_windows(&windows, KILLED_BYTES, &now);
	for (;;) {
		step(&now, 60);
		number = windows.ring.next_number;
		end_window(&windows, &now);
		if (windows.nr_unwritten || write(out, &number, sizeof(number)) != sizeof(number))
			_exit(1);
	}
}

/* Kills it some milliseconds after it told up to two numbers. Returns the last number that it told; 0: none. */
static u64 kill_one(double since_boot)
{
	int out[2], status, nr_awaited = random() % 3;
	u64 last = 0;
	pid_t pid;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	if (!pid)
		write_for_ever(out[1], since_boot);
	close(out[1]);
	while (nr_awaited-- && read(out[0], &last, sizeof(last)) == sizeof(last))
		;
	usleep(random() % 8000);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	while (read(out[0], &last, sizeof(last)) == sizeof(last))
		;
	close(out[0]);
	return last;
}

/*
 * Every window of the ring is whole, there once, and after the one before it. Returns the number of the last one.
 * @now: becomes a time after it
 */
static u64 check_ring(struct window_now *now)
{
	struct windows windows;
	struct window *good;
	struct record record;
	char path[WINDOW_RING_PATH];
	size_t nr, i;
	u64 last;

	open_windows(&windows, KILLED_BYTES, now);
	assert_int_equal(windows.ring.nr_damaged, 0);
	assert_true(windows.ring.bytes <= KILLED_BYTES);
	assert_int_equal(count_files(), windows.ring.nr);
	good = window_ring_good(&windows.ring, &nr);
	for (i = 0; i < nr; i++) {
		struct profile *loaded;

		window_ring_path(&windows.ring, good[i].number, path);
		assert_int_equal(record_read(path, &record, NULL), 0);
		loaded = profile_load(&record, NULL);
		assert_non_null(loaded);
		assert_int_equal(loaded->taken, TAKEN);
		profile_destroy(loaded);
		record_deinit(&record);
		assert_true(!i || (good[i].number == good[i - 1].number + 1 &&
				   good[i].ended - good[i].seconds >= good[i - 1].ended));
	}
	last = nr ? good[nr - 1].number : 0;
	if (nr)
		now->since_boot = good[nr - 1].ended + 60;
	free(good);
	window_ring_close(&windows.ring);
	return last;
}

/* Killed at any instant: what it told is there, and nothing is there twice or in part. */
static void an_agent_that_is_killed_often(void **state)
{
	struct window_now now = { 1, 0, 1e9 };
	u64 told, last = 0, before, nr_told = 0;
	int i;

	sh("rm -rf ring");
	srandom(1);
	for (i = 0; i < KILLS; i++) {
		before = last;
		told = kill_one(now.since_boot);
		last = check_ring(&now);
		/* the last one was written, and perhaps one that it had no time to tell */
		assert_in_range(last, told ?: before, (told ?: before) + 1);
		nr_told += told > 0;
	}
	assert_true(nr_told > 0);
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

/* The next agent of this start of the machine has the same number, which its windows are compared by. */
static void a_start_has_one_number(void **state)
{
	struct window_now now;
	char id[64];

	assert_int_equal(sysfile_line("/proc/sys/kernel/random/boot_id", id, sizeof(id)), 0);
	window_now(&now);
	assert_true(now.boot == fnv_hash(id, strlen(id)));
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

/* A window ends some time after the last sample: less than a second is no gap. */
static void short_gaps_are_none(void **state)
{
	const struct window first = { 1, 1, 5000, 60, 60 };
	struct window next = { 2, 1, 5060.9, 60, 120.9 };

	assert_true(window_gap(&first, &next) == 0);
	next.ended = 121;
	assert_true(window_gap(&first, &next) == 1);
	next.ended = 100;
	assert_true(window_gap(&first, &next) == 0);
}

static void windows_without_sense_are_found(void **state)
{
	const struct window good = { 1, 1, 5000, 60, 60 };
	struct window bad;

	assert_true(window_is_valid(&good));
	bad = good, bad.number = 0;
	assert_false(window_is_valid(&bad));
	bad = good, bad.began = -1;
	assert_false(window_is_valid(&bad));
	bad = good, bad.began = INFINITY;
	assert_false(window_is_valid(&bad));
	bad = good, bad.seconds = -1;
	assert_false(window_is_valid(&bad));
	bad = good, bad.seconds = NAN;
	assert_false(window_is_valid(&bad));
	bad = good, bad.seconds = 1e300;
	assert_false(window_is_valid(&bad));
	bad = good, bad.ended = -1;
	assert_false(window_is_valid(&bad));
	bad = good, bad.ended = 1e300;
	assert_false(window_is_valid(&bad));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_day_takes_fixed_memory), TEST(the_ring_keeps_to_its_bytes), TEST(an_agent_that_was_killed),
		TEST(an_agent_that_is_killed_often),
		TEST(old_windows_go), TEST(sinks_take_windows), TEST(a_part_is_a_shorter_window),
		TEST(a_second_agent_is_refused), TEST(recent_windows_are_found), TEST(short_gaps_are_none),
		TEST(windows_without_sense_are_found), TEST(the_clock_is_set_back), TEST(late_ends_make_no_overlap),
		TEST(a_start_has_one_number), TEST(lost_by_the_agent),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
