/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executables of the stacks of one CPU: held open from the sample that first found one until
 * its counts have been handed out, so that the tool can read them even when their processes, and
 * their names, are gone. One writer, its CPU's sampler; read once retired (see session.h).
 */
#ifndef CPUPROBE_EXES_H
#define CPUPROBE_EXES_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "cpuprobe.h"

/* Places looked at before an executable goes without. */
#define EXES_SEARCH	8

struct exes {
	u32 nr;
	struct cpuprobe_exe exe[CPUPROBE_STACK_EXES];	/* in the order of their appearance */
	struct file *file[CPUPROBE_STACK_EXES];
	u8 slot[2 * CPUPROBE_STACK_EXES];		/* by inode: position plus one; 0: free */
};

/** exes_get() - position of the current task's executable, plus one; 0: none, no room. Hard irq. */
u32 exes_get(struct exes *exes, struct task_struct *task);

/** exes_clear() - let go of all. May sleep; not for the active one. */
void exes_clear(struct exes *exes);

/**
 * exes_open() - a descriptor of one of them, for the caller. May sleep.
 * -EINVAL: there is none at that position. -EACCES, or as open() says.
 */
int exes_open(const struct exes *exes, u32 position);

#endif
