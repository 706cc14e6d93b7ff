/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may see what. Decided when the device is opened and carried by the descriptor, whoever
 * uses it later: docs/privilege.md has the rules, and is what they are tested against.
 */
#ifndef CPUPROBE_ACCESS_H
#define CPUPROBE_ACCESS_H

#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/sched.h>

#include "cpuprobe.h"

struct access {
	bool is_full;	/* everything; otherwise what a member of the group may */
	/* who opened the device: decides which processes a member may look into. The file's own. */
	const struct cred *opener;
};

/** access_setup() - once, before anybody opens the device. */
void access_setup(void);

/**
 * access_decide() - what the current task may on the descriptor that it opens.
 * @file: must outlive *access_ret, which borrows its credentials
 *
 * -EPERM: nothing.
 */
int access_decide(const struct file *file, struct access *access_ret);

/**
 * access_kernel() - whether counts may tell where the kernel's code lies.
 * May sleep. CPUPROBE_REASON_NONE, or why not; a refusal by lockdown is logged by the kernel.
 */
u32 access_kernel(const struct access *access);

/** access_file() - whether the executable may be named as a target for all its processes. */
bool access_file(const struct access *access, const struct inode *inode);

/**
 * access_process() - whether the process may be named as a target. May sleep.
 * -EPERM: it is somebody else's; -ESRCH: it has no memory any more, or never had.
 */
int access_process(const struct access *access, struct task_struct *task);

/**
 * access_is_own() - whether the opener may open /proc/PID/maps of a task, as far as can be told
 * without sleeping: see access.c for the rules.
 * Any context; costs what a member's sample may cost.
 * @mm: the task's own, which the caller keeps; NULL: never
 */
bool access_is_own(const struct access *access, const struct task_struct *task,
		   struct mm_struct *mm);

/**
 * access_current() - whether samples of the current task may be told by address, whatever the
 * task has become since it was named. Hard irq.
 */
static inline bool access_current(const struct access *access)
{
	return access->is_full || access_is_own(access, current, current->mm);
}

/**
 * access_veil_record() - take the generations of inodes out of the id of a record, for a reader
 * without full access. A hash with a secret key replaces them: two ids that differ still do, and
 * equal ones remain equal while the module is loaded.
 */
void access_veil_record(struct cpuprobe_record *record);

/** access_veil_exe() - the same for the id of an executable. */
void access_veil_exe(u64 id[2]);

#endif
