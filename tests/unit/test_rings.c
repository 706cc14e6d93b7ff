// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling of one's own processes: records in rings, counts by key, reasons of refusals (cli/rings/),
 * and the receipt about it. Rings are written here; nothing is sampled.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "unit.h"
#include "rings/own_tasks.h"
#include "rings/own_threads.h"
#include "rings/perf_access.h"
#include "rings/tallied_keys.h"
#include "rings/thread_ring.h"
#include "run/receipt_own.h"

/* A ring of one page for records, whose records begin 12 bytes before its end. */
static struct thread_ring make_ring(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct thread_ring ring = { .fd = -1, .map = aligned_alloc(page, 2 * page), .data_len = page };
	struct perf_event_mmap_page *state = ring.map;

	assert_non_null(ring.map);
	memset(ring.map, 0, 2 * page);
	state->data_head = state->data_tail = 3 * page - 12;
	return ring;
}

static void put_words(struct thread_ring *ring, u32 type, const u32 *words, u32 nr)
{
	struct perf_event_mmap_page *state = ring->map;
	const struct perf_event_header header = { .type = type, .size = sizeof(header) + 4 * nr };
	char *data = (char *)ring->map + ring->data_len;
	char bytes[64];
	size_t i;

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), words, 4 * nr);
	for (i = 0; i < header.size; i++)
		data[state->data_head++ % ring->data_len] = bytes[i];
}

static void records_are_read(void **state)
{
	const u32 sample[] = { 0x11223344, 0x5566, 10, 11 }, task[] = { 20, 10, 21, 11, 0, 0 };
	const u32 lost[] = { 1, 0, 7, 0 };
	u32 comm[] = { 10, 11, 0, 0, 0, 0 };
	struct thread_ring ring = make_ring();
	struct ring_record record;

	memcpy(&comm[2], "sixteen-letters", 16);
	assert_false(thread_ring_next(&ring, &record));
	put_words(&ring, PERF_RECORD_SAMPLE, sample, 4);
	put_words(&ring, PERF_RECORD_FORK, task, 6);
	put_words(&ring, PERF_RECORD_COMM, comm, 6);
	put_words(&ring, PERF_RECORD_LOST, lost, 4);
	put_words(&ring, PERF_RECORD_READ, lost, 4);
	put_words(&ring, PERF_RECORD_THROTTLE, task, 6);
	put_words(&ring, PERF_RECORD_EXIT, task, 6);

	assert_true(thread_ring_next(&ring, &record));
	assert_true(record.kind == RING_SAMPLE && record.pid == 10 && record.tid == 11);
	assert_true(record.pc == 0x556611223344);
	assert_true(thread_ring_next(&ring, &record));
	assert_true(record.kind == RING_FORK && record.pid == 20 && record.tid == 21);
	assert_true(thread_ring_next(&ring, &record));
	assert_int_equal(record.kind, RING_COMM);
	assert_string_equal(record.comm, "sixteen-letters");
	assert_true(thread_ring_next(&ring, &record));
	assert_true(record.kind == RING_LOST && record.nr_lost == 7);
	assert_true(thread_ring_next(&ring, &record) && record.kind == RING_OTHER);
	assert_true(thread_ring_next(&ring, &record) && record.kind == RING_THROTTLE);
	assert_true(thread_ring_next(&ring, &record) && record.kind == RING_EXIT);
	assert_false(thread_ring_next(&ring, &record));
	free(ring.map);
}

/* A record of unknown kind may be longer than those that are read. */
static void long_records_are_skipped(void **state)
{
	const u32 sample[] = { 1, 0, 10, 11 };
	struct thread_ring ring = make_ring();
	struct perf_event_mmap_page *page = ring.map;
	struct ring_record record;
	u32 longer = 1000;

	put_words(&ring, PERF_RECORD_MMAP2, sample, 4);
	/* Its header is before the end of the ring, the size in its last two bytes. */
	memcpy((char *)ring.map + 2 * ring.data_len - 12 + 6, &longer, 2);
	page->data_head += longer - 24;
	put_words(&ring, PERF_RECORD_SAMPLE, sample, 4);
	assert_true(thread_ring_next(&ring, &record) && record.kind == RING_OTHER);
	assert_true(thread_ring_next(&ring, &record) && record.kind == RING_SAMPLE);
	assert_false(thread_ring_next(&ring, &record));
	free(ring.map);
}

static void rings_are_as_long_as_a_tenth_of_a_second(void **state)
{
	const u32 page = sysconf(_SC_PAGESIZE);

	assert_int_equal(thread_ring_pages(1000000), 1);
	assert_true(thread_ring_pages(50000) * page >= 2000 * 24);
	assert_true(thread_ring_pages(50000) * page < 2 * 2000 * 24);
}

static void keys_are_counted(void **state)
{
	struct counts_key key = { .id = 1, .is_user = 1, .comm = "a" };
	struct tallied_keys keys;
	struct counts counts;
	u32 i;

	assert_int_equal(tallied_keys_init(&keys, 3), 0);
	for (i = 0; i < 12; i++) {
		/* Six keys, of which four find room; the second time as well. */
		key.id = i % 6;
		tallied_keys_add(&keys, &key);
		assert_int_equal(tallied_keys_are_due(&keys), i >= 2);
	}
	assert_int_equal(tallied_keys_take(&keys, &counts), 4);
	assert_int_equal(counts.nr, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(counts_key_at(&counts, i)->id, i);
		assert_int_equal(counts_value_at(&counts, i, 0), 2);
	}
	/* The other table is empty. */
	key.pc = 0x1000;
	tallied_keys_add(&keys, &key);
	assert_int_equal(tallied_keys_take(&keys, &counts), 0);
	assert_int_equal(counts.nr, 1);
	assert_int_equal(counts_key_at(&counts, 0)->pc, 0x1000);
	assert_int_equal(tallied_keys_take(&keys, &counts), 0);
	assert_int_equal(counts.nr, 0);
	tallied_keys_deinit(&keys);
}

static void assert_explained(int error, int level, const char *what, const char *hint)
{
	struct text_error text = { .what = "" };

	assert_int_equal(perf_access_explain(error, level, &text), -error);
	if (!strstr(text.what, what) || !strstr(text.hint, hint))
		fail_msg("'%s' hint '%s' instead of '%s' hint '%s'", text.what, text.hint, what, hint);
}

static void refusals_name_their_reason(void **state)
{
	assert_explained(EACCES, 3, "not allowed: kernel.perf_event_paranoid is 3",
			 "sysctl kernel.perf_event_paranoid=2 allows it; above 2 Debian's kernels demand "
			 "CAP_SYS_ADMIN, CAP_PERFMON is not enough");
	assert_explained(EPERM, 2, "although kernel.perf_event_paranoid is 2", "seccomp");
	assert_explained(EPERM, INT_MIN, "events: not allowed", "seccomp");
	assert_explained(ENOSYS, INT_MIN, "this kernel has none", "CONFIG_PERF_EVENTS");
	assert_explained(ENOBUFS, 2, "no memory for a ring", "kernel.perf_event_mlock_kb");
	assert_explained(EMFILE, 2, "too many descriptors", "ulimit -n");
}

struct sought {
	u32 pid;
	bool is_found;
};

static void find(void *context, u32 pid, u32 tid)
{
	struct sought *sought = context;

	sought->is_found |= pid == sought->pid && tid == sought->pid;
}

static void own_processes_are_found(void **state)
{
	struct sought own = { .pid = getpid() }, only = { .pid = getpid() };

	assert_int_equal(own_tasks_scan(0, find, &own), 0);
	assert_true(own.is_found);
	assert_int_equal(own_tasks_scan(getpid(), find, &only), 0);
	assert_true(only.is_found);
	assert_true(own_tasks_are_ours(getpid()));
	assert_false(own_tasks_are_ours(OWN_TASKS_NUMBERS));
}

static void coverage_can_begin_anew(void **state)
{
	struct own_threads threads = {
		.nr = 3, .shut_out = { .nr_no_file = 4 },
		.coverage = { .late_ns = 1000, .nr_threads = 10, .nr_gone = 2, .nr_no_file = 7, .nr_throttled = 1 },
	};
	const struct own_coverage anew = { .nr_threads = 3, .nr_no_file = 4 };

	own_threads_restart_coverage(&threads);
	assert_memory_equal(&threads.coverage, &anew, sizeof(anew));
}

static void coverage_is_told_with_remedies(void **state)
{
	const struct receipt_own clean = { .nr_threads = 1 };
	const struct receipt_own own = {
		.late_ns = 12300000, .nr_threads = 20, .nr_gone = 1, .nr_no_file = 2, .nr_no_memory = 3,
		.nr_refused = 4, .nr_throttled = 5,
	};
	char *text = WRITTEN(out, receipt_print_own(out, &clean, 10000));

	assert_non_null(strstr(text, "Own processes, user mode only: 1 thread sampled."));
	assert_non_null(strstr(text, "before they had an event. Missed periods"));
	free(text);
	text = WRITTEN(out, receipt_print_own(out, &own, 10000));
	assert_non_null(strstr(text, ": 20 threads sampled. Not covered: 12.3 ms of CPU time"));
	assert_non_null(strstr(text, ", 1 thread that ended before, 2 threads without a descriptor (raise "
				     "ulimit -n), 3 threads without memory for a ring (raise "
				     "kernel.perf_event_mlock_kb), 4 threads that the kernel refused (run as "
				     "root), 5 throttled moments (raise kernel.perf_event_max_sample_rate)"));
	free(text);
	text = WRITTEN(out, receipt_json_own(out, &own));
	assert_non_null(strstr(text, "\"threads\": 20, \"late_ns\": 12300000, \"gone\": 1, "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read),
		cmocka_unit_test(long_records_are_skipped),
		cmocka_unit_test(rings_are_as_long_as_a_tenth_of_a_second),
		cmocka_unit_test(keys_are_counted),
		cmocka_unit_test(refusals_name_their_reason),
		cmocka_unit_test(own_processes_are_found),
		cmocka_unit_test(coverage_can_begin_anew),
		cmocka_unit_test(coverage_is_told_with_remedies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
