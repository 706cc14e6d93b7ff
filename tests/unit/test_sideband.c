// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's records about processes: cli/resolve/sideband.c. */
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "resolve/sideband.h"

/* A record as the kernel writes it: the header, @body, and the time at the end. */
static size_t record_of(void *to, u32 type, u16 misc, const void *body, size_t body_len)
{
	struct perf_event_header header = { type, misc, sizeof(header) + body_len + 8 };
	const u64 time = 0x1122334455;

	memcpy(to, &header, sizeof(header));
	memcpy((char *)to + sizeof(header), body, body_len);
	memcpy((char *)to + sizeof(header) + body_len, &time, 8);
	return header.size;
}

static size_t map_record(void *to, const char *path, size_t path_len)
{
	struct {
		u32 pid, tid;
		u64 addr, len, offset;
		u32 major, minor;
		u64 inode, generation;
		u32 protection, flags;
		char path[64];
	} body = { 7, 8, 0x1000, 0x2000, 0x3000, 8, 1, 99, 5, 5, 2, "" };

	memcpy(body.path, path, path_len);
	return record_of(to, PERF_RECORD_MMAP2, 0, &body,
			 offsetof(__typeof__(body), path) + path_len);
}

/* The event parsed from a record. */
static struct sideband_event parsed(u32 type, u16 misc, const void *body, size_t body_len)
{
	struct sideband_event event;
	u64 record[64];

	assert_true(sideband_parse(record, record_of(record, type, misc, body, body_len), &event));
	return event;
}

static void records(void **state)
{
	const u32 fork[] = { 7, 6, 7, 6, 1, 0 }, thread[] = { 7, 7, 8, 7, 1, 0 };
	const u32 comm[] = { 7, 7, 'a', 0 };
	const u64 lost[] = { 1, 42 };
	const struct {
		u32 type;
		u16 misc;
		const void *body;
		size_t body_len;
		enum sideband_kind kind;
	} cases[] = {
		{ PERF_RECORD_FORK, 0, fork, sizeof(fork), SIDEBAND_FORK },
		{ PERF_RECORD_FORK, 0, thread, sizeof(thread), SIDEBAND_OTHER },
		{ PERF_RECORD_EXIT, 0, fork, sizeof(fork), SIDEBAND_EXIT },
		{ PERF_RECORD_EXIT, 0, thread, sizeof(thread), SIDEBAND_OTHER },
		{ PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, comm, sizeof(comm), SIDEBAND_EXEC },
		{ PERF_RECORD_COMM, 0, comm, sizeof(comm), SIDEBAND_OTHER },
		{ PERF_RECORD_COMM, PERF_RECORD_MISC_USER, comm, sizeof(comm), SIDEBAND_OTHER },
		{ PERF_RECORD_LOST, 0, lost, sizeof(lost), SIDEBAND_LOST },
		{ 77, 0, comm, sizeof(comm), SIDEBAND_OTHER },
	};
	struct sideband_event event;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(parsed(cases[i].type, cases[i].misc, cases[i].body,
					cases[i].body_len).kind, cases[i].kind);
	event = parsed(PERF_RECORD_FORK, 0, fork, sizeof(fork));
	assert_int_equal(event.pid, 7);
	assert_int_equal(event.parent, 6);
	assert_true(event.time_ns == 0x1122334455);
	assert_int_equal(parsed(PERF_RECORD_LOST, 0, lost, sizeof(lost)).nr_lost, 42);
}

static void map_records(void **state)
{
	u64 record[64];
	struct sideband_event event;
	size_t len;

	len = map_record(record, "/a/b\0\0\0\0", 8);
	assert_true(sideband_parse(record, len, &event));
	assert_int_equal(event.kind, SIDEBAND_MAP);
	assert_int_equal(event.pid, 7);
	assert_true(event.map.start == 0x1000 && event.map.end == 0x3000);
	assert_true(event.map.offset == 0x3000 && event.map.inode == 99);
	assert_true(event.map.dev_major == 8 && event.map.dev_minor == 1);
	assert_string_equal(event.map.path, "/a/b");
	assert_false(event.map.is_deleted);
	len = map_record(record, "/a/b (deleted)\0\0", 16);
	assert_true(sideband_parse(record, len, &event));
	assert_string_equal(event.map.path, "/a/b");
	assert_true(event.map.is_deleted);
	/* a file with that very name */
	len = map_record(record, " (deleted)\0\0\0\0\0\0", 16);
	assert_true(sideband_parse(record, len, &event));
	assert_string_equal(event.map.path, " (deleted)");
	/* an unterminated path, no path, less data than stated, nothing */
	len = map_record(record, "/a/b/c/d", 8);
	assert_false(sideband_parse(record, len, &event));
	len = map_record(record, "", 0);
	assert_false(sideband_parse(record, len, &event));
	assert_false(sideband_parse(record, len - 8, &event));
	assert_false(sideband_parse(record, 8, &event));
	for (u32 type = 0; type < 20; type++) {
		len = record_of(record, type, 0, "", 0);
		sideband_parse(record, len, &event);
	}
}

/** The events received for one process. */
struct heard {
	u32 pid;
	int nr_forks, nr_execs, nr_exits, nr_maps;
	u64 last_ns;
	bool has_program;
};

static void hear(const struct sideband_event *event, void *context)
{
	struct heard *heard = context;

	assert_true(event->kind == SIDEBAND_LOST || event->time_ns >= heard->last_ns);
	heard->last_ns = event->time_ns;
	if (event->pid != heard->pid)
		return;
	heard->nr_forks += event->kind == SIDEBAND_FORK && !heard->nr_execs;
	heard->nr_execs += event->kind == SIDEBAND_EXEC && heard->nr_forks && !heard->nr_maps;
	heard->nr_maps += event->kind == SIDEBAND_MAP && !heard->nr_exits;
	heard->nr_exits += event->kind == SIDEBAND_EXIT && heard->nr_execs;
	if (event->kind == SIDEBAND_MAP && strstr(event->map.path, "bin/true"))
		heard->has_program = event->map.inode != 0;
}

/* Fork, exec, maps, exit, in this order. */
static void a_real_process(void **state)
{
	struct sideband *sideband;
	struct text_error reason;
	struct heard heard = { 0 };
	int i;

	if (sideband_open(&sideband, &reason)) {
		assert_true(strlen(reason.what) > 0);
		skip();
	}
	for (i = 0; i < 3; i++) {
		heard = (struct heard){ .pid = fork() };
		if (!heard.pid) {
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		assert_int_equal(waitpid(heard.pid, NULL, 0), heard.pid);
		sideband_read(sideband, hear, &heard);
		assert_int_equal(heard.nr_forks, 1);
		assert_int_equal(heard.nr_execs, 1);
		assert_true(heard.nr_maps > 2);
		assert_int_equal(heard.nr_exits, 1);
		assert_true(heard.has_program);
	}
	sideband_close(sideband);
}

static void count_lost(const struct sideband_event *event, void *context)
{
	*(u64 *)context += event->kind == SIDEBAND_LOST ? event->nr_lost : 0;
}

/* Each CPU has a ring: stay on one. */
static void stay_here(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	assert_int_equal(sched_setaffinity(0, sizeof(here), &here), 0);
}

/* A full ring reports its losses, through its descriptor and in the events. */
static void a_full_ring(void **state)
{
	struct sideband *sideband;
	struct pollfd wait = { .events = POLLIN };
	u64 nr_lost = 0;
	void *page;
	int i;

	if (sideband_open(&sideband, NULL))
		skip();
	stay_here();
	wait.fd = sideband_fd(sideband);
	sideband_read(sideband, count_lost, &nr_lost);
	assert_int_equal(poll(&wait, 1, 0), 0);
	nr_lost = 0;
	/* 104 bytes each */
	for (i = 0; i < 20000; i++) {
		page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(page, 4096);
	}
	assert_int_equal(poll(&wait, 1, 0), 1);
	sideband_read(sideband, count_lost, &nr_lost);
	/* The record of losses is written with the next record that finds room. */
	for (i = 0; i < 64; i++) {
		page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(page, 4096);
	}
	sideband_read(sideband, count_lost, &nr_lost);
	assert_true(nr_lost > 1000);
	sideband_close(sideband);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records),
		cmocka_unit_test(map_records),
		cmocka_unit_test(a_real_process),
		cmocka_unit_test(a_full_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
