/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk of the kernel's stacks by frame records, with the names and rules of x86's asm/unwind.h: arm64's own
 * unwinder is not exported. The records lead from the interrupt's stack to the task's, and end at a record of
 * zeros where the kernel was entered or the thread began. Hard irq on the task's CPU.
 */
#ifndef CPUPROBE_ARCH_ARM64_UNWIND_H
#define CPUPROBE_ARCH_ARM64_UNWIND_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "arch_arm64_code.h"

/** A walk. */
struct unwind_state {
	const struct task_struct *task;
	unsigned long fp;	/* address of the next record */
	unsigned long low;	/* lowest valid address of a record */
	unsigned long high;	/* end of the stack (exclusive) */
	unsigned long pc;	/* the frame that was reached */
	bool is_on_task_stack;
	bool is_done;
	bool has_failed;
};

/* A stack begins at a multiple of its size: so the kernel checks for overflows. */
static __always_inline void enter_stack_at(struct unwind_state *state, unsigned long begin)
{
	state->low = begin;
	state->high = begin + THREAD_SIZE;
}

/*
 * Whether a record is at the address. No word outside these stacks is read, so no read can fault: the stack that
 * the interrupt runs on, and after it the task's.
 */
static __always_inline bool is_record(struct unwind_state *state, unsigned long fp)
{
	if (fp & (sizeof(long) - 1))
		return false;
	if (!state->is_on_task_stack && (fp < state->low || fp >= state->high)) {
		state->is_on_task_stack = true;
		enter_stack_at(state, (unsigned long)task_stack_page(state->task));
	}
	return fp >= state->low && fp < state->high && state->high - fp >= 2 * sizeof(long);
}

static __always_inline void unwind_next_frame(struct unwind_state *state)
{
	unsigned long fp = state->fp, addr;

	if (!is_record(state, fp)) {
		state->is_done = state->has_failed = true;
		return;
	}
	state->fp = READ_ONCE_NOCHECK(*(unsigned long *)fp);
	addr = READ_ONCE_NOCHECK(*(unsigned long *)(fp + sizeof(long)));
	state->low = fp + 2 * sizeof(long);
	state->is_done = !addr && !state->fp;
	state->pc = arch_code_address(addr);
}

static inline bool read_kernel_code(unsigned long addr, u32 *code_ret)
{
	return !copy_from_kernel_nofault(code_ret, (void *)addr, sizeof(*code_ret));
}

/* @first_frame: not used here. The walk begins with the caller of the function in the registers. */
static __always_inline void unwind_start(struct unwind_state *state, struct task_struct *task,
					 struct pt_regs *regs, unsigned long *first_frame)
{
	unsigned long lr = arch_code_address(regs->regs[ARM64_LR]);

	*state = (struct unwind_state){ .task = task, .fp = regs->regs[ARM64_FP] };
	enter_stack_at(state, (unsigned long)__builtin_frame_address(0) & ~(THREAD_SIZE - 1));
	unwind_next_frame(state);
	if (!arm64_is_caller(lr, state->pc, regs->pc, read_kernel_code))
		return;
	/* The function has no record: the caller's is the next. */
	*state = (struct unwind_state){ .task = task, .fp = regs->regs[ARM64_FP], .pc = lr };
	enter_stack_at(state, (unsigned long)__builtin_frame_address(0) & ~(THREAD_SIZE - 1));
}

static __always_inline bool unwind_done(const struct unwind_state *state)
{
	return state->is_done;
}

static __always_inline bool unwind_error(const struct unwind_state *state)
{
	return state->has_failed;
}

static __always_inline unsigned long unwind_get_return_address(const struct unwind_state *state)
{
	return state->pc;
}

/* The walk ends before it shows user code. */
static __always_inline struct pt_regs *unwind_get_entry_regs(const struct unwind_state *state, bool *partial)
{
	return NULL;
}

/** arch_unwound_pc() - address that the unwinder has reached without an error; 0: not in code. */
static __always_inline unsigned long arch_unwound_pc(const struct unwind_state *state)
{
	return state->pc;
}

/** arch_is_code() - true: this unwinder does not guess. */
static inline bool arch_is_code(const struct unwind_state *state, unsigned long addr)
{
	return true;
}

#endif
