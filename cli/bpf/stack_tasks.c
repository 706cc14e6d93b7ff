// SPDX-License-Identifier: GPL-2.0-only
/* Processes whose stacks BPF counted: see stack_tasks.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/intern.h"
#include "base/space_id.h"
#include "bpf/stack_tasks.h"

#define KNOWN_MAX	4096	/* processes remembered; then all are forgotten */

struct stack_tasks {
	struct belongs_target target;
	struct stack_task *task;
	u32 nr;
	struct intern index;
	u64 round;
	u64 last_serial;	/* of address spaces that are not known */
	u32 *exes;		/* positions of the tasks with an executable of this harvest */
	u32 nr_exes;
};

/* The key of a task: its first two fields. */
#define KEY_LEN	(offsetof(struct stack_task, comm) + COUNTS_NAME_LEN)

struct stack_tasks *stack_tasks_create(const struct cpuprobe_start *start)
{
	struct stack_tasks *tasks = calloc(1, sizeof(*tasks));
	struct proc_task now;

	if (!tasks)
		return NULL;
	if (belongs_init(&tasks->target, start)) {
		free(tasks);
		return NULL;
	}
	/* A process that is known by number may end before the first harvest. */
	if (start->pid && !proc_task_read(start->pid, &now))
		stack_tasks_find(tasks, start->pid, now.comm, NULL, 0);
	return tasks;
}

static void forget_all(struct stack_tasks *tasks)
{
	free(tasks->task);
	intern_deinit(&tasks->index);
	tasks->task = NULL;
	tasks->nr = 0;
}

void stack_tasks_destroy(struct stack_tasks *tasks)
{
	if (!tasks)
		return;
	forget_all(tasks);
	free(tasks->exes);
	free(tasks);
}

static void forget_exes(struct stack_tasks *tasks)
{
	while (tasks->nr_exes)
		tasks->task[tasks->exes[--tasks->nr_exes]].exe = 0;
}

void stack_tasks_begin(struct stack_tasks *tasks)
{
	/* An executable that stack_tasks_create() found belongs to the first harvest. */
	if (tasks->round)
		forget_exes(tasks);
	if (tasks->nr > KNOWN_MAX)
		forget_all(tasks);
	tasks->round++;
}

static bool is_task(const void *owner, u32 position, const void *key)
{
	return !memcmp(&((const struct stack_tasks *)owner)->task[position], key, KEY_LEN);
}

static struct stack_task *get_task(struct stack_tasks *tasks, u32 pid, const char comm[COUNTS_NAME_LEN])
{
	struct stack_task task = { .pid = pid };
	u64 hash;
	u32 at;

	memcpy(task.comm, comm, sizeof(task.comm));
	hash = intern_hash(0, &task, KEY_LEN);
	at = intern_find(&tasks->index, hash, is_task, tasks, &task);
	if (at != INTERN_NONE)
		return &tasks->task[at];
	at = tasks->nr;
	if (!array_has_room(&tasks->task, at, sizeof(*tasks->task)) || intern_add(&tasks->index, hash, at))
		return NULL;
	tasks->nr++;
	tasks->task[at] = task;
	return &tasks->task[at];
}

/* The process is gone, is another program by now, or may not be examined. */
static void make_up(struct stack_tasks *tasks, struct stack_task *task, bool has_user)
{
	bool is_process = has_user || task->is_hidden;

	task->kind = is_process ? CPUPROBE_KIND_PROCESS : CPUPROBE_KIND_EXITING;
	task->belongs = tasks->target.has_exe ? UNSEEN : TARGET;
	task->space = is_process ? SPACE_UNTOLD | (task->is_hidden ? SPACE_HIDDEN : 0) | ++tasks->last_serial : 0;
	task->code_start = 0;
	memcpy(task->name, task->comm, sizeof(task->name));
}

static void adopt_kthread(struct stack_tasks *tasks, struct stack_task *task)
{
	task->kind = CPUPROBE_KIND_KTHREAD;
	task->belongs = tasks->target.has_exe ? OTHER_TASK : TARGET;
	task->space = task->code_start = 0;
	proc_task_fold_kthread(task->comm, task->name);
}

static void adopt_process(struct stack_tasks *tasks, struct stack_task *task, const struct proc_task *now)
{
	struct proc_exe exe;

	if (task->kind == CPUPROBE_KIND_PROCESS && task->space == now->space)
		return;
	task->kind = CPUPROBE_KIND_PROCESS;
	task->space = now->space;
	task->code_start = now->code_start;
	task->outermost = 0;
	memcpy(task->name, now->comm, sizeof(task->name));
	task->belongs = belongs_to(&tasks->target, task->pid);
	if (proc_task_exe(task->pid, &exe) ||
	    !array_has_room(&tasks->exes, tasks->nr_exes, sizeof(*tasks->exes)))
		return;
	task->exe_id[0] = exe.inode * CPUPROBE_INODE_FACTOR;
	task->exe_id[1] = exe.device << 32;
	tasks->exes[tasks->nr_exes++] = task - tasks->task;
	task->exe = tasks->nr_exes;
}

/* Whether a process under another name than at the sample is another program. */
static bool has_changed(const struct stack_task *task, const struct proc_task *now, const u64 *user,
			u32 nr_user)
{
	u32 i;

	if (now->nr_threads != 1 || !memcmp(now->comm, task->comm, sizeof(task->comm)))
		return false;
	for (i = 0; i < nr_user; i++)
		if (user[i] - now->code_start < now->code_end - now->code_start)
			return false;
	return true;
}

static void look_up(struct stack_tasks *tasks, struct stack_task *task, const u64 *user, u32 nr_user)
{
	struct proc_task now;
	bool is_there = !proc_task_read(task->pid, &now);

	task->round = tasks->round;
	task->is_hidden = is_there && now.is_hidden;
	if (is_there && task->start != now.start) {
		/* Another process than before, or the first with this number. */
		task->start = now.start;
		task->kind = 0;
	}
	if (is_there && now.is_kthread)
		adopt_kthread(tasks, task);
	else if (is_there && now.space && !has_changed(task, &now, user, nr_user))
		adopt_process(tasks, task, &now);
	else if (!task->kind)
		make_up(tasks, task, nr_user > 0);
}

struct stack_task *stack_tasks_find(struct stack_tasks *tasks, u32 pid, const char comm[COUNTS_NAME_LEN],
				    const u64 *user, u32 nr_user)
{
	struct stack_task *task = get_task(tasks, pid, comm);

	if (!task)
		return NULL;
	if (task->round != tasks->round || !task->kind)
		look_up(tasks, task, user, nr_user);
	/* The process was dying at an earlier sample, but not at this one, which has user frames. */
	if (task->kind == CPUPROBE_KIND_EXITING && nr_user)
		make_up(tasks, task, true);
	return task;
}

bool stack_tasks_may_be(const struct stack_tasks *tasks, const struct stack_task *task)
{
	return belongs_by_name(&tasks->target, task->comm);
}

u32 stack_tasks_nr_exes(const struct stack_tasks *tasks)
{
	return tasks->nr_exes;
}

const struct stack_task *stack_tasks_exe(const struct stack_tasks *tasks, u32 exe)
{
	return &tasks->task[tasks->exes[exe]];
}

int stack_tasks_open_exe(const struct stack_tasks *tasks, u32 exe)
{
	const struct stack_task *task;
	struct stat file;
	char path[32];
	int fd;

	if (exe >= tasks->nr_exes)
		return -ENOENT;
	task = stack_tasks_exe(tasks, exe);
	snprintf(path, sizeof(path), "/proc/%u/exe", task->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* The process may be another program by now. */
	if (!fstat(fd, &file) && file.st_ino * CPUPROBE_INODE_FACTOR == task->exe_id[0])
		return fd;
	close(fd);
	return -ENOENT;
}
