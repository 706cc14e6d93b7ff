/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The executables of the stacks of one CPU. Each one is held open from its first sample until its
 * counts have been acknowledged, so that the tool can read it even after its processes have ended
 * or it has been deleted. One writer, its CPU's sampler; readers wait until it is retired (see
 * session.h).
 */
#ifndef CPUPROBE_EXES_H
#define CPUPROBE_EXES_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "cpuprobe.h"

/* Slots searched before an executable is left out. */
#define EXES_SEARCH	8

struct exes {
	u32 nr;
	struct cpuprobe_exe exe[CPUPROBE_STACK_EXES];	/* in order of appearance */
	struct file *file[CPUPROBE_STACK_EXES];
	u8 slot[2 * CPUPROBE_STACK_EXES];		/* by inode: position plus one; 0: free */
};

/**
 * exes_get() - position of the current task's executable, plus one; added if new. 0: no executable,
 * or no room. Hard irq.
 */
u32 exes_get(struct exes *exes, struct task_struct *task);

/** exes_clear() - release all executables. May sleep; not for the active bank. */
void exes_clear(struct exes *exes);

/**
 * exes_open() - open an executable for the caller. May sleep. Returns a descriptor.
 * -EINVAL: no executable at that position. -EACCES and other errors as with open().
 */
int exes_open(const struct exes *exes, u32 position);

#endif
