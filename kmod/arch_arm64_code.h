/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames, as far as arm64's instructions tell about them. Leaf functions keep no frame record; neither does any function
 * at its first and last instructions. The caller of these is in the link register, which still holds a return
 * address inside the function itself once a function with a frame has called another.
 */
#ifndef CPUPROBE_ARCH_ARM64_CODE_H
#define CPUPROBE_ARCH_ARM64_CODE_H

#include "pure.h"

#define ARM64_FP	29
#define ARM64_LR	30

/**
 * typedef arm64_code_reader - read the instruction at @addr, which may be any number. False: it cannot be read.
 */
typedef bool (*arm64_code_reader)(unsigned long addr, u32 *code_ret);

/* "stp x29, x30, [sp, #N]", and the same with "!": the function stores its frame record. */
static __always_inline bool stores_record(u32 code)
{
	return (code & 0xff407fff) == 0xa9007bfd;
}

/*
 * Whether the function has its caller's stack pointer, and the caller in the link register, before this instruction: the
 * function begins, or is about to return; or it is an entry of a linkage table.
 */
static __always_inline bool is_entry_or_end(u32 code)
{
	if ((code & 0xffc07fff) == 0xa9807bfd)	/* stp x29, x30, [sp, #N]! */
		return true;
	switch (code) {
	case 0xd65f03c0:	/* ret */
	case 0xd65f0bff:	/* retaa */
	case 0xd65f0fff:	/* retab */
	case 0xd503233f:	/* paciasp */
	case 0xd503237f:	/* pacibsp */
	case 0xd50323bf:	/* autiasp */
	case 0xd50323ff:	/* autibsp */
	case 0xd503245f:	/* bti c */
	case 0xd61f0220:	/* br x17 */
		return true;
	}
	return (code & 0x9f00001f) == 0x90000010 ||	/* adrp x16, PAGE */
		(code & 0xffc003ff) == 0xf9400211 ||	/* ldr x17, [x16, #N] */
		(code & 0xffc003ff) == 0x91000210;	/* add x16, x16, #N */
}

/*
 * Whether the link register has the caller before this instruction: it is one of those, or the function is about to
 * store its record or to lead the frame pointer to it.
 */
static __always_inline bool has_caller_in_lr(u32 code)
{
	return stores_record(code) || (code & 0xffc003ff) == 0x910003fd /* add x29, sp, #N */ || is_entry_or_end(code);
}

/* Assumed maximum length of a leaf function in bytes, and instructions that are searched for a record or the like. */
#define ARM64_LEAF_BYTES	(64UL << 10)
#define ARM64_SEARCHED		64
/* How far a direct call can be from its target. */
#define ARM64_CALL_REACH	(128UL << 20)

/* Whether the stack pointer changes: by a sum, by a mask, or by a store or load of one register or two that moves it. */
static __always_inline bool moves_sp(u32 code)
{
	return (code & 0x3f80001f) == 0x1100001f ||	/* add or sub sp, Xn, #N */
		(code & 0x3fe0001f) == 0x0b20001f ||	/* add or sub sp, Xn, Xm */
		((code & 0x1f80001f) == 0x1200001f && code >> 29 != 3 && code >> 29 != 7) ||	/* and sp, Xn, #N */
		(code & 0x3b2007e0) == 0x380007e0 ||	/* str Xt, [sp, #N]!, ldr Xt, [sp], #N */
		(code & 0x3a8003e0) == 0x288003e0;	/* stp Xt, Xu, [sp, #N]!, ldp Xt, Xu, [sp], #N */
}

/* Whether code between @begin and @pc has such an instruction, or is too long to tell. */
static __always_inline bool has_before(unsigned long begin, unsigned long pc, arm64_code_reader read,
				       bool (*is_such)(u32 code))
{
	u32 i, code;

	for (i = 0; i < ARM64_SEARCHED && pc - begin >= sizeof(u32); i++) {
		pc -= sizeof(u32);
		if (!read(pc, &code) || is_such(code))
			return true;
	}
	return pc - begin >= sizeof(u32);
}

/* Target of the direct call "bl TARGET" before a return address. False: no such call. */
static __always_inline bool called_before(unsigned long addr, arm64_code_reader read, unsigned long *target_ret)
{
	u32 code;

	if (addr & 3 || !read(addr - sizeof(u32), &code) || code >> 26 != 0x25)
		return false;
	*target_ret = addr - sizeof(u32) + ((long)(s32)(code << 6) >> 4);
	return true;
}

/*
 * Whether @lr is after a direct call of the function that runs at @pc. If that function has a frame, @lr may
 * be inside it, after a call of a function shortly before it: then @saved is after a call of this one, which
 * begins later, or there is a record before @pc.
 */
static __always_inline bool follows_call_of(unsigned long lr, unsigned long saved, unsigned long pc,
					    arm64_code_reader read)
{
	unsigned long target, begin;

	if (lr - pc + ARM64_CALL_REACH >= 2 * ARM64_CALL_REACH || !called_before(lr, read, &target) ||
	    pc - target >= ARM64_LEAF_BYTES)
		return false;
	if (lr <= target)
		return true;
	if (lr <= pc)
		return false;
	if (called_before(saved, read, &begin) && begin > target && begin < lr)
		return begin > pc;
	return !has_before(target, pc, read, stores_record);
}

/**
 * arm64_is_caller() - whether the function at @pc has no frame record, and returns to @lr.
 * @saved: the return address in the record that the frame pointer leads to; 0: it cannot be read
 */
static __always_inline bool arm64_is_caller(unsigned long lr, unsigned long saved, unsigned long pc,
					    arm64_code_reader read)
{
	u32 code;

	if (!lr || !read(pc, &code))
		return false;
	return has_caller_in_lr(code) || (lr != saved && follows_call_of(lr, saved, pc, read));
}

/**
 * arm64_has_moved_sp() - whether the function at @pc, which arm64_is_caller() says returns to @lr, may have changed the
 * stack pointer so far. Without a direct call, that is known at its first and last instructions only.
 */
static __always_inline bool arm64_has_moved_sp(unsigned long lr, unsigned long pc, arm64_code_reader read)
{
	unsigned long target;
	u32 code;

	if (!read(pc, &code))
		return true;
	return !is_entry_or_end(code) && (!called_before(lr, read, &target) || has_before(target, pc, read, moves_sp));
}

#endif
