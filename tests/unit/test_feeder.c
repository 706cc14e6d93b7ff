// SPDX-License-Identifier: GPL-2.0-only
/* Feeding a module with unwinding tables: cli/run/feeder.c. The module is simulated by ioctl(). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit.h"
#include "run/feeder.h"

#define NEEDS_MAX	400
#define VDSO		"[vdso]"
#define LARGE		"/bin/bash"
#define SMALL		"/bin/true"

/** The module: files that it needs, and what it was given. */
static struct {
	pthread_mutex_t lock;
	const char *path[NEEDS_MAX];	/* by object; VDSO; NULL: it cannot be opened */
	u32 nr_needs;			/* objects up to here are needed, */
	u32 nr_named;			/* and up to here were named */
	u32 nr_given;
	u32 order[NEEDS_MAX];		/* objects in the order of their tables */
	u32 nr_rows[NEEDS_MAX];		/* of each object's table, the last one given */
	u32 nr_calls[NEEDS_MAX];	/* UNWIND, by object */
	int answer;			/* errno of UNWIND with rows; 0: success */
	int nr_again;			/* EAGAIN first, so many times */
	int nice;			/* of the thread that gives tables */
	bool is_harvest_due;
	int fd;				/* readable while poll() reports POLLIN */
} module = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* poll() of a real device is level-triggered, as that of this descriptor. */
static void update_poll(void)
{
	u64 one = 1;

	(void)!read(module.fd, &one, sizeof(one));
	one = 1;
	if (module.nr_named < module.nr_needs || module.is_harvest_due)
		(void)!write(module.fd, &one, sizeof(one));
}

static int answer_need(struct cpuprobe_need *need)
{
	u32 object = module.nr_named;
	const char *path;

	need->used_kib = 100 + module.nr_given;
	need->limit_kib = 16384;
	need->nr_evicted = 5;
	need->nr_unrecorded = 6;
	if (object == module.nr_needs)
		return ENOENT;
	path = module.path[object];
	need->object = object;
	need->seq = 1000 + object;
	need->flags = path && !strcmp(path, VDSO) ? CPUPROBE_NEED_VDSO : 0;
	need->fd = !path ? -EACCES : need->flags ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	module.nr_named++;
	return 0;
}

static int take_table(const struct cpuprobe_unwind *unwind)
{
	assert_in_range(unwind->object, 0, NEEDS_MAX - 1);
	assert_int_equal(unwind->seq, 1000 + unwind->object);
	if (unwind->nr_rows && module.nr_again && module.nr_again--)
		return EAGAIN;
	module.nr_calls[unwind->object]++;
	module.nr_rows[unwind->object] = unwind->nr_rows;
	module.order[module.nr_given++] = unwind->object;
	module.nice = getpriority(PRIO_PROCESS, gettid());
	/* An empty table is nothing but the object. */
	if (!unwind->nr_rows)
		assert_true(!unwind->pages && !unwind->rows && !unwind->rules &&
			    !unwind->nr_pages && !unwind->nr_rules);
	return unwind->nr_rows ? module.answer : 0;
}

/* In place of the C library's. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;
	int error;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	assert_int_equal(fd, module.fd);
	pthread_mutex_lock(&module.lock);
	error = request == CPUPROBE_IOC_NEED ? answer_need(argument) :
		request == CPUPROBE_IOC_UNWIND ? take_table(argument) : ENOTTY;
	update_poll();
	pthread_mutex_unlock(&module.lock);
	errno = error;
	return error ? -1 : 0;
}

static struct device device;
static struct feeder *feeder;

static int begin(void **state)
{
	memset((char *)&module + sizeof(module.lock), 0, sizeof(module) - sizeof(module.lock));
	module.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	device.fd = module.fd;
	feeder = feeder_create();
	assert_non_null(feeder);
	assert_int_equal(feeder_begin(feeder, &device), 0);
	return 0;
}

static int end(void **state)
{
	feeder_end(feeder);
	feeder_destroy(feeder);
	close(module.fd);
	return 0;
}

/* The module needs some more files. */
static void need(const char *const *paths, u32 nr)
{
	pthread_mutex_lock(&module.lock);
	for (u32 i = 0; i < nr; i++)
		module.path[module.nr_needs++] = paths[i];
	update_poll();
	pthread_mutex_unlock(&module.lock);
}

/* Wait until the module was given this number of tables; a minute at most. */
static void wait_for(u32 nr)
{
	u32 given = 0;

	for (int i = 0; i < 60000 && given < nr; i++) {
		usleep(1000);
		pthread_mutex_lock(&module.lock);
		given = module.nr_given;
		pthread_mutex_unlock(&module.lock);
	}
	assert_int_equal(given, nr);
}

/* The counts after the last table. */
static struct feeder_counts counts(void)
{
	struct feeder_counts now;

	feeder_end(feeder);
	feeder_count(feeder, &now);
	return now;
}

/* A program, the vdso; no ELF file, no file at all. Nobody tells the feeder: it polls. */
static void every_kind_of_file(void **state)
{
	static const char *const paths[] = { LARGE, VDSO, "/proc/self/status", NULL };
	struct feeder_counts told;

	need(paths, 4);
	wait_for(4);
	told = counts();
	assert_true(module.nr_rows[0] > 1000);
	assert_in_range(module.nr_rows[1], 2, 1000);
	assert_int_equal(module.nr_rows[2], 0);
	assert_int_equal(module.nr_rows[3], 0);
	assert_int_equal(told.nr_tables, 2);
	assert_int_equal(told.nr_refused, 0);
	assert_int_equal(told.used_kib, 104);
	assert_int_equal(told.limit_kib, 16384);
	assert_int_equal(told.nr_evicted, 5);
	assert_int_equal(told.nr_unrecorded, 6);
	assert_int_equal(module.nice, -5);
	/* A file that has none, by its name; a table of another file, and a name never heard of. */
	assert_true(feeder_lacks_table(feeder, "status"));
	assert_false(feeder_lacks_table(feeder, "bash"));
	assert_false(feeder_lacks_table(feeder, "statu"));
}

/* A file is compiled once for all sessions of the run. */
static void files_are_compiled_once(void **state)
{
	static const char *const paths[] = { LARGE };
	struct feeder_counts told;

	need(paths, 1);
	wait_for(1);
	feeder_end(feeder);
	assert_int_equal(feeder_begin(feeder, &device), 0);
	need(paths, 1);
	wait_for(2);
	told = counts();
	assert_int_equal(told.nr_tables, 2);
	assert_int_equal(told.nr_compiled, 1);
	assert_true(module.nr_rows[1] == module.nr_rows[0] && module.nr_rows[0]);
	/* Tables that gave way in the first session count too. */
	assert_int_equal(told.nr_evicted, 10);
}

static void refusals_are_counted(void **state)
{
	static const char *const paths[] = { LARGE };
	static const struct { int error; u32 nr_refused, nr_stale; } cases[] = {
		{ ESTALE, 0, 1 }, { ENOSPC, 1, 1 }, { EDQUOT, 2, 1 },
	};
	struct feeder_counts told;
	u32 i;

	for (i = 0; i < 3; i++) {
		module.answer = cases[i].error;
		need(paths, 1);
		wait_for(i + 1);
		told = counts();
		assert_int_equal(told.nr_refused, cases[i].nr_refused);
		assert_int_equal(told.nr_stale, cases[i].nr_stale);
		assert_int_equal(told.nr_tables, 0);
		assert_int_equal(feeder_begin(feeder, &device), 0);
	}
	/* A table that the module takes for invalid is replaced by an empty one. */
	module.answer = EINVAL;
	need(paths, 1);
	wait_for(5);
	assert_int_equal(module.nr_calls[3], 2);
	assert_int_equal(module.nr_rows[3], 0);
	told = counts();
	assert_int_equal(told.nr_refused, 3);
}

static void room_comes_soon(void **state)
{
	static const char *const paths[] = { LARGE };
	struct feeder_counts told;

	module.nr_again = 3;
	need(paths, 1);
	wait_for(1);
	told = counts();
	assert_int_equal(told.nr_tables, 1);
	assert_int_equal(told.nr_refused, 0);
	assert_int_equal(module.nr_again, 0);
}

/* More files than the queue takes, noted by both threads: each gets its table once. */
static void many_files(void **state)
{
	const char *paths[NEEDS_MAX - 100];

	for (int i = 0; i < NEEDS_MAX - 100; i++)
		paths[i] = "/proc/self/status";
	need(paths, NEEDS_MAX - 100);
	for (int i = 0; i < 50; i++)
		feeder_take(feeder);
	wait_for(NEEDS_MAX - 100);
	feeder_end(feeder);
	for (int i = 0; i < NEEDS_MAX - 100; i++)
		assert_int_equal(module.nr_calls[i], 1);
}

/* Among files that wait, the smallest is first. */
static void small_files_first(void **state)
{
	static const char *const paths[] = { LARGE, SMALL, LARGE };

	feeder_end(feeder);
	need(paths, 3);
	assert_int_equal(feeder_begin(feeder, &device), 0);
	wait_for(3);
	assert_int_equal(module.order[0], 1);
}

/* Descriptors of files that wait are closed at the end, and a harvest that is due keeps nobody busy. */
static void the_end(void **state)
{
	const char *paths[NEEDS_MAX - 100];
	int before = dup(0), after;

	close(before);
	for (int i = 0; i < NEEDS_MAX - 100; i++)
		paths[i] = "/proc/self/status";
	module.is_harvest_due = true;
	need(paths, NEEDS_MAX - 100);
	feeder_take(feeder);
	feeder_end(feeder);
	after = dup(0);
	close(after);
	assert_int_equal(after, before);
	feeder_take(feeder);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_kind_of_file), TEST(files_are_compiled_once), TEST(refusals_are_counted),
		TEST(room_comes_soon), TEST(many_files), TEST(small_files_first), TEST(the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
