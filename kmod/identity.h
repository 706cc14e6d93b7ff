/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of the current task, and its name for people. The identity is by default the inode
 * of the executable, so that all processes of a command share a record; enum cpuprobe_by has the
 * others. Everything here runs in hard irq on the current task: nothing blocks, everything that is
 * read may be changing, and the interrupt is an RCU reader.
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
 * identity_any_inode() - find the inode of the current task's executable. NULL for kernel threads,
 * idle, and processes that have released their memory and whose executable is unknown.
 */
const struct inode *identity_any_inode(struct task_struct *task);

/**
 * identity_leader() - the first thread of the current task's process. After release_task() the
 * leader may have been freed (see pid_alive()), so the result is the task itself. Before, RCU keeps
 * the leader alive during the interrupt.
 */
static inline const struct task_struct *identity_leader(const struct task_struct *task)
{
	return pid_alive(task) ? READ_ONCE(task->group_leader) : task;
}

/**
 * identity_inode() - fast path of identity_any_inode(). NULL: call identity_any_inode() or
 * identity_of().
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
 * identity_of_inode() - make the identity of an executable.
 * The generation is in both words, so that it cancels out in table_hash(). The factor 79, 128 /
 * golden ratio, spreads consecutive inode numbers, as in an installed package, evenly over the
 * table, where random hashes would collide.
 */
static inline void identity_of_inode(const struct inode *inode, struct identity *who)
{
	who->id[0] = inode->i_ino * CPUPROBE_INODE_FACTOR ^ inode->i_generation;
	who->id[1] = (u64)inode->i_sb->s_dev << 32 | inode->i_generation;
	who->kind = CPUPROBE_KIND_EXE;
}

/**
 * identity_of() - make the identity that a sample of the current task belongs to.
 * @by: enum cpuprobe_by
 * @is_softirq: the sample interrupted softirq work
 */
void identity_of(struct task_struct *task, u32 by, bool is_softirq, struct identity *who);

/** identity_name() - copy the name of the current task's identity; always NUL-terminated. */
void identity_name(struct task_struct *task, const struct identity *who,
		   char name[CPUPROBE_NAME_LEN]);

#endif
