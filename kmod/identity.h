/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who runs: the identity of the current task, by its executable's inode, so that all
 * invocations of a command share a record, or by what else is asked for; and its name for
 * people.
 * Everything here runs in hard irq on the current task: nothing blocks,
 * everything read may be changing, and the interrupt is an RCU reader.
 */
#ifndef CPUPROBE_IDENTITY_H
#define CPUPROBE_IDENTITY_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "table.h"

/** identity_flags() - PF_*. Which kind of task it is never changes, but its other flags do. */
static inline unsigned int identity_flags(const struct task_struct *task)
{
	return data_race(task->flags);
}

/**
 * identity_any_inode() - the inode of the current task's executable, or NULL for kernel
 * threads, idle, and processes past the release of their memory whose
 * executable can no longer be told.
 */
const struct inode *identity_any_inode(struct task_struct *task);

/**
 * identity_leader() - the first thread of the current task's process; the task itself once it is
 * past release_task(): from there on its leader may have been freed (see pid_alive()). Before, the
 * leader lives as long as the interrupt, which is an RCU reader.
 */
static inline const struct task_struct *identity_leader(const struct task_struct *task)
{
	return pid_alive(task) ? READ_ONCE(task->group_leader) : task;
}

/**
 * identity_inode() - the inode of the current task's executable, where it is easily told;
 * NULL: identity_any_inode() and identity_of() know more.
 */
static inline const struct inode *identity_inode(const struct task_struct *task)
{
	const struct mm_struct *mm = task->mm;
	const struct file *exe;

	if (unlikely(identity_flags(task) & (PF_IDLE | PF_KTHREAD) || !mm))
		return NULL;
	exe = rcu_dereference_raw(mm->exe_file);
	return likely(exe) ? READ_ONCE(exe->f_inode) : NULL;
}

/**
 * identity_of_inode() - who runs, by the inode of the executable.
 * The generation stands in both words, so that table_hash() does not see it; and numbers of
 * inodes that follow each other, as those of an installed package do, are spread over the
 * table evenly, 79 being 128 / golden ratio, where random ones would collide.
 */
static inline void identity_of_inode(const struct inode *inode, struct identity *who)
{
	who->id[0] = inode->i_ino * CPUPROBE_INODE_FACTOR ^ inode->i_generation;
	who->id[1] = (u64)inode->i_sb->s_dev << 32 | inode->i_generation;
	who->kind = CPUPROBE_KIND_EXE;
}

/**
 * identity_of() - whom a sample of the current task belongs to.
 * @by: enum cpuprobe_by
 * @is_softirq: the sample interrupted softirq work
 */
void identity_of(struct task_struct *task, u32 by, bool is_softirq, struct identity *who);

/** identity_name() - name of the current task's identity; always NUL-terminated. */
void identity_name(struct task_struct *task, const struct identity *who,
		   char name[CPUPROBE_NAME_LEN]);

#endif
