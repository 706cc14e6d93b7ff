/* SPDX-License-Identifier: GPL-2.0-only */
/* The COMMAND that is measured: held before its exec until sampling has begun. */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

struct child {
	pid_t pid;		/* 0: none */
	int gate_fd;		/* writing a byte lets it go; -1 after that */
	int error_fd;		/* its exec's errno comes here, or end of file */
	int pid_fd;		/* readable when it has ended */
};

/** child_fork() - make the process; it waits before the exec. SIGPIPE and the mask are reset. */
int child_fork(struct child *child, char **command, struct text_error *error_ret);

/**
 * child_release() - let it exec.
 * -ENOENT and other errors of execvp(): the command did not run and has been reaped.
 */
int child_release(struct child *child, char **command, struct text_error *error_ret);

/** child_wait() - wait for its end; its status as a shell reports it (128 + signal). */
int child_wait(struct child *child);

/** child_kill() - end and reap it, if it is there. */
void child_kill(struct child *child);

#endif
