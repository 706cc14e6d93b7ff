// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the word typed to an executable: cli/run/task.c, with programs that run, will run or do not
 * exist.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "run/task.h"

/* With the pid of the test in it, because another one may run at the same time. */
static char name[16];

static char top[] = "/tmp/cpuprobe-task-XXXXXX";

/* The path of a program with that name, in a directory of its own. */
static const char *place(const char *directory)
{
	static char path[2][128];
	static int which;

	which = !which;
	snprintf(path[which], sizeof(path[which]), "%s/%s/%s", top, directory, name);
	return path[which];
}

static void copy(const char *program, const char *directory)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir %s/%s && cp %s %s", top, directory, program,
		 place(directory));
	assert_int_equal(system(command), 0);
}

static pid_t run(const char *directory)
{
	pid_t pid = fork();
	char exe[64], link[128];
	ssize_t len;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(place(directory), name, "60", NULL);
		_exit(127);
	}
	/* Wait until the process runs that program. */
	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	do {
		len = readlink(link, exe, sizeof(exe) - 1);
		assert_true(len > 0);
		exe[len] = '\0';
	} while (!strstr(exe, top));
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void finds(const char *word, const char *command, const char *directory)
{
	struct text_error error = { "", "" };
	struct stat found, wanted;
	struct task task;

	if (task_find(word, command, &task, &error))
		fail_msg("%s", error.what);
	assert_int_equal(fstat(task.exe_fd, &found), 0);
	assert_int_equal(stat(place(directory), &wanted), 0);
	assert_int_equal(found.st_ino, wanted.st_ino);
	assert_int_equal(task.pid, 0);
	assert_string_equal(task.name, name);
	task_deinit(&task);
}

static void finds_none(const char *word, const char *command, int reason, const char *what,
		       const char *hint)
{
	struct text_error error = { "", "" };
	struct task task;

	assert_int_equal(task_find(word, command, &task, &error), reason);
	if (!strstr(error.what, what) || !strstr(error.hint, hint))
		fail_msg("%s; %s", error.what, error.hint);
}

static void finds_the_command_to_run(void **state)
{
	finds_none(name, NULL, -ESRCH, "no running executable has that name", "a pid, or the path");
	finds_none(name, "sh", -ESRCH, "no running executable has that name", "a pid, or the path");
	finds(name, place("one"), "one");
	finds(place("one"), NULL, "one");
	finds_none(name, place("missing"), -ENOENT, "No such file", "");
	finds_none(name, place("script"), -ENOEXEC, "read ",
		   "this is a script: give its interpreter");
}

static void finds_programs_in_the_path(void **state)
{
	char *before = strdup(getenv("PATH")), path[128];

	snprintf(path, sizeof(path), "%s/two", top);
	setenv("PATH", path, 1);
	finds(name, name, "two");
	finds(name, "/bin/sh", "two");
	/* The COMMAND names its file. */
	finds(name, place("one"), "one");
	finds_none(name, NULL, -ESRCH, "no running executable has that name", "");
	setenv("PATH", before, 1);
	free(before);
}

static void finds_running_programs(void **state)
{
	pid_t pid = run("one");
	char upper[sizeof(name)];

	strcpy(upper, name);
	finds(name, NULL, "one");
	upper[0] = 'T';
	finds(upper, NULL, "one");
	finds(name, "sh", "one");
	/* The COMMAND is another program with that name, or starts one. */
	finds(name, place("two"), "two");
	finds(name, place("script"), "one");
	end(pid);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
	return remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_command_to_run),
		cmocka_unit_test(finds_programs_in_the_path),
		cmocka_unit_test(finds_running_programs),
	};
	char script[64];
	int status;

	snprintf(name, sizeof(name), "task-%d", getpid());
	if (!mkdtemp(top))
		return 1;
	snprintf(script, sizeof(script), "%s/empty", top);
	close(creat(script, 0700));
	copy("/bin/sleep", "one");
	copy("/bin/sleep", "two");
	copy(script, "script");
	status = open(place("script"), O_WRONLY);
	dprintf(status, "#!/bin/sh\n");
	close(status);
	status = cmocka_run_group_tests(tests, NULL, NULL);
	nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return status;
}
