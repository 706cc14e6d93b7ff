// SPDX-License-Identifier: GPL-2.0-only
/* Processes of stacks that BPF counted: cli/bpf/stack_tasks.c, on a child of the test. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "subjects.h"
#include "base/space_id.h"
#include "bpf/stack_tasks.h"

#define GONE	0x7fffff00	/* no process can have this number */

static const char first_name[COUNTS_NAME_LEN] = "stacktasks", other_name[COUNTS_NAME_LEN] = "other";
static const char old_name[COUNTS_NAME_LEN] = "before", exe_name[COUNTS_NAME_LEN] = "test_stack_task";
static struct proc_task child;

static int begin(void **state)
{
	if (subject_start(state))
		return -1;
	subject_rename(first_name);
	return proc_task_read(subject.pid, &child);
}

static struct stack_tasks *create(u32 pid, const char *exe)
{
	struct cpuprobe_start start = {
		.pid = pid, .exe_fd = exe ? open(exe, O_PATH) : -1, .cgroup_fd = -1,
	};
	struct stack_tasks *tasks = stack_tasks_create(&start);

	assert_non_null(tasks);
	if (start.exe_fd >= 0)
		close(start.exe_fd);
	stack_tasks_begin(tasks);
	return tasks;
}

/* @pid: that is asked for; 0: all are */
static void check_space_and_executable(u32 pid)
{
	struct stack_tasks *tasks = create(pid, NULL);
	const struct stack_task *task = stack_tasks_find(tasks, subject.pid, first_name, NULL, 0);
	struct stat exe, opened;
	int fd;

	assert_int_equal(task->kind, CPUPROBE_KIND_PROCESS);
	assert_int_equal(task->belongs, TARGET);
	assert_string_equal(task->name, "stacktasks");
	assert_true(task->space == child.space && task->code_start == child.code_start);
	assert_int_equal(task->exe, 1);
	assert_int_equal(stack_tasks_nr_exes(tasks), 1);
	fd = stack_tasks_open_exe(tasks, 0);
	assert_true(fd >= 0);
	assert_false(stat("/proc/self/exe", &exe) || fstat(fd, &opened));
	assert_true(exe.st_ino == opened.st_ino && exe.st_dev == opened.st_dev);
	close(fd);
	assert_int_equal(stack_tasks_open_exe(tasks, 1), -ENOENT);

	/* The next harvest knows it already. */
	stack_tasks_begin(tasks);
	task = stack_tasks_find(tasks, subject.pid, first_name, NULL, 0);
	assert_true(task->space == child.space);
	assert_int_equal(task->exe, 0);
	assert_int_equal(stack_tasks_nr_exes(tasks), 0);
	stack_tasks_destroy(tasks);
}

/* Also if it was known by number, and looked up before the first harvest. */
static void a_process_has_its_space_and_executable(void **state)
{
	check_space_and_executable(0);
	check_space_and_executable(subject.pid);
}

static void a_process_that_is_gone_has_a_space_of_its_own(void **state)
{
	struct stack_tasks *tasks = create(0, NULL);
	const u64 frame = 0x1000;
	const struct stack_task *task = stack_tasks_find(tasks, GONE, other_name, &frame, 1);
	u64 space = task->space;

	assert_int_equal(task->kind, CPUPROBE_KIND_PROCESS);
	assert_string_equal(task->name, "other");
	assert_true(space & SPACE_UNTOLD);
	/* The same one in a later harvest; another under another name. */
	stack_tasks_begin(tasks);
	assert_true(stack_tasks_find(tasks, GONE, other_name, &frame, 1)->space == space);
	assert_true(stack_tasks_find(tasks, GONE, first_name, &frame, 1)->space != space);
	/* Without user frames it was dying. */
	task = stack_tasks_find(tasks, GONE - 1, other_name, NULL, 0);
	assert_int_equal(task->kind, CPUPROBE_KIND_EXITING);
	assert_true(!task->space);
	/* It was not dying yet at another sample. */
	task = stack_tasks_find(tasks, GONE - 1, other_name, &frame, 1);
	assert_int_equal(task->kind, CPUPROBE_KIND_PROCESS);
	assert_true(task->space & SPACE_UNTOLD);
	stack_tasks_destroy(tasks);
}

/* Looks up a process that this one may not examine. Exits 0 if it is told from one that is gone. */
static void look_at_hidden(u32 pid)
{
	struct stack_tasks *tasks = create(0, NULL);
	const struct stack_task *task = stack_tasks_find(tasks, pid, other_name, NULL, 0);

	_exit(task->kind != CPUPROBE_KIND_PROCESS || !(task->space & SPACE_UNTOLD) || !(task->space & SPACE_HIDDEN));
}

static void a_running_process_may_be_hidden(void **state)
{
	const u64 frame = 0x1000;
	struct stack_tasks *tasks = create(0, NULL);
	pid_t looker = fork();
	int status;

	if (!looker) {
		/* root may examine all; another user not the first process */
		if (geteuid())
			look_at_hidden(1);
		if (!setuid(65534))
			look_at_hidden(subject.pid);
		_exit(1);
	}
	assert_int_equal(waitpid(looker, &status, 0), looker);
	assert_int_equal(status, 0);
	assert_false(stack_tasks_find(tasks, GONE, other_name, &frame, 1)->space & SPACE_HIDDEN);
	stack_tasks_destroy(tasks);
}

static void another_name_is_another_program_or_not(void **state)
{
	struct stack_tasks *tasks = create(0, NULL);
	const u64 inside = child.code_start + 16, outside = 0x1000;

	/* It has the name of the program that it was, or was given another name. */
	assert_true(stack_tasks_find(tasks, subject.pid, old_name, &outside, 1)->space & SPACE_UNTOLD);
	assert_true(stack_tasks_find(tasks, subject.pid, other_name, &inside, 1)->space == child.space);
	assert_string_equal(stack_tasks_find(tasks, subject.pid, other_name, &inside, 1)->name, first_name);
	stack_tasks_destroy(tasks);
}

static void *wait_for_end(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

/* A thread may have a name of its own. */
static void another_name_is_a_thread(void **state)
{
	struct stack_tasks *tasks = create(0, NULL);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	const u64 outside = 0x1000;
	struct proc_task now;
	pthread_t thread;

	pthread_mutex_lock(&mutex);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_end, &mutex), 0);
	assert_int_equal(proc_task_read(getpid(), &now), 0);
	assert_true(stack_tasks_find(tasks, getpid(), old_name, &outside, 1)->space == now.space);
	stack_tasks_destroy(tasks);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

/* The target was there when the run began. */
static void a_target_may_end_before_the_first_harvest(void **state)
{
	const struct subject before = subject;
	struct stack_tasks *tasks;
	const u64 outside = 0x1000;
	struct proc_task now;

	assert_int_equal(subject_start(NULL), 0);
	subject_rename("target");
	assert_int_equal(proc_task_read(subject.pid, &now), 0);
	tasks = create(subject.pid, NULL);
	assert_int_equal(subject_stop(NULL), 0);
	assert_true(stack_tasks_find(tasks, subject.pid, now.comm, &outside, 1)->space == now.space);
	stack_tasks_destroy(tasks);
	subject = before;
}

static void targets_are_told_apart(void **state)
{
	struct stack_tasks *tasks = create(0, "/proc/self/exe");
	const struct stack_task *task;

	assert_int_equal(stack_tasks_find(tasks, subject.pid, first_name, NULL, 0)->belongs, TARGET);
	task = stack_tasks_find(tasks, GONE, other_name, NULL, 0);
	assert_int_equal(task->belongs, UNSEEN);
	assert_false(stack_tasks_may_be(tasks, task));
	task = stack_tasks_find(tasks, GONE, exe_name, NULL, 0);
	assert_int_equal(task->belongs, UNSEEN);
	assert_true(stack_tasks_may_be(tasks, task));
	stack_tasks_destroy(tasks);

	tasks = create(0, "/bin/sh");
	assert_int_equal(stack_tasks_find(tasks, subject.pid, first_name, NULL, 0)->belongs, OTHER_TASK);
	stack_tasks_destroy(tasks);
	tasks = create(subject.pid, "/bin/sh");
	assert_true(stack_tasks_may_be(tasks, stack_tasks_find(tasks, GONE, other_name, NULL, 0)));
	assert_int_equal(stack_tasks_find(tasks, subject.pid, first_name, NULL, 0)->belongs, OTHER_EXE);
	stack_tasks_destroy(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_has_its_space_and_executable),
		cmocka_unit_test(a_process_that_is_gone_has_a_space_of_its_own),
		cmocka_unit_test(a_running_process_may_be_hidden),
		cmocka_unit_test(another_name_is_another_program_or_not),
		cmocka_unit_test(another_name_is_a_thread),
		cmocka_unit_test(a_target_may_end_before_the_first_harvest),
		cmocka_unit_test(targets_are_told_apart),
	};

	return cmocka_run_group_tests(tests, begin, subject_stop);
}
