/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom process mode and stacks count: named by START, asked about every sample. */
#ifndef CPUPROBE_FILTER_H
#define CPUPROBE_FILTER_H

#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "access.h"
#include "cpuprobe.h"

/** All of it NULL: everybody. */
struct filter {
	struct file *exe;		/* keeps the inode; NULL: any executable */
	const struct inode *inode;	/* of exe */
	/* the same while its code is where it was loaded; or NULL */
	const struct inode *usual_inode;
	struct pid *pid;		/* NULL: every process of the executable */
	struct cgroup *cgroup;		/* NULL: any; stacks only */
	u64 code_start;
	u32 mode;			/* CPUPROBE_MODE_USER or _KERNEL */
	u32 object;	/* whose addresses are counted in slots; _KERNEL: any kernel address */
};

/** Whose a sample is. */
enum belonging { TARGET, OTHER_TASK, OTHER_EXE };

/**
 * filter_get() - find what @start names, in process mode or for stacks. May sleep.
 * On failure the target is empty and @start->reason set: -ESRCH, -EBADF, -EPERM.
 */
int filter_get(struct filter *filter, const struct access *access, struct cpuprobe_start *start);

/** filter_put() - let go of it. May sleep. */
void filter_put(struct filter *filter);

/** filter_is_everybody() - whether nobody in particular is named. */
static inline bool filter_is_everybody(const struct filter *filter)
{
	return !filter->inode && !filter->pid && !filter->cgroup;
}

/**
 * filter_belongs() - whose a sample of the current task is, for the holder of @access. Hard irq.
 */
enum belonging filter_belongs(const struct filter *filter, const struct access *access,
			      struct task_struct *task);

#endif
