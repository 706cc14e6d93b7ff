/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walking stacks from the timer's interrupt: kernel stacks with the kernel's own unwinder (ORC on
 * stock kernels), user stacks by frame pointers. The walk reads only resident memory and takes no
 * page fault.
 */
#ifndef CPUPROBE_UNWIND_H
#define CPUPROBE_UNWIND_H

#include <linux/ptrace.h>
#include <linux/sched.h>

/**
 * unwind_kernel() - read the current task's frames in the kernel, innermost first. Hard irq.
 * @regs: registers that the interrupt saved, in the kernel
 * @frames: room for CPUPROBE_FRAMES_MAX
 * @flags_ret: CPUPROBE_STACK_* flags are added to it
 * Returns the number of frames.
 */
u32 unwind_kernel(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret);

/**
 * unwind_user() - read the current task's frames in user memory; otherwise as unwind_kernel().
 * @regs: registers that the interrupt saved, in user mode or in the kernel
 * 0: the task has no user stack.
 *
 * The first frame is where the task runs, or where it entered the kernel. Two cases need the return
 * address from the top of the stack: the next instruction shows that the function has not set up
 * its frame yet or has released it already; or the word at the top follows a call of the function,
 * which then has no frame. Each further frame must be aligned, above the previous one and inside
 * the stack. The stack ends 64 MiB above the stack pointer, or earlier where the main stack begins.
 */
u32 unwind_user(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret);

#endif
