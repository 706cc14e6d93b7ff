/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk of the kernel's stacks by frame records, with the names and rules of x86's asm/unwind.h: arm64's own
 * unwinder is not exported. The records lead from the interrupt's stack to the task's, and end at a record of
 * zeros where the kernel was entered from user mode or the thread began. Hard irq on the task's CPU.
 */
#ifndef CPUPROBE_ARCH_ARM64_UNWIND_H
#define CPUPROBE_ARCH_ARM64_UNWIND_H

#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "arch_arm64_code.h"

/** arch_code_address() - an address of code without the signature of pointer authentication. */
static __always_inline unsigned long arch_code_address(unsigned long addr)
{
	register unsigned long lr asm("x30") = addr;

	/* XPACLRI, which does nothing on processors without pointer authentication. */
	asm("hint #7" : "+r" (lr));
	return lr;
}

/** A walk. */
struct unwind_state {
	const struct task_struct *task;
	unsigned long fp;	/* address of the next record */
	unsigned long low;	/* lowest valid address of a record */
	unsigned long high;	/* end of the stack (exclusive) */
	unsigned long pc;	/* the frame that was reached */
	unsigned long caller;	/* a frame without a record, before that of the next record; 0: none */
	const struct llist_node *hooked;	/* calls with hooked returns that the walk has not passed, innermost first */
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

#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK)
/* Calls that are searched for the one with a frame pointer. Not all of the task's may be in the walk. */
#define ARM64_HOOKED_SEARCHED	16

static __always_inline const struct llist_node *hooked_calls(const struct task_struct *task)
{
	return task->kretprobe_instances.first;
}

/*
 * The return address of a call that began with @fp as the caller's frame pointer, if its return is hooked: @addr is
 * the hook's then. If a hooked function ends with a jump to another one, the last of their calls has the address.
 */
static __always_inline bool find_hooked(struct unwind_state *state, unsigned long fp, unsigned long *addr_ret)
{
	const struct llist_node *node = state->hooked;
	bool is_found = false;
	u32 i;

	for (i = 0; node && i < ARM64_HOOKED_SEARCHED; i++) {
		const struct kretprobe_instance *call = llist_entry(node, struct kretprobe_instance, llist);

		node = READ_ONCE_NOCHECK(node->next);
		if ((unsigned long)READ_ONCE_NOCHECK(call->fp) == fp) {
			*addr_ret = (unsigned long)READ_ONCE_NOCHECK(call->ret_addr);
			state->hooked = node;
			is_found = true;
		} else if (is_found) {
			break;
		}
	}
	return is_found;
}
#else
static __always_inline const struct llist_node *hooked_calls(const struct task_struct *task)
{
	return NULL;
}

static __always_inline bool find_hooked(struct unwind_state *state, unsigned long fp, unsigned long *addr_ret)
{
	return false;
}
#endif

static inline bool read_kernel_code(unsigned long addr, u32 *code_ret)
{
	return !copy_from_kernel_nofault(code_ret, (void *)addr, sizeof(*code_ret));
}

/* Find the caller of the function in the registers if it has no record: a leaf, or one at its beginning or end. */
static __always_inline void find_frameless(struct unwind_state *state, const struct pt_regs *regs)
{
	unsigned long lr = READ_ONCE_NOCHECK(regs->regs[ARM64_LR]), saved = 0;
	bool is_hooked = state->hooked && find_hooked(state, state->fp, &lr);

	lr = arch_code_address(lr);
	if (!is_hooked && is_record(state, state->fp))
		saved = arch_code_address(READ_ONCE_NOCHECK(*(unsigned long *)(state->fp + sizeof(long))));
	if (is_hooked || arm64_is_caller(lr, saved, READ_ONCE_NOCHECK(regs->pc), read_kernel_code))
		state->caller = lr;
}

/*
 * Whether the record of @next and @addr at the end of @regs says that an interrupt or an exception came into the kernel
 * there. Since 6.13 (commit "arm64: stacktrace: unwind exception boundaries") such a record has zeros and a type, as
 * the last record has. Before, it has the frame pointer and the program counter of the registers.
 */
static __always_inline bool is_of_regs(const struct pt_regs *regs, unsigned long high, unsigned long next,
				       unsigned long addr)
{
#ifdef FRAME_META_TYPE_PT_REGS
	return !next && !addr && high - (unsigned long)&regs->stackframe >= sizeof(regs->stackframe) &&
		READ_ONCE_NOCHECK(regs->stackframe.type) == FRAME_META_TYPE_PT_REGS;
#else
	return (next || addr) && READ_ONCE_NOCHECK(regs->pc) == addr &&
		READ_ONCE_NOCHECK(regs->regs[ARM64_FP]) == next;
#endif
}

/*
 * The registers beside the record of @next and @addr at @fp, which the kernel makes where an interrupt or an exception
 * comes into it. NULL: the record is a function's, or the last one.
 */
static __always_inline const struct pt_regs *interrupted_regs(const struct unwind_state *state, unsigned long fp,
							      unsigned long next, unsigned long addr)
{
	const struct pt_regs *regs = (const struct pt_regs *)(fp - offsetof(struct pt_regs, stackframe));

	if (fp - state->low < offsetof(struct pt_regs, stackframe) || !is_of_regs(regs, state->high, next, addr))
		return NULL;
	return regs;
}

static __always_inline void unwind_next_frame(struct unwind_state *state)
{
	unsigned long fp = state->fp, addr;
	const struct pt_regs *regs;

	if (state->caller) {
		state->pc = state->caller;
		state->caller = 0;
		return;
	}
	if (!is_record(state, fp)) {
		state->is_done = state->has_failed = true;
		return;
	}
	state->fp = READ_ONCE_NOCHECK(*(unsigned long *)fp);
	addr = READ_ONCE_NOCHECK(*(unsigned long *)(fp + sizeof(long)));
	regs = interrupted_regs(state, fp, state->fp, addr);
	state->low = fp + 2 * sizeof(long);
	if (regs) {
		state->fp = READ_ONCE_NOCHECK(regs->regs[ARM64_FP]);
		addr = READ_ONCE_NOCHECK(regs->pc);
		find_frameless(state, regs);
	} else if (!addr && !state->fp) {
		state->is_done = true;
	} else if (unlikely(state->hooked)) {
		find_hooked(state, state->fp, &addr);
	}
	state->pc = arch_code_address(addr);
}

/* @first_frame: not used here. The walk begins with the caller of the function in the registers. */
static __always_inline void unwind_start(struct unwind_state *state, struct task_struct *task,
					 struct pt_regs *regs, unsigned long *first_frame)
{
	*state = (struct unwind_state){
		.task = task, .fp = regs->regs[ARM64_FP], .hooked = hooked_calls(task),
	};
	enter_stack_at(state, (unsigned long)__builtin_frame_address(0) & ~(THREAD_SIZE - 1));
	find_frameless(state, regs);
	unwind_next_frame(state);
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
