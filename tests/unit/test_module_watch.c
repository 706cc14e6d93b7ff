// SPDX-License-Identifier: GPL-2.0-only
/* Modules that are unloaded during a run: cli/calls/module_watch.c. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "calls/module_watch.h"

static char directory[] = "/tmp/cpuprobe-modules-XXXXXX";

static const char *path_of(const char *module)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, module);
	return path;
}

static struct module_watch watch_modules(void)
{
	static struct hookable names[] = {
		{ 1, "vfs_read", "" }, { 2, "ext4_read", "ext4" }, { 3, "ext4_write", "ext4" },
		{ 4, "xfs_read", "xfs" }, { 5, "bpf_prog_1", "bpf" },
	};
	const struct hookables functions = { names, 5, NULL };
	struct module_watch watch;

	assert_int_equal(module_watch_init(&watch, &functions, directory), 0);
	return watch;
}

/* bpf is the module of generated code, which has no directory. */
static void unloaded_modules_are_named(void **state)
{
	struct module_watch watch;

	assert_int_equal(mkdir(path_of("ext4"), 0700) | mkdir(path_of("xfs"), 0700), 0);
	watch = watch_modules();
	assert_int_equal(watch.nr, 2);
	assert_null(module_watch_changed(&watch));
	assert_int_equal(rmdir(path_of("xfs")), 0);
	assert_non_null(module_watch_changed(&watch));
	assert_string_equal(module_watch_changed(&watch), "xfs");
	module_watch_deinit(&watch);
}

/* A directory made anew beside the old one has another inode. */
static void modules_loaded_again_are_named(void **state)
{
	struct module_watch watch = watch_modules();
	char old[256];

	assert_int_equal(watch.nr, 1);
	snprintf(old, sizeof(old), "%s", path_of("old"));
	assert_int_equal(rename(path_of("ext4"), old) | mkdir(path_of("ext4"), 0700), 0);
	assert_non_null(module_watch_changed(&watch));
	assert_string_equal(module_watch_changed(&watch), "ext4");
	module_watch_deinit(&watch);
	assert_null(module_watch_changed(&watch));
	assert_int_equal(rmdir(old) | rmdir(path_of("ext4")), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unloaded_modules_are_named),
		cmocka_unit_test(modules_loaded_again_are_named),
	};
	int failed;

	if (!mkdtemp(directory))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(directory);
	return failed;
}
