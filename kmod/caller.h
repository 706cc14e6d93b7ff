/* SPDX-License-Identifier: GPL-2.0-only */
/* The caller of locking code: a short walk up the kernel's stack. */
#ifndef CPUPROBE_CALLER_H
#define CPUPROBE_CALLER_H

#include <linux/sched.h>
#include <linux/ptrace.h>

/**
 * caller_outside_locks() - find the address that the interrupt stopped at or, if that is in locking
 * code, the nearest return address outside locking code.
 * Hard irq, on the current task with its registers. Walks a few frames only. If the stack cannot be
 * walked to the end: the last address found.
 */
u64 caller_outside_locks(struct task_struct *task, struct pt_regs *regs);

#endif
