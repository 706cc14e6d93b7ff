/* SPDX-License-Identifier: GPL-2.0-only */
/* Who took the lock: the way up the kernel's stack, as far as that is. */
#ifndef CPUPROBE_CALLER_H
#define CPUPROBE_CALLER_H

#include <linux/sched.h>
#include <linux/ptrace.h>

/**
 * caller_outside_locks() - where the interrupt stopped the kernel, or, if that is in locking
 * code, the nearest return address that is not.
 * Hard irq, on the current task with its registers. Looks at a few frames only. Where the
 * stack cannot be walked: the last address that was found.
 */
u64 caller_outside_locks(struct task_struct *task, struct pt_regs *regs);

#endif
