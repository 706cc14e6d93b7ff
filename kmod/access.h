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
#include <linux/sched/coredump.h>
#include <linux/uidgid.h>

struct access {
	bool is_full;		/* everything; otherwise what a member of the group may */
	kuid_t owner;		/* who opened the device: whose processes a member may look into */
};

/** access_decide() - what the current task may on a descriptor it opens. -EPERM: nothing. */
int access_decide(struct access *access_ret);

/**
 * access_kernel() - whether counts may tell where the kernel's code lies.
 * May sleep. CPUPROBE_REASON_NONE, or why not; a refusal by lockdown is logged by the kernel.
 */
u32 access_kernel(const struct access *access);

/** access_file() - whether the executable may be named as a target for all its processes. */
bool access_file(const struct access *access, const struct inode *inode);

/** access_process() - whether the process may be named as a target. May sleep. */
bool access_process(const struct access *access, struct task_struct *task);

/*
 * A member's own process: as that user all through, not by a program that is setuid, nor one that
 * has been somebody else, or may not be read, which the kernel then does not let be dumped.
 */
static inline bool access_is_own(const struct access *access, const struct cred *cred,
				 struct mm_struct *mm)
{
	return uid_eq(cred->uid, access->owner) && uid_eq(cred->euid, access->owner) &&
	       uid_eq(cred->suid, access->owner) && (!mm || get_dumpable(mm) == SUID_DUMP_USER);
}

/**
 * access_current() - whether samples of the current task may be told by address, whatever it
 * has become since it was named. Hard irq.
 */
static inline bool access_current(const struct access *access)
{
	return access->is_full || access_is_own(access, current_real_cred(), current->mm);
}

#endif
