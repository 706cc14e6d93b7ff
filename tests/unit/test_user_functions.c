// SPDX-License-Identifier: GPL-2.0-only
/* Objects of -ufn, which hostile processes may map and replace: cli/trace/user_functions.c. */
#include <errno.h>
#include <sys/mman.h>

#include "jail.h"
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

/* A link in a container's root leads to no file of ours, not even to the one that is mapped. */
static void links_stay_in_their_root(void **state)
{
	struct task *task = calloc(1, sizeof(*task));
	void *code;
	int fd;

	if (getuid()) {
		free(task);
		skip();
	}
	sh("cp /bin/true libjailed.so");
	fd = open(in_directory("libjailed.so"), O_RDONLY | O_CLOEXEC);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(code, MAP_FAILED);
	close(fd);
	task->pid = start_jailed("/tmp");
	assert_int_equal(choose_from("libjailed.so", task), -ELOOP);
	end_jailed(task->pid);
	munmap(code, 4096);
	free(task);
}

/* The executable of a task is the one that runs, whatever is at its path in our root. */
static void executables_are_those_that_run(void **state)
{
	struct task *task = calloc(1, sizeof(*task));

	assert_non_null(task);
	write_file(in_directory("program"), "no program\n");
	snprintf(task->path, sizeof(task->path), "%s", in_directory("program"));
	task->exe_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(task->exe_fd > 0);
	/* Its code may use exceptions, or have no functions left. */
	if (choose_from("program", task))
		assert_null(strstr(why, "not an ELF"));
	assert_null(strstr(why, "read "));
	close(task->exe_fd);
	free(task);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pipes_are_not_opened),
		cmocka_unit_test(replaced_files_are_not_opened),
		cmocka_unit_test(links_stay_in_their_root),
		cmocka_unit_test(executables_are_those_that_run),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
