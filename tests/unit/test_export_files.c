// SPDX-License-Identifier: GPL-2.0-only
/* Files of exports: cli/export/export_options.c, and cli/base/outfile.c below it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "profiles.h"
#include "export/export_options.h"

/* Count the files and remove all of them. */
static int count_and_clean(void)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	int nr = 0;

	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			unlink(in_directory(entry->d_name));
			nr++;
		}
	closedir(dir);
	return nr;
}

static const char *get(const char *name)
{
	static char text[4096];
	FILE *file = fopen(in_directory(name), "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static int set(struct export_options *options, const char *name, const char *value)
{
	static const struct option_list lists[] = { { export_specs, 0 }, { export_trace_path_specs, 0 },
						    { NULL } };
	char option[16];
	char *argv[] = { "export", option, (char *)value, NULL };
	struct options_rest rest;
	struct text_error error;

	snprintf(option, sizeof(option), "-%s", name);
	return options_parse(argv, lists, options, &rest, &error);
}

static void options_that_clash(void **state)
{
	struct export_options options = { 0 };

	assert_false(export_is_asked(&options));
	assert_int_equal(set(&options, "folded", ""), -EINVAL);
	assert_false(export_is_asked(&options));
	assert_int_equal(set(&options, "folded", "x"), 0);
	assert_true(export_is_asked(&options));
	assert_int_equal(set(&options, "callgrind", "x"), -EINVAL);
	assert_int_equal(set(&options, "callgrind", "./x"), -EINVAL);
	assert_int_equal(set(&options, "callgrind", "y"), 0);
	assert_int_equal(set(&options, "folded", "-"), 0);
	assert_int_equal(set(&options, "folded", "-"), 0);
	assert_int_equal(set(&options, "speedscope", "-"), -EINVAL);
	assert_int_equal(set(&options, "speedscope", "x"), 0);
	assert_string_equal(options.path[EXPORT_FOLDED], "-");
	assert_string_equal(options.path[EXPORT_CALLGRIND], "y");
	assert_string_equal(options.path[EXPORT_SPEEDSCOPE], "x");
	assert_null(options.path[EXPORT_PPROF]);
}

/* Every option has its format, and every format an option. */
/* The file of an option that is no format's. */
static void other_options_clash(void **state)
{
	struct export_options options = { 0 };
	struct text_error error = { "", "" };

	assert_int_equal(set(&options, "html", "x"), 0);
	assert_int_equal(export_check_other(&options, "prom", "./x", &error), -EINVAL);
	assert_string_equal(error.what, "-prom and -html cannot write the same file './x'");
	assert_int_equal(export_check_other(&options, "prom", "y", &error), 0);
	assert_int_equal(export_check_other(&options, "prom", NULL, &error), 0);
	assert_int_equal(export_check(&options, "x", false, &error), -EINVAL);
	assert_string_equal(error.what, "-save and -html cannot write the same file 'x'");
}

static void each_format_has_an_option(void **state)
{
	const struct option_spec *const lists[] = { export_specs, export_trace_path_specs };
	struct export_options options = { 0 };
	const struct option_spec *spec;
	int i, list, nr = 0;

	for (list = 0; list < 2; list++)
		for (spec = lists[list]; spec->name; spec++) {
			assert_non_null(spec->value);
			assert_int_equal(set(&options, spec->name, spec->name), 0);
			assert_string_equal(options.path[nr], spec->name);
			nr++;
		}
	assert_int_equal(nr, EXPORT_FORMATS);
	for (i = 0; i < EXPORT_FORMATS; i++)
		assert_non_null(options.path[i]);
}

/* Existing files stay until all exports are written; afterwards only the requested files exist. */
static void files_appear_when_whole(void **state)
{
	struct stack_run stacks = { .profile = profiles_of("sh 7 user main@sh 12\n") };
	struct export_options options = { .path = { [EXPORT_FOLDED] = in_directory("a"),
						    [EXPORT_PPROF] = in_directory("b") } };
	struct export exports;
	struct text_error error;

	write_file(in_directory("a"), "before");
	assert_int_equal(export_open(&exports, &options, NULL, &error), 0);
	assert_string_equal(get("a"), "before");
	assert_int_equal(access(in_directory("b"), F_OK), -1);
	assert_int_equal(export_write(&exports, &stacks, &error), 0);
	assert_string_equal(get("a"), "sh;main 12\n");
	assert_memory_equal(get("b"), "\x1f\x8b", 2);
	export_abandon(&exports);
	assert_int_equal(count_and_clean(), 2);
	profile_destroy(stacks.profile);
}

/* Write an export to a path. */
static void write_to(const char *path)
{
	struct stack_run stacks = { .profile = profiles_of("sh 7 user main@sh 12\n") };
	struct export_options options = { .path = { [EXPORT_FOLDED] = path } };
	struct text_error error;
	struct export exports;

	assert_int_equal(export_open(&exports, &options, NULL, &error), 0);
	assert_int_equal(export_write(&exports, &stacks, &error), 0);
	profile_destroy(stacks.profile);
}

/* Whatever ends the process while a file is written. */
static void no_temporary_file_has_a_name(void **state)
{
	struct export_options options = { .path = { [EXPORT_FOLDED] = in_directory("a") } };
	int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	struct text_error error;
	struct export exports;

	/* The file system has no such files. */
	if (fd < 0)
		skip();
	close(fd);
	assert_int_equal(export_open(&exports, &options, NULL, &error), 0);
	assert_int_equal(count_and_clean(), 0);
	export_abandon(&exports);
}

static void modes(void **state)
{
	mode_t mask = umask(027);

	sh("echo >old; chmod 604 old");
	write_to(in_directory("new"));
	write_to(in_directory("old"));
	umask(mask);
	sh("test \"$(stat -c %a new old | xargs)\" = '640 604'");
	assert_int_equal(count_and_clean(), 2);
}

static void unwritable_files_fail_before_the_run(void **state)
{
	struct export_options options = { .path = { [EXPORT_FOLDED] = in_directory("a"),
						    [EXPORT_CALLGRIND] = in_directory("no/b") } };
	struct export exports;
	struct text_error error;
	char want[128];

	write_file(in_directory("a"), "before");
	assert_int_equal(export_open(&exports, &options, NULL, &error), -ENOENT);
	snprintf(want, sizeof(want), "write %s/no/b: No such file or directory", directory);
	assert_string_equal(error.what, want);
	assert_string_equal(get("a"), "before");
	assert_int_equal(count_and_clean(), 1);
	export_abandon(&exports);
}

static void abandoned_files_leave_nothing(void **state)
{
	struct export_options options = { .path = { [EXPORT_FOLDED] = in_directory("a") } };
	struct export exports;

	assert_int_equal(export_open(&exports, &options, NULL, NULL), 0);
	export_abandon(&exports);
	export_abandon(&exports);
	assert_int_equal(count_and_clean(), 0);
}

/* If one file cannot be finished, the others do not get their names either. */
static void a_full_disk(void **state)
{
	static const int full[] = { EXPORT_FOLDED, EXPORT_SPEEDSCOPE };
	struct stack_run stacks = { .profile = profiles_of("sh 7 user main@sh 12\n") };
	struct export exports;
	struct text_error error;
	int i;

	for (i = 0; i < 2; i++) {
		struct export_options options = { .path = { [EXPORT_PPROF] = in_directory("b") } };

		options.path[full[i]] = "/dev/full";
		write_file(in_directory("b"), "before");
		assert_int_equal(export_open(&exports, &options, NULL, &error), 0);
		assert_int_equal(export_write(&exports, &stacks, &error), -ENOSPC);
		assert_string_equal(error.what, "write /dev/full: No space left on device");
		assert_string_equal(get("b"), "before");
		assert_int_equal(count_and_clean(), 1);
	}
	profile_destroy(stacks.profile);
}

/* Whatever name leads to it. */
static void the_run_is_not_overwritten(void **state)
{
	struct export_options options = { .path = { [EXPORT_FOLDED] = in_directory("link") } };
	struct export exports;
	struct text_error error;
	char want[128];

	write_file(in_directory("run"), "kept");
	assert_int_equal(symlink("run", in_directory("link")), 0);
	assert_int_equal(export_open(&exports, &options, in_directory("run"), &error), -EINVAL);
	snprintf(want, sizeof(want), "write %s/link: the file is the run being read", directory);
	assert_string_equal(error.what, want);
	assert_string_equal(get("run"), "kept");
	assert_int_equal(count_and_clean(), 2);
}

static bool is_link(const char *name)
{
	struct stat info;

	return !lstat(in_directory(name), &info) && S_ISLNK(info.st_mode);
}

static void links_stay(void **state)
{
	sh("mkdir to; echo before >to/old; ln -s to/old old; ln -s old older; ln -s to/new new");
	write_to(in_directory("older"));
	assert_true(is_link("older") && is_link("old"));
	assert_string_equal(get("to/old"), "sh;main 12\n");
	write_to(in_directory("new"));
	assert_true(is_link("new"));
	assert_string_equal(get("to/new"), "sh;main 12\n");
	sh("test \"$(ls to | xargs)\" = 'new old'; rm -r to");
	assert_int_equal(count_and_clean(), 3);
}

/* As /dev/stdout: the link belongs to the system, and the file is already open. */
static void an_open_file_is_written_directly(void **state)
{
	char target[64];
	FILE *file;

	write_file(in_directory("open"), "a longer line before\n");
	file = fopen(in_directory("open"), "r");
	assert_non_null(file);
	snprintf(target, sizeof(target), "/proc/self/fd/%d", fileno(file));
	assert_int_equal(symlink(target, in_directory("link")), 0);
	write_to(in_directory("link"));
	assert_true(is_link("link"));
	assert_int_equal(fscanf(file, "sh;main %d", &(int){ 0 }), 1);
	fclose(file);
	assert_string_equal(get("open"), "sh;main 12\n");
	assert_int_equal(count_and_clean(), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_clash),
		cmocka_unit_test(other_options_clash),
		cmocka_unit_test(each_format_has_an_option),
		cmocka_unit_test(files_appear_when_whole),
		cmocka_unit_test(no_temporary_file_has_a_name),
		cmocka_unit_test(modes),
		cmocka_unit_test(unwritable_files_fail_before_the_run),
		cmocka_unit_test(abandoned_files_leave_nothing),
		cmocka_unit_test(a_full_disk),
		cmocka_unit_test(the_run_is_not_overwritten),
		cmocka_unit_test(links_stay),
		cmocka_unit_test(an_open_file_is_written_directly),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
