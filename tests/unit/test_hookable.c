// SPDX-License-Identifier: GPL-2.0-only
/* Choosing kernel functions by name: cli/calls/hookable.c. */
#include <errno.h>
#include <unistd.h>

#include "unit.h"
#include "calls/hookable.h"

static const char kallsyms[] =
	"ffffffff81000010 T vfs_read\n"
	"ffffffff81000020 T vfs_write\n"
	"ffffffff81000040 t __do_sys_getppid\n"
	"ffffffff81000040 T __x64_sys_getppid\n"
	"ffffffff81000000 t __pfx_vfs_read\n"
	"ffffffff81000050 t vfs_read.cold\n"
	"ffffffff81000060 t helper.isra.0\n"
	"ffffffff81000070 t helper.constprop.0.isra.0\n"
	"ffffffff81000080 D jiffies\n"
	"ffffffffc0000010 t ext4_read\t[ext4]\n"
	"ffffffffc0000010 t $x\t[ext4]\n"
	"ffffffffc0000020 t vfs_of_ext4\t[ext4]\n"
	"nonsense\n"
	"ffffffffc0000030 t";

static char path[] = "/tmp/cpuprobe-kallsyms-XXXXXX";

static void write_names(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* The names that globs choose, separated by blanks; or the error's text. */
static const char *chosen(const char *globs)
{
	static char names[1024];
	struct text_error error;
	struct hookables all;
	size_t used = 0;
	u32 i;

	names[0] = '\0';
	if (hookables_read(&all, path, &error) || hookables_choose(&all, globs, &error)) {
		snprintf(names, sizeof(names), "%s", error.what);
		hookables_deinit(&all);
		return names;
	}
	for (i = 0; i < all.nr; i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", i ? " " : "",
				 all.list[i].name);
	hookables_deinit(&all);
	return names;
}

static void globs_choose(void **state)
{
	write_names(kallsyms);
	assert_string_equal(chosen("vfs_read"), "vfs_read");
	assert_string_equal(chosen("vfs_*"), "vfs_read vfs_write vfs_of_ext4");
	assert_string_equal(chosen("vfs_*,!vfs_read"), "vfs_write vfs_of_ext4");
	assert_string_equal(chosen("!vfs_read, vfs_*"), "vfs_write vfs_of_ext4");
	assert_string_equal(chosen("kernel:vfs_*"), "vfs_read vfs_write");
	assert_string_equal(chosen("ext4:*"), "ext4_read vfs_of_ext4");
	assert_string_equal(chosen("vfs_*,!ext4:*"), "vfs_read vfs_write");
	assert_string_equal(chosen("helper"), "helper.isra.0 helper.constprop.0.isra.0");
}

/* All names of an address mean one function, which has the name that was asked for. */
static void aliases_are_one_function(void **state)
{
	write_names(kallsyms);
	assert_string_equal(chosen("__x64_sys_getppid"), "__x64_sys_getppid");
	assert_string_equal(chosen("__do_sys_getppid"), "__do_sys_getppid");
	assert_string_equal(chosen("*getppid"), "__do_sys_getppid");
	assert_string_equal(chosen("*sys_*,!__x64_*"), "find functions: all are left out");
}

/* The hint for globs that choose nothing. */
static const char *hint_for(const char *globs)
{
	static char hint[256];
	struct text_error error;
	struct hookables all;

	write_names(kallsyms);
	assert_int_equal(hookables_read(&all, path, &error), 0);
	assert_true(hookables_choose(&all, globs, &error) < 0);
	hookables_deinit(&all);
	snprintf(hint, sizeof(hint), "%s", error.hint);
	return hint;
}

static void hints_name_what_was_meant(void **state)
{
	assert_non_null(strstr(hint_for("vfs_raed"), "did you mean vfs_read?"));
	assert_non_null(strstr(hint_for("sys_getppid"), "did you mean __do_sys_getppid?"));
	assert_non_null(strstr(hint_for("getppid"), "sys_getppid?"));
	assert_non_null(strstr(hint_for("ext4:vfs_read"), "/proc/kallsyms"));
	assert_non_null(strstr(hint_for("ext4:of_ext4"), "did you mean vfs_of_ext4?"));
	assert_non_null(strstr(hint_for("sys"), "/proc/kallsyms"));
	assert_non_null(strstr(hint_for("btrfs:*"), "no module btrfs with functions"));
	assert_non_null(strstr(hint_for("!vfs_*"), "names without '!'"));
}

static void empty_names_are_refused(void **state)
{
	static const char *const empty[] = { "", ",", "!", "vfs_read,!", "ext4:", "vfs_read,kernel:" };
	size_t i;

	write_names(kallsyms);
	for (i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		assert_string_equal(chosen(empty[i]), "find functions: -fn has an empty name");
	assert_string_equal(chosen("vfs_read,"), "vfs_read");
}

static void mistakes_are_explained(void **state)
{
	write_names(kallsyms);
	assert_string_equal(chosen("vfs_raed"), "find functions: none matches 'vfs_raed'");
	assert_string_equal(chosen("vfs_*,btrfs:*"), "find functions: none matches 'btrfs:*'");
	assert_string_equal(chosen("!vfs_*"), "find functions: all are left out");
	assert_string_equal(chosen("jiffies"), "find functions: none matches 'jiffies'");
}

static void hidden_addresses_are_refused(void **state)
{
	struct text_error error;
	struct hookables all;

	write_names("0000000000000000 T vfs_read\n0000000000000000 T vfs_write\n");
	assert_int_equal(hookables_read(&all, path, &error), -EACCES);
	assert_non_null(strstr(error.hint, "kptr_restrict"));
	assert_int_equal(hookables_read(&all, "/nonexistent", &error), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs_choose),
		cmocka_unit_test(aliases_are_one_function),
		cmocka_unit_test(mistakes_are_explained),
		cmocka_unit_test(hints_name_what_was_meant),
		cmocka_unit_test(empty_names_are_refused),
		cmocka_unit_test(hidden_addresses_are_refused),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
