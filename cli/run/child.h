/* SPDX-License-Identifier: GPL-2.0-only */
/* The measured COMMAND: the child waits before its exec until sampling has begun. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

#include "base/text.h"

struct child {
	pid_t pid;		/* 0: none */
	int gate_fd;		/* a byte written here releases the child; -1 afterwards */
	int error_fd;		/* delivers the errno of a failed exec, or end of file */
	int pid_fd;		/* readable once the child has ended */
};

/** child_fork() - fork a child that waits before its exec; resets SIGPIPE and signal mask. */
int child_fork(struct child *child, char **command, struct text_error *error_ret);

/**
 * child_release() - let the child exec.
 * -ENOENT or another error of execvp(): the command did not run, and the child has been reaped.
 */
int child_release(struct child *child, char **command, struct text_error *error_ret);

/** child_wait() - wait for the child; return its status as a shell does (128 + signal). */
int child_wait(struct child *child);

/** child_kill() - kill and reap the child, if there is one. */
void child_kill(struct child *child);

#endif
