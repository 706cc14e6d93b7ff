/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access rights. The module decides them when the device is opened; they stay with the descriptor,
 * whoever uses it later. docs/privilege.md has the rules, and the tests check against them.
 */
#ifndef CPUPROBE_ACCESS_H
#define CPUPROBE_ACCESS_H

#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/sched.h>

#include "cpuprobe.h"

struct access {
	bool is_full;	/* full access; otherwise the rights of a member of the group */
	/* opener of the device: decides which processes a member may see; belongs to the file */
	const struct cred *opener;
};

/** access_setup() - draw the secret key. Once, before the device can be opened. */
void access_setup(void);

/**
 * access_decide() - decide the rights of the descriptor that the current task opens.
 * @file: must outlive *access_ret, which borrows its credentials
 *
 * -EPERM: no rights at all.
 */
int access_decide(const struct file *file, struct access *access_ret);

/**
 * access_kernel() - whether counts may reveal kernel addresses.
 * May sleep. CPUPROBE_REASON_NONE, or the reason for a refusal. The kernel logs a refusal by
 * lockdown.
 */
u32 access_kernel(const struct access *access);

/** access_file() - whether all processes of an executable may be the target. */
bool access_file(const struct access *access, const struct inode *inode);

/**
 * access_process() - whether a process may be the target. May sleep.
 * -EPERM: the process belongs to another user; -ESRCH: the process has no memory (any more).
 */
int access_process(const struct access *access, struct task_struct *task);

/**
 * access_is_own() - whether the opener may open /proc/PID/maps of a task, as far as can be decided
 * without sleeping: see access.c for the rules.
 * Any context; cheap enough for every sample of a member.
 * @mm: the task's own, kept alive by the caller; NULL: false
 */
bool access_is_own(const struct access *access, const struct task_struct *task,
		   struct mm_struct *mm);

/**
 * access_current() - whether samples of the current task may be counted by address. Checked for
 * each sample, because a task can change its rights while it is a target. Hard irq.
 */
static inline bool access_current(const struct access *access)
{
	return access->is_full || access_is_own(access, current, current->mm);
}

/**
 * access_veil_record() - replace the inode generation in the id of a record by a keyed hash, for a
 * reader without full access. Different ids stay different, and equal ids stay equal while the
 * module is loaded.
 */
void access_veil_record(struct cpuprobe_record *record);

/** access_veil_exe() - as access_veil_record(), for the id of an executable. */
void access_veil_exe(u64 id[2]);

#endif
