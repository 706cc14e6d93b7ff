/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading user memory on arm64. Until 6.10 the kernel's unsafe_get_user() was a whole get_user(), with checks and
 * access of its own for each word; since 6.11 ("arm64: start using 'asm goto' for put_user()") it is a masked load.
 * Here all kernels have masked loads, and a frame is read by two of them with one check.
 *
 * LDTR reads with the rights of user mode. The mask leads every address into user memory, even where a processor
 * speculates past a failed check. Hard irq, page faults disabled: what is not in memory cannot be read.
 */
#ifndef CPUPROBE_ARCH_ARM64_USER_H
#define CPUPROBE_ARCH_ARM64_USER_H

#include <linux/uaccess.h>
#include <asm/asm-extable.h>

/** A stack frame in memory, as the procedure call standard has it: a frame record. */
struct arch_frame {
	unsigned long next;		/* the caller's frame; 0: this is the outermost */
	unsigned long return_address;
};

/** arch_user_begin() - let the functions below read; without function calls until arch_user_end(). False: not user memory. */
static __always_inline bool arch_user_begin(unsigned long begin, unsigned long len)
{
	/* As access_ok(), but a tag in the address fails. */
	if (!__access_ok((void __user *)begin, len))
		return false;
	uaccess_ttbr0_enable();
	return true;
}

/** arch_user_end() - end what arch_user_begin() began. */
static __always_inline void arch_user_end(void)
{
	uaccess_ttbr0_disable();
}

/** arch_user_offset() - @offset < @len. As it is: the mask of each read bounds speculation. */
static __always_inline unsigned long arch_user_offset(unsigned long offset, unsigned long len)
{
	return offset;
}

/**
 * arch_read_frame() - read a frame of the user's stack.
 * @frame_ret: its return address is 0 if the frame is not in memory
 * @failed_ret: not 0 then, untouched otherwise
 */
static __always_inline void arch_read_frame(unsigned long addr, struct arch_frame *frame_ret, int *failed_ret)
{
	const void __user *at = uaccess_mask_ptr((void __user *)addr);

	/* A load that fails sets the first register to an error and the third one to 0. */
	asm volatile("1:	ldtr	%1, [%3]\n"
		     "2:	ldtr	%2, [%3, #8]\n"
		     "3:\n"
		     _ASM_EXTABLE_UACCESS_ERR_ZERO(1b, 3b, %w0, %w2)
		     _ASM_EXTABLE_UACCESS_ERR_ZERO(2b, 3b, %w0, %w2)
		     : "+r" (*failed_ret), "=&r" (frame_ret->next), "=&r" (frame_ret->return_address)
		     : "r" (at));
}

/* Load @width ("" or "w": 8 or 4 bytes) from user memory at @from. 0, or an error: it is not in memory. */
#define ARM64_USER_LOAD(width, value, from) ({						\
	const void __user *at_ = uaccess_mask_ptr((void __user *)(from));		\
	int error_ = 0;									\
											\
	asm volatile("1:	ldtr	%" width "1, [%2]\n"				\
		     "2:\n"								\
		     _ASM_EXTABLE_UACCESS_ERR_ZERO(1b, 2b, %w0, %w1)			\
		     : "+r" (error_), "=&r" (value)					\
		     : "r" (at_));							\
	error_;										\
})

/** arch_read_word() - read a word of the user's stack. False: it is not in memory. */
static __always_inline bool arch_read_word(unsigned long addr, unsigned long *word_ret)
{
	return likely(!ARM64_USER_LOAD("", *word_ret, addr));
}

/* A reader of instructions: see arm64_code_reader. */
static __always_inline bool read_user_code(unsigned long addr, u32 *code_ret)
{
	return addr < TASK_SIZE_MAX && likely(!ARM64_USER_LOAD("w", *code_ret, addr));
}

#endif
