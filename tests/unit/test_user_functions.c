// SPDX-License-Identifier: GPL-2.0-only
/* Objects of -ufn, which hostile processes may map and replace: cli/trace/user_functions.c. */
#include <errno.h>
#include <sys/mman.h>

#include "directory.h"
#include "pipes.h"
#include "trace/user_functions.h"

static char why[256];

/* The error of an object; @task: NULL or a process that maps it. */
static int choose_from(const char *object, const struct task *task)
{
	struct user_functions functions = { .nr = 0 };
	struct user_choices choices = { .nr = 1 };
	struct text_error error = { "", "" };
	char text[256];
	int result;

	snprintf(text, sizeof(text), "%s:*", object);
	choices.text[0] = text;
	result = user_functions_choose(&functions, &choices, task, &error);
	snprintf(why, sizeof(why), "%s", error.what);
	user_functions_deinit(&functions);
	return result;
}

static void pipes_are_not_opened(void **state)
{
	struct watched_pipe watched;
	char path[128];

	snprintf(path, sizeof(path), "%s", in_directory("pipe"));
	watch_pipe(&watched, path);
	assert_int_equal(choose_from(path, NULL), -EINVAL);
	assert_false(was_pipe_opened(&watched));
	assert_non_null(strstr(why, "it is not a regular file"));
}

static void replaced_files_are_not_opened(void **state)
{
	struct task *task = calloc(1, sizeof(*task));
	struct watched_pipe watched;
	char path[128];
	void *code;
	int fd;

	assert_non_null(task);
	task->pid = getpid();
	sh("cp /bin/true libmapped.so");
	snprintf(path, sizeof(path), "%s", in_directory("libmapped.so"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(code, MAP_FAILED);
	close(fd);
	sh("cp libmapped.so another; mv another libmapped.so");
	assert_int_equal(choose_from("libmapped.so", task), -ESTALE);
	assert_non_null(strstr(why, "its file has been replaced or removed"));
	unlink(path);
	watch_pipe(&watched, path);
	assert_int_equal(choose_from("libmapped.so", task), -EINVAL);
	assert_false(was_pipe_opened(&watched));
	munmap(code, 4096);
	free(task);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pipes_are_not_opened),
		cmocka_unit_test(replaced_files_are_not_opened),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
