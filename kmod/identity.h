/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who runs: the identity of the current task as its executable's inode, so that
 * all invocations of a command share a record, and its name for people.
 * Everything here runs in hard irq on the current task: nothing blocks,
 * everything read may be changing, and the interrupt is an RCU reader.
 */
#ifndef CPUPROBE_IDENTITY_H
#define CPUPROBE_IDENTITY_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "table.h"

/**
 * identity_exe() - the executable of the current task, or NULL for kernel
 * threads, idle, and processes past the release of their memory whose
 * executable can no longer be told.
 */
struct file *identity_exe(struct task_struct *task);

/**
 * identity_of() - whom a sample of the current task belongs to.
 * @is_softirq: the sample interrupted softirq work
 */
void identity_of(struct task_struct *task, bool is_softirq, struct identity *who);

/** identity_name() - name of the current task's identity; always NUL-terminated. */
void identity_name(struct task_struct *task, const struct identity *who,
		   char name[CPUPROBE_NAME_LEN]);

#endif
