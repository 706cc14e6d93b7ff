/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by both ways to walk a user stack: see unwind.h. Hard irq on the current task. */
#ifndef CPUPROBE_USER_STACK_H
#define CPUPROBE_USER_STACK_H

#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "identity.h"

#define STACK_BYTES_MAX (64UL << 20)

/**
 * user_stack_has_begun() - whether the program of this memory has begun. During an exec the memory is the
 * new program's, but the registers are the old one's, and the bottom of the stack still moves. The end of
 * the code is set afterwards.
 */
static __always_inline bool user_stack_has_begun(const struct mm_struct *mm)
{
	return READ_ONCE(mm->end_code);
}

/**
 * user_stack_regs() - the registers with which the current task runs its own code, or entered the
 * kernel. NULL: it has no user stack.
 *
 * A kernel thread that borrows user memory has none. Nor have the threads that the kernel creates for
 * a process, such as io_uring's: their user registers hold neither a program counter nor a stack
 * pointer. (PF_IO_WORKER would not do: 6.1 clears it at exit.) Nor has a process during an exec.
 */
static __always_inline const struct pt_regs *user_stack_regs(struct task_struct *task,
							     struct pt_regs *regs)
{
	struct pt_regs *user = user_mode(regs) ? regs : task_pt_regs(task);

	if (!task->mm || identity_flags(task) & PF_KTHREAD || !user_mode(user) ||
	    !(arch_pc(user) | arch_sp(user)) || !user_stack_has_begun(task->mm))
		return NULL;
	return user;
}

/**
 * user_stack_entry() - CPUPROBE_STACK_SYSCALL, or 0. @regs: those that were sampled; @user: those of user mode,
 * by user_stack_regs()
 */
static __always_inline u32 user_stack_entry(const struct pt_regs *regs, const struct pt_regs *user)
{
	return user != regs && arch_is_in_syscall(user) ? CPUPROBE_STACK_SYSCALL : 0;
}

/**
 * user_stack_end() - upper bound of a user stack. Thread stacks usually lie below the main stack, and so
 * do most others; a stack above it, which a program may map, is bounded by the end of user memory.
 */
static inline unsigned long user_stack_end(const struct mm_struct *mm, unsigned long sp)
{
	unsigned long bottom = READ_ONCE(mm->start_stack);
	unsigned long end = sp <= bottom ? bottom : TASK_SIZE_MAX;

	return sp >= end ? sp : sp + min(end - sp, STACK_BYTES_MAX);
}

/** is_user_code() - whether an instruction of a program may be at @pc. No address of code has a tag. */
static __always_inline bool is_user_code(unsigned long pc)
{
	return pc <= TASK_SIZE_MAX - sizeof(u32);
}

/**
 * user_stack_forbid_faults() - from here a page that is absent ends the walk. The interrupt restores the
 * task's counter, so the task never sees another value. KCSAN would report a race all the same, hence
 * no instrumentation.
 */
static __no_sanitize_or_inline void user_stack_forbid_faults(void)
{
	pagefault_disabled_inc();
	barrier();
}

static __no_sanitize_or_inline void user_stack_allow_faults(void)
{
	barrier();
	pagefault_disabled_dec();
}

#endif
