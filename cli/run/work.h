/* SPDX-License-Identifier: GPL-2.0-only */
/* A fixed amount of work, done by a child process on one CPU: computing, without system calls. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"
#include "types.h"

struct work {
	pid_t pid;		/* the child; 0: none, and no descriptors */
	int order_fd;		/* to the child: how many loops to do */
	int done_fd;		/* from the child: the seconds they took */
	u64 loops;		/* in one piece of work */
};

/** work_may_use() - whether this process may run on @cpu, and the CPU is online. */
bool work_may_use(u32 cpu);

/**
 * work_start() - start the child on @cpu and find out how many loops take @seconds.
 * -EINVAL: the child may not run on that CPU. Call work_end() after success.
 */
int work_start(struct work *work, u32 cpu, double seconds, struct text_error *error_ret);

/** work_do() - have one piece of work done. @seconds_ret: by the monotonic clock */
int work_do(const struct work *work, double *seconds_ret, struct text_error *error_ret);

/** work_end() - end the child, if there is one. */
void work_end(struct work *work);

#endif
