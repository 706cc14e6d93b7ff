/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers, frames and unwinding on arm64: see arch.h. */
#ifndef CPUPROBE_ARCH_ARM64_H
#define CPUPROBE_ARCH_ARM64_H

#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <asm/alternative.h>
#include <asm/arch_timer.h>

#include "arch_arm64_code.h"
#include "arch_arm64_unwind.h"
#include "arch_arm64_user.h"
#include "cpuprobe.h"

/** arch_pc() - address of the next instruction to run. */
static inline u64 arch_pc(const struct pt_regs *regs)
{
	return regs->pc;
}

/** arch_sp() - stack pointer. */
static inline unsigned long arch_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/** arch_called_sp() - stack pointer at the beginning of a call that has just returned to user mode. */
static inline unsigned long arch_called_sp(struct pt_regs *regs)
{
	return regs->sp;
}

/** arch_is_irqs_off() - whether interrupts were off. */
static inline bool arch_is_irqs_off(const struct pt_regs *regs)
{
	return !interrupts_enabled(regs);
}

/**
 * arch_is_memory_here() - whether user memory is surely @mm, that of the current task. Not for a moment of a switch
 * from one task to another, with interrupts off, which only an NMI sees.
 */
static inline bool arch_is_memory_here(const struct mm_struct *mm, struct pt_regs *regs)
{
	return !in_nmi() || interrupts_enabled(regs);
}

/**
 * arch_are_user_regs_saved() - whether the kernel has saved the registers of user mode: yes, an NMI too waits for that.
 * @user: where they are saved
 */
static inline bool arch_are_user_regs_saved(const struct pt_regs *regs, const struct pt_regs *user)
{
	return true;
}

/** arch_fp() - frame pointer: address of a struct arch_frame in code that keeps frames. */
static inline unsigned long arch_fp(const struct pt_regs *regs)
{
	return regs->regs[ARM64_FP];
}

/* Whether a function's other data are above its frame, so that only a lower bound of its CFA is known from there. */
#define ARCH_FRAMES_ABOVE_RECORD true

#define ARCH_RED_ZONE	0	/* bytes below the stack pointer that a function may use */

/*
 * The kernel's text and its modules are at most 2 GiB apart, at any place: an address is packed as its distance from
 * _printk(). Generated code may be far from both: it is packed as a distance that is not one of an instruction, and that
 * takes no instruction to load.
 */
#define ARM64_FAR_DISTANCE	1u
#define ARM64_FAR_CODE		(~0ULL << 32 | ARM64_FAR_DISTANCE)

/** arch_pack_text() - an address in the kernel's text or its modules as one in the last 4 GiB of the address space. */
static __always_inline u64 arch_pack_text(u64 addr)
{
	return ~0ULL << 32 | (u32)(addr - (u64)_printk);
}

/** arch_pack_code() - the same for an address of any code. */
static __always_inline u64 arch_pack_code(u64 addr)
{
	s64 distance = addr - (u64)_printk;
	u32 low = likely(distance == (s32)distance) ? distance : ARM64_FAR_DISTANCE;

	/* Without this, the compiler chooses between numbers of 64 bits, which takes more instructions. */
	OPTIMIZER_HIDE_VAR(low);
	return ~0ULL << 32 | low;
}

/** arch_unpack_code() - the address that arch_pack_code() had; 0: it was too far from the kernel's text. */
static inline u64 arch_unpack_code(u64 packed)
{
	return packed == ARM64_FAR_CODE ? 0 : (u64)_printk + (s32)packed;
}

/**
 * arch_this_cpu_ptr() - as this_cpu_ptr(), with preemption off. this_cpu_ptr() is written as if it read the stack, and
 * a function that reads its stack gets a frame: five instructions.
 */
#define arch_this_cpu_ptr(ptr) SHIFT_PERCPU_PTR(ptr, arm64_cpu_offset())

static __always_inline unsigned long arm64_cpu_offset(void)
{
	unsigned long offset;

	asm volatile(ALTERNATIVE("mrs %0, tpidr_el1", "mrs %0, tpidr_el2", ARM64_HAS_VIRT_HOST_EXTN) : "=r" (offset));
	return offset;
}

/** arch_lr() - link register; 0: this processor has none. */
static inline unsigned long arch_lr(const struct pt_regs *regs)
{
	return regs->regs[ARM64_LR];
}

/**
 * arch_entry_regs() - registers of the user mode that the current task has left for the kernel, or @regs, the
 * present ones, where it is not certain that they have been saved. A task that exits has them still, but no memory that
 * they could point to.
 */
static inline struct pt_regs *arch_entry_regs(struct pt_regs *regs)
{
	return current->mm ? task_pt_regs(current) : regs;
}

/** arch_register() - a register by its number in DWARF. False: not a general register. */
static inline bool arch_register(const struct pt_regs *regs, u32 number, unsigned long *value_ret)
{
	static_assert(offsetof(struct pt_regs, sp) == 31 * sizeof(u64), "x0 to x30, sp");

	if (number >= 32)
		return false;
	*value_ret = ((const u64 *)regs)[array_index_nospec(number, 32)];
	return true;
}

/** arch_is_64bit() - whether the registers belong to a 64-bit program. */
static inline bool arch_is_64bit(const struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

/** arch_is_in_syscall() - whether user mode was left by a system call, with these registers. */
static inline bool arch_is_in_syscall(const struct pt_regs *regs)
{
	return in_syscall(regs);
}

/** arch_is_uprobe_call() - no: hooks of calls stop a program by breakpoints here. */
static inline bool arch_is_uprobe_call(long id)
{
	return false;
}

/** arch_counter_khz() - ticks of arch_counter() in a millisecond. */
static inline u32 arch_counter_khz(void)
{
	return arch_timer_get_cntfrq() / 1000;
}

/**
 * arch_counter() - a counter of constant frequency, the same on all CPUs. The kernel chooses the function, since
 * some processors need a workaround. Any context.
 */
static __always_inline u64 arch_counter(void)
{
	return arch_timer_read_counter();
}

/* All interrupts have a number of an irq, those between CPUs too. */
#define ARCH_VECTORS(each)

/** arch_set_frame() - set the registers of a 64-bit program whose frame is at @addr. */
static inline void arch_set_frame(struct pt_regs *regs, unsigned long addr)
{
	regs->sp = addr;
	regs->regs[ARM64_FP] = addr;
	regs->pstate = PSR_MODE_EL0t;
}

/* Initializer of registers that say "kernel mode" and nothing else. */
#define ARCH_KERNEL_REGS	{ .pstate = PSR_MODE_EL1h }

/**
 * arch_frameless_caller() - read the return address of the function at the program counter while
 * the function has no frame. Inside arch_user_begin().
 * @high: end of the stack (exclusive)
 * @addr_ret: set only with CPUPROBE_STACK_GUESSED
 * @sp_ret: the caller's stack pointer after the return, or less; set with @addr_ret
 * CPUPROBE_STACK_GUESSED: found; 0: the function seems to have a frame.
 */
static __always_inline u32 arch_frameless_caller(const struct pt_regs *regs, unsigned long high,
						 unsigned long *addr_ret, unsigned long *sp_ret)
{
	unsigned long lr = arch_code_address(arch_lr(regs)), fp = arch_fp(regs), saved = 0;

	if (!(fp & (sizeof(long) - 1)) && fp >= regs->sp && fp < high)
		arch_read_word(fp + sizeof(long), &saved);
	if (!arm64_is_caller(lr, arch_code_address(saved), regs->pc, read_user_code))
		return 0;
	*addr_ret = lr;
	*sp_ret = regs->sp;
	return CPUPROBE_STACK_GUESSED;
}

/**
 * arch_has_moved_sp() - whether *@sp_ret of arch_frameless_caller() may be less than the caller's stack pointer. Inside
 * arch_user_begin(). @addr: *@addr_ret of that
 */
static __always_inline bool arch_has_moved_sp(const struct pt_regs *regs, unsigned long addr)
{
	return arm64_has_moved_sp(addr, regs->pc, read_user_code);
}

#endif
