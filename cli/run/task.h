/* SPDX-License-Identifier: GPL-2.0-only */
/* The TASK of `probe proc`: from what was typed to an executable, and perhaps a process. */
#ifndef TASK_H
#define TASK_H

#include "base/text.h"
#include "symbolizer.h"

/** A task found. */
struct task {
	int pid;		/* only this process; 0: every process of the executable */
	int exe_fd;		/* open on the executable; -1: a kernel thread */
	char name[64];		/* for people, clean */
	char path[4096];	/* of the executable, as far as known */
	struct sym_image image;	/* valid with exe_fd */
};

/**
 * task_find() - find what is meant by @word: a pid, a path with a '/', or the
 * name of a running executable, first with its case, then without.
 * @command: the program of a COMMAND, or NULL. If it has that name, it is the task; if nothing of
 * that name runs, $PATH is searched for what the COMMAND may start
 *
 * @task_ret is to be given to task_deinit(). -ESRCH: no such task. -ENOTUNIQ: several
 * executables of that name; they are listed in the hint's place.
 */
int task_find(const char *word, const char *command, struct task *task_ret,
	      struct text_error *error_ret);

/**
 * task_find_command() - the executable that execvp() would run for @word, whatever runs now.
 * -ENOENT: there is none.
 */
int task_find_command(const char *word, struct task *task_ret, struct text_error *error_ret);

/** task_find_all_of() - every process of the executable that process @pid runs. As task_find(). */
int task_find_all_of(int pid, struct task *task_ret, struct text_error *error_ret);

/** task_deinit() - close what it holds. */
void task_deinit(struct task *task);

#endif
