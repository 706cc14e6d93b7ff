/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The target of process mode, of stacks, and of counted, timed and traced calls: set by START, CALLS or TRACE, checked
 * for every sample or call.
 */
#ifndef CPUPROBE_FILTER_H
#define CPUPROBE_FILTER_H

#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "access.h"
#include "cpuprobe.h"

/** All pointers NULL: every task matches. */
struct filter {
	struct file *exe;		/* keeps the inode alive; NULL: any executable */
	const struct inode *inode;	/* inode of exe */
	/* inode of exe if the fast path may be used, else NULL: area_table_update_fast_path() */
	const struct inode *fast_path_inode;
	struct pid *pid;		/* NULL: every process of the executable */
	struct cgroup *cgroup;		/* NULL: any; not in process mode */
	u64 code_start;
	u32 mode;			/* CPUPROBE_MODE_USER or _KERNEL */
	u32 object;	/* object that slots count; _KERNEL: any kernel address */
};

/** Owner of a sample: the target, another task, or the target's pid with another exe. */
enum belonging { TARGET, OTHER_TASK, OTHER_EXE };

/**
 * filter_get() - get references to the target that @start names, which may be made of CALLS or TRACE. May sleep.
 * @wants_exe: whether @start must name an executable
 * On failure the filter is empty and @start->reason set: -ESRCH, -EBADF, -EPERM.
 */
int filter_get(struct filter *filter, const struct access *access, bool wants_exe,
	       struct cpuprobe_start *start);

/** filter_put() - release the references. May sleep. */
void filter_put(struct filter *filter);

/** filter_is_everybody() - whether every task matches. */
static inline bool filter_is_everybody(const struct filter *filter)
{
	return !filter->inode && !filter->pid && !filter->cgroup;
}

/**
 * filter_belongs() - what a sample of the current task belongs to. Hard irq. A task that the opener
 * may not see is OTHER_TASK.
 */
enum belonging filter_belongs(const struct filter *filter, const struct access *access,
			      struct task_struct *task);

/**
 * filter_has_memory() - whether a process with this memory may have tasks that match. Any context.
 *
 * Process and group are those of the memory's owner: a task that enters the group later may not be found.
 * Kernels without CONFIG_MEMCG do not know the owner: there any memory may match.
 */
bool filter_has_memory(const struct filter *filter, struct mm_struct *mm);

#endif
