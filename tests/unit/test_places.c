// SPDX-License-Identifier: GPL-2.0-only
/*
 * The object meant by a name, counts for its memory, and names of runs: cli/proc/place_select.c,
 * places.c, target_counts.c, control_name.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail.h"
#include "background/control.h"
#include "proc/place_select.h"
#include "proc/target_counts.h"

static struct task task;
static struct places places;

static u32 add(enum place_kind kind, const char *path)
{
	places_add_object(&places, kind, text_base_name(path), path);
	return places.nr_objects - 1;
}

static int setup(void **state)
{
	memset(&task, 0, sizeof(task));
	task.exe_fd = -1;
	snprintf(task.name, sizeof(task.name), "prog");
	snprintf(task.path, sizeof(task.path), "/bin/prog");
	return places_init(&places, &task, NULL);
}

static int teardown(void **state)
{
	places_deinit(&places);
	return 0;
}

/* The index of the object that a name means, though its file does not exist; 0: of none. */
static u32 selected_by(const char *name, int error)
{
	struct text_error reason;
	int fd, pid;

	places.selected = 0;
	assert_int_equal(places_select(&places, name, &fd, &pid, &reason), error);
	assert_int_equal(fd, -1);
	return places.selected;
}

/* A whole path, a file name, or its part before the first dot; nothing shorter. */
static void names_of_objects(void **state)
{
	u32 crypto = add(PLACE_FILE, "/nowhere/libcrypto.so.3"),
		libc = add(PLACE_FILE, "/nowhere/libc.so.6"),
		plain = add(PLACE_FILE, "/nowhere/plain");

	places.processes = calloc(1, sizeof(*places.processes));
	places.nr_processes = 1;
	assert_int_equal(selected_by("libc", -ENOENT), libc);
	assert_int_equal(selected_by("libcrypto", -ENOENT), crypto);
	assert_int_equal(selected_by("libc.so.6", -ENOENT), libc);
	assert_int_equal(selected_by("/nowhere/libc.so.6", -ENOENT), libc);
	assert_int_equal(selected_by("plain", -ENOENT), plain);
	assert_int_equal(selected_by("libc.so.6 (deleted)", -ENOENT), libc);
	assert_int_equal(selected_by("plain (deleted)", -ENOENT), plain);
	assert_int_equal(selected_by(" (deleted)", -ENOENT), 0);
	assert_int_equal(selected_by("lib", -ENOENT), 0);
	assert_int_equal(selected_by("libc.so", -ENOENT), libc);
	assert_int_equal(selected_by("libc.s", -ENOENT), 0);
	assert_int_equal(selected_by("/nowhere/plai", -ENOENT), 0);
}

static u32 add_file(const char *path, const char *file)
{
	u32 object = add(PLACE_FILE, path);
	struct stat info;

	assert_int_equal(stat(file, &info), 0);
	places.objects[object].inode = info.st_ino;
	places.objects[object].dev_major = major(info.st_dev);
	places.objects[object].dev_minor = minor(info.st_dev);
	return object;
}

/* A path in the root of a container, where a link leads to no file of ours. */
static void paths_in_another_root(void **state)
{
	u32 inside;
	pid_t child;

	if (getuid())
		skip();
	assert_int_equal(make_directory(state), 0);
	sh("mkdir jail; : > jail/inside; : > outside");
	inside = add_file("/nowhere/inside", in_directory("jail/inside"));
	add_file("/nowhere/outside", in_directory("outside"));
	child = start_jailed("/tmp");
	places.processes = calloc(1, sizeof(*places.processes));
	places.nr_processes = 1;
	places.processes[0].pid = child;
	assert_int_equal(selected_by("/inside", -ENOENT), inside);
	assert_int_equal(selected_by("/../inside", -ENOENT), inside);
	assert_int_equal(selected_by(in_directory("outside"), -ENOENT), 0);
	end_jailed(child);
	remove_directory(state);
}

static void names_of_several(void **state)
{
	u32 one = add(PLACE_FILE, "/one/twin.so"), two = add(PLACE_FILE, "/two/twin.so");
	struct text_error reason;
	int fd, pid;

	places.processes = calloc(1, sizeof(*places.processes));
	places.nr_processes = 1;
	assert_int_equal(places_select(&places, "twin.so", &fd, &pid, &reason), -ENOTUNIQ);
	assert_string_equal(reason.what, "find 'twin.so': 2 objects of that name are mapped");
	assert_int_equal(selected_by("/one/twin.so", -ENOENT), one);
	assert_int_equal(selected_by("/two/twin.so", -ENOENT), two);
	assert_string_equal(places_map_name(&places, one), "/one/twin.so");
	assert_string_equal(places_map_name(&places, two), "/two/twin.so");
	assert_int_equal(places_select(&places, "kernel", &fd, &pid, &reason), -ENOENT);
	assert_string_equal(reason.hint, "use -mode kernel");
	assert_int_equal(places_select(&places, "nothing", &fd, &pid, &reason), -ENOENT);
	assert_string_equal(reason.what, "find 'nothing': not mapped as code in prog");
	assert_non_null(strstr(reason.hint, "twin.so, twin.so"));
	/* Anonymous memory belongs to one process. */
	add(PLACE_ANON, "");
	assert_int_equal(places_select(&places, "anon", &fd, &pid, &reason), -EINVAL);
	task.pid = 7;
	assert_int_equal(places_select(&places, "anon", &fd, &pid, &reason), 0);
	assert_int_equal(fd, -1);
}

/* The lowest and the highest address of an object's areas, which are not sorted. */
static void range_of_areas(void **state)
{
	const struct cpuprobe_area areas[] = {
		{ .start = 0x5000, .end = 0x9000, .object = 9 },
		{ .start = 0x1000, .end = 0x2000, .object = 8 },
		{ .start = 0x3000, .end = 0x4000, .object = 9 },
		{ .start = 0x6000, .end = 0xf000, .object = 8 },
	};
	u64 low, high;

	memcpy(places.areas, areas, sizeof(areas));
	places.nr_areas = 4;
	places.selected = 9;
	places_range(&places, &low, &high);
	assert_int_equal(low, 0x3000);
	assert_int_equal(high, 0x9000);
	places.selected = 8;
	places_range(&places, &low, &high);
	assert_int_equal(low, 0x1000);
	assert_int_equal(high, 0xf000);
}

/* Objects first, then slots, then samples in neither. A second account adds to the first. */
static void counts_of_an_account(void **state)
{
	u64 objects[CPUPROBE_OBJECTS] = { 0 }, slots[CPUPROBE_SLOTS] = { 0 }, missed = 0;
	const __u64 entries[] = { 1, 2, 3, 10, 20 };
	struct proc_elsewhere elsewhere = { 0 };
	const struct target_counts counts = { objects, slots, &elsewhere, &missed };
	const struct cpuprobe_account account = {
		.entries = 5, .objects = 3, .outside = 4, .other_mode = 5, .other_exe = 6,
		.other_task = 7, .missed_target = 8,
	};

	for (u64 nr = 1; nr <= 2; nr++) {
		target_counts_add(&counts, &account, entries);
		assert_int_equal(objects[0], nr);
		assert_int_equal(objects[2], 3 * nr);
		assert_int_equal(objects[3], 0);
		assert_int_equal(slots[0], 10 * nr);
		assert_int_equal(slots[1], 20 * nr);
		assert_int_equal(slots[3], 0);
		assert_int_equal(elsewhere.outside, 4 * nr);
		assert_int_equal(elsewhere.other_mode, 5 * nr);
		assert_int_equal(elsewhere.other_exe, 6 * nr);
		assert_int_equal(elsewhere.other_task, 7 * nr);
		assert_int_equal(missed, 8 * nr);
	}
}

/* Each process whose memory is unknown is noted once, as long as there is room. */
static void processes_are_noted(void **state)
{
	static struct teller teller;
	struct cpuprobe_account account = { .unplaced_pid = 0 };

	teller_note(&teller, &account);
	assert_int_equal(teller.nr_pids, 0);
	for (int i = 0; i < 2 * TELLER_PIDS; i++) {
		account.unplaced_pid = 1 + i / 2;
		teller_note(&teller, &account);
		assert_int_equal(teller.nr_pids, 1 + i / 2);
		assert_int_equal(teller.pids[i / 2], 1 + i / 2);
	}
	account.unplaced_pid = 1000;
	teller_note(&teller, &account);
	assert_int_equal(teller.nr_pids, TELLER_PIDS);
}

/* A process of this program, which waits. */
static pid_t start_process(void)
{
	pid_t child = fork();

	if (!child) {
		alarm(30);	/* also if an assertion fails */
		pause();
		_exit(0);
	}
	return child;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static size_t count_areas(pid_t pid)
{
	size_t i, nr = 0;

	for (i = 0; i < places.nr_areas; i++)
		nr += places.areas[i].pid == (u32)pid;
	return nr;
}

/* The areas of a process that has ended stay for a harvest, which places its last samples, and give room then. */
static void ended_processes_are_forgotten(void **state)
{
	pid_t ended = start_process(), other = start_process(), late = start_process();
	size_t nr;

	task.exe_fd = open("/proc/self/exe", O_RDONLY);
	places_read(&places, ended);
	places_read(&places, other);
	nr = count_areas(other);
	assert_true(nr > 0);
	assert_int_equal(count_areas(ended), nr);
	while (places.nr_areas < CPUPROBE_AREAS_MAX)
		places.areas[places.nr_areas++].pid = ended;
	end_process(ended);
	places_review(&places);
	places_review(&places);
	assert_true(count_areas(ended) > nr);
	places_read(&places, late);
	places_read(&places, late);
	assert_int_equal(count_areas(late), 0);
	assert_int_equal(places.mappings.nr_left_out, 1);
	places.is_changed = false;
	places_review(&places);
	assert_int_equal(count_areas(ended), 0);
	assert_int_equal(count_areas(other), nr);
	assert_int_equal(places.nr_processes, 2);
	assert_true(places.is_changed);
	places_read(&places, late);
	assert_int_equal(count_areas(late), nr);
	end_process(other);
	end_process(late);
	places_review(&places);
	places_review(&places);
	places_review(&places);
	assert_int_equal(places.nr_processes, 0);
	close(task.exe_fd);
}

/* A process that executes another program is no longer one of the task. */
static void other_programs_are_forgotten(void **state)
{
	pid_t child = start_process();
	int i, other = open("/proc/self/maps", O_RDONLY);

	task.exe_fd = open("/proc/self/exe", O_RDONLY);
	places_read(&places, child);
	assert_true(count_areas(child) > 0);
	for (i = 0; i < 3; i++)
		places_review(&places);
	assert_true(count_areas(child) > 0);
	/* As if the child ran another program than the task's */
	assert_int_equal(dup2(other, task.exe_fd), task.exe_fd);
	places_review(&places);
	places_review(&places);
	assert_true(count_areas(child) > 0);
	places_review(&places);
	assert_int_equal(count_areas(child), 0);
	end_process(child);
	close(other);
	close(task.exe_fd);
}

static void names_of_runs(void **state)
{
	static const char *const good[] = { "default", "a", "A-b_c.d", "0", "_x",
					    "12345678901234567890123456789012" };
	static const char *const bad[] = { "", ".", ".a", "-a", "a b", "a/b", "../a", "\xc3\xa9",
					   "a\n", "123456789012345678901234567890123" };
	struct text_error error;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (control_check_name(good[i], NULL))
			fail_msg("'%s' is refused", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (control_check_name(bad[i], NULL) != -EINVAL)
			fail_msg("'%s' is accepted as a name", bad[i]);
	assert_int_equal(control_check_name("a b", &error), -EINVAL);
	assert_string_equal(error.what, "name a run 'a b': invalid name");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_of_objects, setup, teardown),
		cmocka_unit_test_setup_teardown(names_of_several, setup, teardown),
		cmocka_unit_test_setup_teardown(paths_in_another_root, setup, teardown),
		cmocka_unit_test_setup_teardown(range_of_areas, setup, teardown),
		cmocka_unit_test(counts_of_an_account), cmocka_unit_test(processes_are_noted),
		cmocka_unit_test_setup_teardown(ended_processes_are_forgotten, setup, teardown),
		cmocka_unit_test_setup_teardown(other_programs_are_forgotten, setup, teardown),
		cmocka_unit_test(names_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
