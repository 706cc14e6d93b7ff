// SPDX-License-Identifier: GPL-2.0-only
/* Names and lines from files: local files, fetched files, and more files than may be open. */
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "resolvers.h"

static void lines(void **state)
{
	struct worker worker = start("worker", NULL);
	u32 frame;

	open_resolver(&(struct resolver_options){ .lines = true });
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	frame = caller(worker.pid, worker.space, worker.in_work);
	assert_int_equal(profile->frames[frame].line, 13);
	assert_non_null(strstr(profile->frames[frame].file, "/worker.c"));
	frame = leaf(worker.pid, worker.space, worker.work);
	assert_in_range(profile->frames[frame].line, 12, 13);
	frame = leaf(worker.pid, worker.space, worker.in_lib);
	assert_int_equal(profile->frames[frame].line, 2);
	end(&worker);
}

static int find_work(const char *name, u64 addr, void *context)
{
	if (strcmp(name, "work"))
		return 0;
	*(u64 *)context = addr;
	return -ECANCELED;
}

static void functions_of_a_program(void **state)
{
	struct worker worker = start("worker", NULL);
	u64 addr = 0;
	u32 frame;

	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	frame = leaf(worker.pid, worker.space, worker.work);
	end(&worker);
	assert_int_equal(resolver_functions(resolver, profile_function_of(profile, frame)->object,
					    find_work, &addr), -ECANCELED);
	assert_true(addr == profile_function_of(profile, frame)->addr);
	assert_int_equal(resolver_functions(resolver, 0, find_work, &addr), -ENODATA);
}

/* A script in place of debuginfod-find. */
static void fetched(void **state)
{
	struct worker worker = start("stripped", NULL);
	u32 frame, back, object;
	struct text_error reason;
	char path[600], script[800];

	open_resolver(&(struct resolver_options){ .lines = true });
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	frame = leaf(worker.pid, worker.space, worker.work);
	back = caller(worker.pid, worker.space, worker.in_work);
	object = profile_function_of(profile, frame)->object;
	profile_add_stack(profile, 0, 0, (u32[]){ frame, back }, 2, 1, 1);
	assert_string_equal(text_of(frame), stripped_text("work"));
	/* the program does not exist, or it finds nothing */
	snprintf(path, sizeof(path), "%s", getenv("PATH"));
	setenv("PATH", directory, 1);
	unsetenv("DEBUGINFOD_URLS");
	assert_int_equal(resolver_fetch(resolver, object, &reason), -ENOENT);
	assert_non_null(strstr(reason.what, "not installed"));
	setenv("PATH", path, 1);
	snprintf(script, sizeof(script), "#!/bin/sh\nexit 2\n");
	write_file(in_directory("debuginfod-find"), script);
	sh("chmod +x debuginfod-find");
	snprintf(script, sizeof(script), "%s:%s", directory, path);
	setenv("PATH", script, 1);
	assert_int_equal(resolver_fetch(resolver, object, &reason), -ENOENT);
	assert_non_null(strstr(reason.hint, "DEBUGINFOD_URLS"));
	assert_string_equal(text_of(frame), stripped_text("work"));
	/* the real case: asked for a build-id, it answers with a path */
	snprintf(script, sizeof(script), "#!/bin/sh\n[ \"$1\" = debuginfo ] && "
		 "readelf -n %s/worker | grep -q \"Build ID: $2\" && echo %s/worker.debug\n",
		 directory, directory);
	write_file(in_directory("debuginfod-find"), script);
	assert_int_equal(resolver_fetch(resolver, object, &reason), 0);
	assert_string_equal(text_of(frame), "work stripped");
	assert_string_equal(text_of(back), "work stripped");
	assert_int_equal(profile->frames[back].line, 13);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.work + 1)),
			    "work stripped");
	/* the ranges of code that has no symbol even now */
	assert_non_null(binaries_ranges(&resolver->binaries,
					files_of_object(&resolver->files, object)->binary));
	/* nothing is left to be fetched */
	assert_int_equal(resolver_fetch(resolver, object, &reason), -ENODATA);
	setenv("PATH", path, 1);
	end(&worker);
}

/* A file of an ended process that is in no root any more: it is counted once, until it can be opened after all. */
static void files_that_cannot_be_opened(void **state)
{
	struct worker worker = start("worker", NULL);
	const struct resolver_counts *counts;
	int i;

	open_resolver(&(struct resolver_options){ 0 });
	resolver_see(resolver, worker.pid, worker.space, -1, 0);
	end(&worker);
	sh("mv lib.so moved.so");
	for (i = 0; i < 2; i++) {
		resolver_events(resolver);
		leaf(worker.pid, worker.space, worker.in_lib + i);
		counts = resolver_counts(resolver);
		assert_int_equal(counts->files_unread, 1);
	}
	sh("mv moved.so lib.so");
	resolver_events(resolver);
	assert_string_equal(text_of(leaf(worker.pid, worker.space, worker.in_lib + 2)), "in_lib lib.so");
	assert_int_equal(resolver_counts(resolver)->files_unread, 0);
}

/* Names from compact indexes are the same. A file that changes has none for functions that were not seen yet. */
static void compact_indexes(void **state)
{
	struct worker worker = start("worker", NULL);
	u64 addrs[] = { worker.work, worker.in_lib }, addr = 0;
	char plain[2][400];
	u32 frame, i;

	for (i = 0; i < 4; i++) {
		open_resolver(&(struct resolver_options){ .is_compact = i >= 2, .names_max = 1 });
		resolver_see(resolver, worker.pid, worker.space, -1, 0);
		frame = leaf(worker.pid, worker.space, addrs[i % 2]);
		if (i < 2)
			strcpy(plain[i], text_of(frame));
		else
			assert_string_equal(text_of(frame), plain[i % 2]);
		/* the limit is too low for any file but the last */
		leaf(worker.pid, worker.space, addrs[!(i % 2)]);
		assert_int_equal(leaf(worker.pid, worker.space, addrs[i % 2]), frame);
		if (i >= 2)
			assert_int_equal(resolver_functions(resolver, profile_function_of(profile, frame)->object,
							    find_work, &addr), -ENODATA);
		close_resolver(NULL);
	}
	assert_int_equal(strncmp(plain[0], "work ", 5), 0);
	end(&worker);
}

/* More files than may be open at a time: the first ones are opened again. */
static void many_binaries(void **state)
{
	struct mapped_file *file[BINARIES_MAX + 10];
	const struct binary_hint nowhere = { 0 };
	struct sym_map map = { 0 };
	char path[300];
	struct stat info;
	size_t i, nr_open = 0;

	sh("mkdir many && for i in $(seq 0 265); do cp lib.so many/$i; done");
	for (i = 0; i < BINARIES_MAX + 10; i++) {
		snprintf(path, sizeof(path), "%s/many/%zu", directory, i);
		assert_int_equal(stat(path, &info), 0);
		map.inode = info.st_ino;
		map.path = path;
		file[i] = files_get(&resolver->files, &map);
		assert_non_null(binaries_get(&resolver->binaries, file[i], &nowhere));
		assert_non_null(binaries_index(&resolver->binaries, file[i]->binary));
		assert_non_null(binaries_ranges(&resolver->binaries, file[i]->binary));
		/* the first file is in constant use, and so stays open */
		assert_non_null(file[0]->binary);
		binaries_get(&resolver->binaries, file[0], &nowhere);
	}
	for (i = 0; i < BINARIES_MAX + 10; i++)
		nr_open += file[i]->binary != NULL;
	assert_int_equal(nr_open, BINARIES_MAX);
	assert_non_null(file[0]->binary);
	assert_null(file[1]->binary);
	assert_non_null(binaries_get(&resolver->binaries, file[1], &nowhere));
	assert_non_null(binaries_ranges(&resolver->binaries, file[1]->binary));
	for (i = 0; i < BINARIES_MAX + 10; i++)
		files_put(file[i]);
	files_trim(&resolver->files, NULL, NULL);
}

/* A path of a process with another root can be another file in ours, with the same inode number on another device. */
static void a_path_of_another_root(void **state)
{
	const struct binary_hint here = { 0 }, elsewhere = { .is_foreign = true };
	struct sym_map map = { 0 };
	struct mapped_file *file;
	char path[128];
	struct stat info;

	snprintf(path, sizeof(path), "%s", in_directory("lib.so"));
	assert_int_equal(stat(path, &info), 0);
	map.path = path;
	map.inode = info.st_ino;
	map.dev_major = major(info.st_dev) + 1;
	map.dev_minor = minor(info.st_dev);
	file = files_get(&resolver->files, &map);
	assert_null(binaries_get(&resolver->binaries, file, &elsewhere));
	assert_non_null(binaries_get(&resolver->binaries, file, &here));
	map.dev_major--;
	file = files_get(&resolver->files, &map);
	assert_non_null(binaries_get(&resolver->binaries, file, &elsewhere));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define WITH(test, open) cmocka_unit_test_setup_teardown(test, open, close_resolver)
		WITH(lines, NULL),
		WITH(functions_of_a_program, open_plain),
		WITH(fetched, NULL),
		WITH(files_that_cannot_be_opened, NULL), WITH(compact_indexes, NULL),
		WITH(many_binaries, open_plain),
		WITH(a_path_of_another_root, open_plain),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
