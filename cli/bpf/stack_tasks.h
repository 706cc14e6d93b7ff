/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes whose stacks BPF counted: finds in /proc their executables and address spaces, at the first
 * harvest that has them. A process is known by its number and the name at its first sample, because an exec
 * changes the name. One that is gone before it could be read, or that may not be read, has its name only, and an
 * address space that no other has.
 */
#ifndef STACK_TASKS_H
#define STACK_TASKS_H

#include "bpf/belongs.h"
#include "bpf/counts.h"
#include "cpuprobe.h"

struct stack_task {
	u32 pid;
	char comm[COUNTS_NAME_LEN];	/* at the sample */
	u32 kind;			/* CPUPROBE_KIND_*; 0: never examined */
	enum belongs belongs;
	char name[COUNTS_NAME_LEN];	/* of its first thread */
	u64 space;			/* as in struct cpuprobe_stack */
	u64 code_start;
	u64 exe_id[2];
	u32 exe;			/* number of the executable, plus one, in the first harvest; else 0 */
	bool is_hidden;			/* it runs, but may not be examined */
	u64 outermost;			/* the last frame of a whole user stack; 0: none seen */
	u64 start;			/* when it began */
	u64 round;			/* the harvest in which it was looked up */
};

struct stack_tasks;

/** stack_tasks_create() - @start: the target. NULL: out of memory, or its executable cannot be read. */
struct stack_tasks *stack_tasks_create(const struct cpuprobe_start *start);

void stack_tasks_destroy(struct stack_tasks *tasks);

/** stack_tasks_begin() - begin a harvest: every process is looked up once until the next one. */
void stack_tasks_begin(struct stack_tasks *tasks);

/**
 * stack_tasks_find() - the process of a stack. Valid until the next call.
 * @user: user frames of the stack. They tell whether a process under another name is still the same program
 *
 * NULL: out of memory.
 */
struct stack_task *stack_tasks_find(struct stack_tasks *tasks, u32 pid, const char comm[COUNTS_NAME_LEN],
				    const u64 *user, u32 nr_user);

/** stack_tasks_may_be() - whether a process with UNSEEN may have been of the target. */
bool stack_tasks_may_be(const struct stack_tasks *tasks, const struct stack_task *task);

/** stack_tasks_nr_exes() - number of executables of processes that are new in this harvest. */
u32 stack_tasks_nr_exes(const struct stack_tasks *tasks);

/** stack_tasks_exe() - number and id of one of them. */
const struct stack_task *stack_tasks_exe(const struct stack_tasks *tasks, u32 exe);

/** stack_tasks_open_exe() - open one of them. Returns a descriptor or -errno. */
int stack_tasks_open_exe(const struct stack_tasks *tasks, u32 exe);

#endif
