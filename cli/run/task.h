/* SPDX-License-Identifier: GPL-2.0-only */
/* A task to measure: an executable, and perhaps one of its processes. */
#ifndef TASK_H
#define TASK_H

#include "base/text.h"
#include "symbolizer.h"

/** A task that was found. */
struct task {
	int pid;		/* only this process; 0: every process of the executable */
	int exe_fd;		/* open on the executable; -1: a kernel thread */
	char name[64];		/* for display, cleaned */
	char path[4096];	/* executable; may be incomplete */
	struct sym_image image;	/* valid with exe_fd */
};

/**
 * task_find() - find the task that @word means: a pid, a path with a '/', or the name of a running
 * executable, first case-sensitively, then ignoring case.
 * @command: the program of a COMMAND, or NULL. If it has the name, it is the task. If no running
 * executable has the name, $PATH is searched for a program that the COMMAND may start
 *
 * Free @task_ret with task_deinit(). -ESRCH: no such task. -ENOTUNIQ: several executables have the
 * name; the hint lists them.
 */
int task_find(const char *word, const char *command, struct task *task_ret,
	      struct text_error *error_ret);

/**
 * task_find_command() - find the executable that execvp() would run for @word.
 * -ENOENT: there is none.
 */
int task_find_command(const char *word, struct task *task_ret, struct text_error *error_ret);

/** task_find_all_of() - task_find() for all processes of the executable that @pid runs. */
int task_find_all_of(int pid, struct task *task_ret, struct text_error *error_ret);

/** task_deinit() - close the executable. */
void task_deinit(struct task *task);

#endif
