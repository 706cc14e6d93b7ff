/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One step of a walk by call frame information, from a function's registers to its caller's. Inline,
 * so that the reader of the stack is inlined too: in the module it reads user memory without faults,
 * in tests the memory of a stopped process.
 */
#ifndef CPUPROBE_CFI_STEP_H
#define CPUPROBE_CFI_STEP_H

#include "cfi.h"
#ifdef __KERNEL__
#include "arch.h"
#endif

/* Results of a step besides CPUPROBE_STACK_*, which say why the walk ended. */
#define CFI_STEPPED	0u
#define CFI_OUTERMOST	(1u << 31)	/* nobody called the function */

/**
 * typedef cfi_reader - read the word at @addr, which may be any number.
 * @context: the caller's
 * Returns 0 or why it cannot: CPUPROBE_STACK_OUTSIDE, CPUPROBE_STACK_UNREADABLE.
 */
typedef u32 (*cfi_reader)(void *context, unsigned long addr, unsigned long *word_ret);

/**
 * typedef cfi_register - get a register of the function that was interrupted, by its number in DWARF.
 * False: it is not known, because the walk has left that function or the processor has no such register.
 */
typedef bool (*cfi_register)(void *context, u32 number, unsigned long *value_ret);

static __always_inline unsigned long cfi_base(const struct cpuprobe_rule *rule,
					      const struct cfi_regs *at)
{
	return (rule->base ? at->fp : at->sp) + (long)rule->offset;
}

static __always_inline unsigned long cfi_word_at(unsigned long from, s16 words)
{
	return from + (long)words * (long)sizeof(long);
}

/* A signal interrupted a function: all its registers are in the frame of the handler. */
static __always_inline u32 cfi_leave_signal(const struct cpuprobe_rule *rule, struct cfi_regs *at,
					    cfi_reader read, void *context)
{
	unsigned long base = rule->base ? at->fp : at->sp, sp, pc, fp, lr = 0;
	u32 failed = read(context, base + (long)rule->offset, &sp);

	if (!failed)
		failed = read(context, cfi_word_at(base, rule->ra_words), &pc);
	if (!failed)
		failed = read(context, cfi_word_at(base, rule->fp_words), &fp);
	if (!failed && rule->add)
		failed = read(context, base + (long)rule->add, &lr);
	if (failed)
		return failed;
	*at = (struct cfi_regs){ .pc = pc, .sp = sp, .fp = fp, .lr = lr, .is_exact = true };
	return CFI_STEPPED;
}

/* Get the caller's program counter and frame pointer. @fp_from: where words to the frame pointer count from */
static __always_inline u32 cfi_restore(const struct cpuprobe_rule *rule, struct cfi_regs *at,
				       unsigned long cfa, unsigned long fp_from, cfi_reader read,
				       void *context)
{
	unsigned long pc = at->lr, fp = at->fp;
	u32 failed = 0;

	if (likely(rule->ra == CPUPROBE_SAVED_STACK))
		failed = read(context, cfi_word_at(cfa, rule->ra_words), &pc);
	if (!failed && rule->fp == CPUPROBE_SAVED_STACK)
		failed = read(context, cfi_word_at(fp_from, rule->fp_words), &fp);
	if (failed)
		return failed;
	if (!pc)
		return CFI_OUTERMOST;
	at->pc = arch_code_address(pc);
	at->sp = cfa;
	at->fp = fp;
	at->lr = 0;
	at->is_fp_lost = rule->fp == CPUPROBE_SAVED_LOST ||
		(at->is_fp_lost && rule->fp == CPUPROBE_SAVED_SAME);
	at->is_exact = false;
	at->is_sp_low = false;
	return CFI_STEPPED;
}

/** cfi_is_plain() - whether a rule says only that the caller is on the stack, and perhaps the frame pointer. */
static __always_inline bool cfi_is_plain(const struct cpuprobe_rule *rule)
{
	return rule->kind == CPUPROBE_RULE_CFA && rule->ra == CPUPROBE_SAVED_STACK &&
		rule->fp <= CPUPROBE_SAVED_STACK;
}

/**
 * cfi_step() - get the registers of the caller.
 * @rule: of a checked table, not of CPUPROBE_RULE_NONE
 * @at: changed if the step succeeds
 * @get: with the same @context as @read
 * Returns CFI_STEPPED, CFI_OUTERMOST, or CPUPROBE_STACK_* flags: the walk ends at this function.
 *
 * The stack pointer rises with every step except the one out of a signal handler, which may run on a
 * stack of its own, so a walk of bounded length is up to the caller. The reader limits what is read.
 */
static __always_inline u32 cfi_step(const struct cpuprobe_rule *rule, struct cfi_regs *at,
				    cfi_reader read, cfi_register get, void *context)
{
	unsigned long base = cfi_base(rule, at), cfa = base, fp_from = 0;
	u32 failed;

	if (unlikely(rule->base && at->is_fp_lost && rule->kind != CPUPROBE_RULE_REGISTER))
		return CPUPROBE_STACK_UNSUPPORTED;
	if (ARCH_FRAMES_ABOVE_RECORD && unlikely(at->is_sp_low && !rule->base)) {
		if (rule->kind == CPUPROBE_RULE_OUTERMOST)
			return CFI_OUTERMOST;
		if (rule->kind != CPUPROBE_RULE_CFA || rule->fp != CPUPROBE_SAVED_STACK)
			return CPUPROBE_STACK_UNSUPPORTED;
		cfa = cfi_word_at(at->fp, -rule->fp_words);
	}
	if (unlikely(rule->kind != CPUPROBE_RULE_CFA)) {
		switch (rule->kind) {
		case CPUPROBE_RULE_REALIGNED:
			fp_from = base;
			fallthrough;
		case CPUPROBE_RULE_DEREF:
			failed = read(context, base, &cfa);
			if (failed)
				return failed;
			cfa += (long)rule->add;
			break;
		case CPUPROBE_RULE_REGISTER:
			if (!get(context, rule->base, &cfa))
				return CPUPROBE_STACK_UNSUPPORTED;
			cfa += (long)rule->offset;
			break;
		case CPUPROBE_RULE_PLT:
			cfa += (at->pc & 15) >= (unsigned long)rule->add ? sizeof(long) : 0;
			break;
		case CPUPROBE_RULE_SIGNAL:
			return cfi_leave_signal(rule, at, read, context);
		case CPUPROBE_RULE_OUTERMOST:
			return CFI_OUTERMOST;
		default:
			return CPUPROBE_STACK_UNSUPPORTED;
		}
	}
	/* A function that has saved nothing has its caller in the link register, once. */
	if (unlikely(rule->ra != CPUPROBE_SAVED_STACK && !at->lr))
		return CPUPROBE_STACK_UNSUPPORTED;
	if (unlikely(cfa < at->sp || (cfa == at->sp && !at->lr) || cfa & (sizeof(long) - 1)))
		return CPUPROBE_STACK_OUTSIDE;
	return cfi_restore(rule, at, cfa, fp_from ?: cfa, read, context);
}

/**
 * cfi_step_by_pointer() - get the registers of the caller where no rule says how, from a frame that the
 * frame pointer leads to: the caller's frame pointer and, above it, the return address.
 * @is_by_pointer: whether an earlier step was made so; set to true
 * @end: the result if the frame pointer leads nowhere
 * Otherwise as cfi_step().
 */
static __always_inline u32 cfi_step_by_pointer(struct cfi_regs *at, bool *is_by_pointer, u32 end,
					       cfi_reader read, void *context)
{
	unsigned long next, addr;

	/* The outermost frame has no next one. Only a chain of frames can tell that it ends there. */
	if (!at->fp && *is_by_pointer)
		return CFI_OUTERMOST;
	if (at->is_fp_lost || at->fp < at->sp || read(context, at->fp, &next) ||
	    read(context, at->fp + sizeof(long), &addr))
		return end;
	*is_by_pointer = true;
	if (!addr)
		return CFI_OUTERMOST;
	*at = (struct cfi_regs){ .pc = arch_code_address(addr), .sp = at->fp + 2 * sizeof(long), .fp = next,
				  .is_sp_low = ARCH_FRAMES_ABOVE_RECORD };
	return CFI_STEPPED;
}

#endif
