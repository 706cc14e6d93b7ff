/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walking stacks from the timer's interrupt: the kernel's by the kernel's own unwinder (ORC
 * on stock kernels), the user's by frame pointers, reading memory that is there and taking no
 * fault.
 */
#ifndef CPUPROBE_UNWIND_H
#define CPUPROBE_UNWIND_H

#include <linux/ptrace.h>
#include <linux/sched.h>

/**
 * unwind_kernel() - frames of the current task in the kernel, the innermost first. Hard irq.
 * @regs: what the interrupt stopped, in the kernel
 * @frames: room for CPUPROBE_FRAMES_MAX
 * @flags_ret: CPUPROBE_STACK_* are set in it
 * Returns their number.
 */
u32 unwind_kernel(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret);

/**
 * unwind_user() - frames of the current task in user memory, as unwind_kernel().
 * @regs: what the interrupt stopped, there or in the kernel
 * 0: it has none.
 *
 * The first is where it runs, or entered the kernel. Where the interrupt came before a function has
 * set up its frame or after it has given it up, as its next instruction tells, or where it has none
 * and what lies at the top of the stack follows a call of it, the return address is taken from
 * there. Each frame must be aligned, above the one before and
 * inside the stack, which is at most 64 MiB above the stack pointer, or ends where that of the
 * process begins.
 */
u32 unwind_user(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret);

#endif
