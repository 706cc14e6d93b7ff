/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a process that BPF counted is of the target of a session: by number and executable. */
#ifndef BELONGS_H
#define BELONGS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "bpf/proc_task.h"

/** UNSEEN: the process was gone when it was looked up. */
enum belongs { UNSEEN, TARGET, OTHER_EXE, OTHER_TASK };

struct belongs_target {
	u32 pid;		/* 0: any */
	bool has_exe;
	struct stat exe;
	char comm[PROC_TASK_COMM_LEN];	/* name that processes of this executable begin with */
};

/** belongs_init() - describe the target of a START. -errno: the executable cannot be examined. */
int belongs_init(struct belongs_target *target, const struct cpuprobe_start *start);

/** belongs_to() - whether a process that exists is of the target. */
enum belongs belongs_to(const struct belongs_target *target, u32 pid);

/** belongs_by_name() - whether a process that is gone may have been of the target, by its name. */
bool belongs_by_name(const struct belongs_target *target, const char comm[PROC_TASK_COMM_LEN]);

#endif
