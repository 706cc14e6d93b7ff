/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers, frames and unwinding on x86-64: see arch.h. */
#ifndef CPUPROBE_ARCH_X86_H
#define CPUPROBE_ARCH_X86_H

#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>
#include <asm/cpu_entry_area.h>
#include <asm/processor.h>
#include <asm/segment.h>
#include <asm/tsc.h>
#include <asm/unistd.h>
#include <asm/unwind.h>

#include "cpuprobe.h"

/** arch_pc() - address of the next instruction to run. */
static inline u64 arch_pc(const struct pt_regs *regs)
{
	return regs->ip;
}

/** arch_sp() - stack pointer. */
static inline unsigned long arch_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/** arch_called_sp() - stack pointer at the beginning of a call that has just returned to user mode. */
static inline unsigned long arch_called_sp(struct pt_regs *regs)
{
	return regs->sp - (user_64bit_mode(regs) ? sizeof(u64) : sizeof(u32));
}

/** arch_is_irqs_off() - whether interrupts were off. */
static inline bool arch_is_irqs_off(const struct pt_regs *regs)
{
	return !(regs->flags & X86_EFLAGS_IF);
}

/**
 * arch_is_memory_here() - whether user memory is @mm, that of the current task. Not for a moment of a switch from
 * one task to another, with interrupts off, which only an NMI sees.
 */
static inline bool arch_is_memory_here(const struct mm_struct *mm, struct pt_regs *regs)
{
	return __va(read_cr3_pa()) == mm->pgd;
}

/**
 * arch_are_user_regs_saved() - whether the kernel has saved the registers of user mode. An NMI may come before: while
 * the stack is still the user's, or that of entries, or while the kernel pushes the registers.
 * @regs: of kernel mode; @user: where the registers of user mode are saved
 */
static inline bool arch_are_user_regs_saved(const struct pt_regs *regs, const struct pt_regs *user)
{
	unsigned long sp = regs->sp;

	return sp >= TASK_SIZE_MAX && sp - CPU_ENTRY_AREA_BASE >= CPU_ENTRY_AREA_MAP_SIZE &&
		(sp <= (unsigned long)user || sp > (unsigned long)(user + 1));
}

/** arch_fp() - frame pointer: address of a struct arch_frame in code that keeps frames. */
static inline unsigned long arch_fp(const struct pt_regs *regs)
{
	return regs->bp;
}

/* Whether a function's other data are above its frame, so that only a lower bound of its CFA is known from there. */
#define ARCH_FRAMES_ABOVE_RECORD false

#define ARCH_RED_ZONE	128	/* bytes below the stack pointer that a function may use */

/** arch_code_address() - an address of code as it is used: return addresses are not signed here. */
static __always_inline unsigned long arch_code_address(unsigned long addr)
{
	return addr;
}

/**
 * arch_pack_code() - an address of code as one in the last 4 GiB of the address space. The kernel's text, its modules
 * and generated code are all there.
 */
static __always_inline u64 arch_pack_code(u64 addr)
{
	return addr;
}

/** arch_pack_text() - the same for an address in the kernel's text or its modules. */
static __always_inline u64 arch_pack_text(u64 addr)
{
	return addr;
}

/** arch_unpack_code() - the address that arch_pack_code() had; 0: it was too far from the kernel's text. */
static inline u64 arch_unpack_code(u64 packed)
{
	return packed;
}

/** arch_this_cpu_ptr() - this_cpu_ptr(), with preemption off. */
#define arch_this_cpu_ptr(ptr) this_cpu_ptr(ptr)

/** arch_lr() - link register; 0: this processor has none. */
static inline unsigned long arch_lr(const struct pt_regs *regs)
{
	return 0;
}

/** arch_entry_regs() - @regs: an NMI may come before the kernel's entry has saved those of user mode. */
static inline struct pt_regs *arch_entry_regs(struct pt_regs *regs)
{
	return regs;
}

/** arch_register() - a register by its number in DWARF. False: not a general register. */
static inline bool arch_register(const struct pt_regs *regs, u32 number, unsigned long *value_ret)
{
	static const u8 offsets[] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, dx), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, bx), offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
		offsetof(struct pt_regs, bp), offsetof(struct pt_regs, sp), offsetof(struct pt_regs, r8),
		offsetof(struct pt_regs, r9), offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13), offsetof(struct pt_regs, r14),
		offsetof(struct pt_regs, r15),
	};

	if (number >= ARRAY_SIZE(offsets))
		return false;
	number = array_index_nospec(number, ARRAY_SIZE(offsets));
	*value_ret = *(const unsigned long *)((const char *)regs + offsets[number]);
	return true;
}

/** arch_is_64bit() - whether the registers belong to a 64-bit program. */
static inline bool arch_is_64bit(const struct pt_regs *regs)
{
	return user_64bit_mode((struct pt_regs *)regs);
}

/** arch_is_in_syscall() - whether user mode was left by a system call, with these registers. */
static inline bool arch_is_in_syscall(const struct pt_regs *regs)
{
	return regs->orig_ax != -1UL;
}

/**
 * arch_is_uprobe_call() - whether the kernel itself makes a 64-bit program do this system call: code that it
 * puts in the way of a hooked call. Such a call returns with the number -1. "uretprobe" is at the end of
 * hooked calls since 6.11 (commit "uprobe: Add uretprobe syscall to speed up return probe"), "uprobe" at the
 * beginning since 6.18 (commit "uprobes/x86: Add uprobe syscall to speed up uprobe").
 */
static inline bool arch_is_uprobe_call(long id)
{
#ifdef __NR_uretprobe
	if (id == __NR_uretprobe)
		return true;
#endif
#ifdef __NR_uprobe
	if (id == __NR_uprobe)
		return true;
#endif
	return false;
}

/** arch_counter_khz() - ticks of arch_counter() in a millisecond; 0: CPUs may differ, or it may stop. */
static inline u32 arch_counter_khz(void)
{
	return check_tsc_unstable() ? 0 : tsc_khz;
}

/** arch_counter() - a counter of constant frequency. Any context. */
static __always_inline u64 arch_counter(void)
{
	return rdtsc_ordered();
}

/* Tracepoints of interrupts that have no number of an irq: NAME_entry and NAME_exit. */
#define ARCH_VECTORS(each) \
	each("local_timer") each("reschedule") each("call_function") each("call_function_single") \
	each("irq_work") each("x86_platform_ipi") each("thermal_apic") each("threshold_apic") \
	each("deferred_error_apic") each("error_apic") each("spurious_apic")

/** A stack frame in memory, as compilers lay it out. */
struct arch_frame {
	unsigned long next;		/* the caller's frame; 0: this is the outermost */
	unsigned long return_address;
};

/** arch_user_begin() - let the functions below read; without function calls until arch_user_end(). False: not user memory. */
static __always_inline bool arch_user_begin(unsigned long begin, unsigned long len)
{
	return user_access_begin((void __user *)begin, len);
}

/** arch_user_end() - end what arch_user_begin() began. */
static __always_inline void arch_user_end(void)
{
	user_access_end();
}

/** arch_user_offset() - @offset < @len; 0 where a processor speculates past the check of that. */
static __always_inline unsigned long arch_user_offset(unsigned long offset, unsigned long len)
{
	return array_index_nospec(offset, len);
}

/**
 * arch_read_frame() - read a frame of the user's stack.
 * @frame_ret: its return address is 0 if the frame is not in memory
 * @failed_ret: not 0 then, untouched otherwise
 */
static __always_inline void arch_read_frame(unsigned long addr, struct arch_frame *frame_ret, int *failed_ret)
{
	const struct arch_frame __user *at = (const struct arch_frame __user *)addr;

	unsafe_get_user(frame_ret->next, &at->next, missing);
	unsafe_get_user(frame_ret->return_address, &at->return_address, missing);
	return;
missing:
	frame_ret->return_address = 0;
	*failed_ret = true;
}

/** arch_read_word() - read a word of the user's stack. False: it is not in memory. */
static __always_inline bool arch_read_word(unsigned long addr, unsigned long *word_ret)
{
	unsafe_get_user(*word_ret, (const unsigned long __user *)addr, unreadable);
	return true;
unreadable:
	return false;
}

/** arch_set_frame() - set the registers of a 64-bit program whose frame is at @addr. */
static inline void arch_set_frame(struct pt_regs *regs, unsigned long addr)
{
	regs->sp = addr;
	regs->bp = addr;
	regs->cs = __USER_CS;
}

/* Initializer of registers that say "kernel mode" and nothing else. */
#define ARCH_KERNEL_REGS	{ .cs = __KERNEL_CS }

/*
 * The next step of ORC itself finds out whether an address is in code. A check of each address
 * beforehand, as in unwind_get_return_address(), costs as much as the steps, because the check
 * searches the modules.
 *
 * arch_is_code() makes this check for one address: it passes unwind_get_return_address() a copy of
 * the state with that address. This relies on three facts of arch/x86/kernel/unwind_orc.c, true
 * since 4.14. The function returns state->ip, or NULL if __kernel_text_address() does not know
 * state->ip. It reads no other field but stack_info.type. It returns NULL at once if that type is
 * STACK_TYPE_UNKNOWN, which a failed step sets. The assertions pin the fields.
 */
#ifdef CONFIG_UNWINDER_ORC
/** arch_unwound_pc() - address that the unwinder has reached without an error; 0: not in code. */
static __always_inline unsigned long arch_unwound_pc(struct unwind_state *state)
{
	return state->ip;
}

/** arch_is_code() - whether @addr is in code, after an error of the unwinder. True if unknown. */
static inline bool arch_is_code(const struct unwind_state *state, unsigned long addr)
{
	struct unwind_state at = *state;

	static_assert(__same_type(at.ip, unsigned long) &&
		      __same_type(at.stack_info.type, enum stack_type));
	static_assert(STACK_TYPE_UNKNOWN != STACK_TYPE_TASK);

	at.ip = addr;
	at.stack_info.type = STACK_TYPE_TASK;
	return unwind_get_return_address(&at);
}
#else
static __always_inline unsigned long arch_unwound_pc(struct unwind_state *state)
{
	return unwind_get_return_address(state);
}

static inline bool arch_is_code(const struct unwind_state *state, unsigned long addr)
{
	return true;
}
#endif

/*
 * Address of the return address while the function at the program counter has no frame of its own.
 * At the beginning of a function the next instruction is "push %rbp" (perhaps after "endbr64") or
 * "mov %rsp,%rbp"; at its end the next instruction is "ret", or a jump as in procedure linkage
 * tables. 0: the function seems to have a frame.
 */
static __always_inline unsigned long frameless_return(const struct pt_regs *regs)
{
	u32 code;

	unsafe_get_user(code, (u32 __user *)regs->ip, unknown);
	if ((code & 0xff) == 0x55 || code == 0xfa1e0ff3 || (code & 0xff) == 0xc3 ||
	    (code & 0xffff) == 0x25ff || (code & 0xffffff) == 0x25fff2)
		return regs->sp;
	if ((code & 0xffffff) == 0xe58948 || (code & 0xffffff) == 0xec8b48)
		return regs->sp + sizeof(long);
unknown:
	return 0;
}

/* Assumed maximum length of a leaf function. */
#define LEAF_BYTES_MAX (64UL << 10)

/*
 * Whether @addr follows a direct call of the function that runs at @pc. Compilers omit the frame of
 * leaf functions even if all others have frames.
 */
static __always_inline bool follows_call_of(unsigned long addr, unsigned long pc)
{
	s32 distance;
	u8 code;

	/* A direct call reaches 2 GiB. Words that are not code addresses are rarely that close. */
	if (addr - pc + SZ_2G >= 2UL * SZ_2G || addr < sizeof(long) || addr >= TASK_SIZE_MAX)
		return false;
	/* Speculation must not read kernel memory here either: see checked_frame() in unwind.c. */
	addr = array_index_nospec(addr, TASK_SIZE_MAX);
	unsafe_get_user(code, (u8 __user *)addr - 5, unreadable);
	if (code != 0xe8)
		return false;
	unsafe_get_user(distance, (s32 __user *)(addr - 4), unreadable);
	return pc - (addr + distance) < LEAF_BYTES_MAX;
unreadable:
	return false;
}

/**
 * arch_frameless_caller() - read the return address of the function at the program counter while
 * the function has no frame. Inside arch_user_begin().
 * @high: end of the stack (exclusive)
 * @addr_ret: set only with CPUPROBE_STACK_GUESSED
 * @sp_ret: the caller's stack pointer after the return; set with @addr_ret
 * CPUPROBE_STACK_GUESSED: found; _UNREADABLE: the stack is not in memory; 0: the function seems to
 * have a frame.
 */
static __always_inline u32 arch_frameless_caller(const struct pt_regs *regs, unsigned long high,
						 unsigned long *addr_ret, unsigned long *sp_ret)
{
	unsigned long known = frameless_return(regs), at = known ?: regs->sp, addr;

	if (at & (sizeof(long) - 1) || at >= high)
		return 0;
	/* An unreadable word that was only a guess says nothing about the frames. */
	if (!arch_read_word(at, &addr))
		return known ? CPUPROBE_STACK_UNREADABLE : 0;
	if (!known && !follows_call_of(addr, regs->ip))
		return 0;
	*addr_ret = addr;
	*sp_ret = at + sizeof(long);
	return CPUPROBE_STACK_GUESSED;
}

/** arch_has_moved_sp() - whether *@sp_ret is not exact: it is, since the return address was found there. */
static __always_inline bool arch_has_moved_sp(const struct pt_regs *regs, unsigned long addr)
{
	return false;
}

#endif
