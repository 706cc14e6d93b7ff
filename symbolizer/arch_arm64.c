// SPDX-License-Identifier: GPL-2.0-only
/* arm64: see sym_arch.h. */
#include <elf.h>
#include <string.h>

#include "sym_arch.h"

#define INSN_BYTES	4

/* "adrp x16, PAGE" and "ldr x17, [x16, #OFFSET]" */
static bool loads_slot(const u32 *code)
{
	return (code[0] & 0x9f00001f) == 0x90000010 && (code[1] & 0xffc003ff) == 0xf9400211;
}

/* The page is 21 bits of PAGE - (the instruction's page), the low two of which are apart from the others. */
static u64 slot_of(const u32 *code, u64 addr)
{
	s32 high = (s32)((code[0] >> 5 & 0x7ffff) << 13) >> 11, low = code[0] >> 29 & 3;

	return (addr & ~0xfffULL) + (s64)(high | low) * 4096 + (code[1] >> 10 & 0xfff) * 8;
}

/*
 * Finds every pair of instructions that loads the address of a slot, with or without "bti c" before it. The
 * entry that calls the dynamic linker has such a pair too; its slot has no relocation.
 */
static bool plt_next(const u8 *code, size_t len, u64 addr, size_t *at,
		     struct sym_plt_entry *entry_ret)
{
	static const u32 bti_c = 0xd503245f;
	u32 pair[2], before = 0;
	size_t i;

	for (i = *at; i + sizeof(pair) <= len; i += INSN_BYTES) {
		memcpy(pair, code + i, sizeof(pair));
		if (!loads_slot(pair))
			continue;
		if (i >= INSN_BYTES)
			memcpy(&before, code + i - INSN_BYTES, sizeof(before));
		entry_ret->start = addr + i - (before == bti_c ? INSN_BYTES : 0);
		entry_ret->slot = slot_of(pair, addr + i);
		*at = i + sizeof(pair);
		return true;
	}
	return false;
}

/* Linkage tables have no call frame information here: linkage_rows() knows their instructions. */
static bool linkage_rule(const u8 *expression, size_t len, struct cpuprobe_rule *rule)
{
	return false;
}

/*
 * The entries leave the stack and the link register as they are. Only the first entry saves x16 and x30, with or
 * without "bti c" before that: it has 32 bytes and jumps to the dynamic linker. A static executable has no such entry.
 */
static u32 linkage_rows(const u8 *code, size_t len, struct sym_linkage_row rows_ret[SYM_LINKAGE_ROWS])
{
	static const struct cpuprobe_rule leaf = { .kind = CPUPROBE_RULE_CFA };
	static const struct cpuprobe_rule saved = {
		.kind = CPUPROBE_RULE_CFA, .offset = 16, .ra = CPUPROBE_SAVED_STACK, .ra_words = -1,
	};
	static const u32 save = 0xa9bf7bf0;	/* stp x16, x30, [sp, #-16]! */
	u32 i;

	rows_ret[0] = (struct sym_linkage_row){ 0, leaf };
	for (i = 0; i < 2 && len >= 32; i++) {
		if (memcmp(code + i * INSN_BYTES, &save, sizeof(save)))
			continue;
		rows_ret[1] = (struct sym_linkage_row){ (i + 1) * INSN_BYTES, saved };
		rows_ret[2] = (struct sym_linkage_row){ 32, leaf };
		return 3;
	}
	return 1;
}

/*
 * The kernel's vdso says where a record with the interrupted frame pointer and link register is, but not where
 * the program counter is. That is in the signal's frame, at the stack pointer: struct rt_sigframe of
 * arch/arm64/kernel/signal.c has a siginfo of 128 bytes, and in its ucontext 176 bytes before the sigcontext,
 * which begins with the fault's address. Then come x0 to x30, sp and pc.
 */
#define SIGNAL_REGISTER(number)	(128 + 176 + 8 + 8 * (number))

static const struct cpuprobe_rule signal_rule = {
	.kind = CPUPROBE_RULE_SIGNAL,
	.fp = CPUPROBE_SAVED_STACK,
	.ra = CPUPROBE_SAVED_STACK,
	.offset = SIGNAL_REGISTER(31),
	.add = SIGNAL_REGISTER(30),
	.fp_words = SIGNAL_REGISTER(29) / 8,
	.ra_words = SIGNAL_REGISTER(32) / 8,
};

/* mov x8, #139 (rt_sigreturn); svc #0 */
static const u8 signal_code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };

const struct sym_arch sym_arch_arm64 = {
	.machine = EM_AARCH64,
	.jump_slot = R_AARCH64_JUMP_SLOT,
	.glob_dat = R_AARCH64_GLOB_DAT,
	.irelative = R_AARCH64_IRELATIVE,
	.plt_entry_max = 24,
	.plt_next = plt_next,
	.dwarf_sp = 31,
	.dwarf_fp = 29,
	.dwarf_ra = 30,
	.nr_dwarf = 31,
	.has_link_register = true,
	.linkage_rule = linkage_rule,
	.linkage_rows = linkage_rows,
	.signal_rule = &signal_rule,
	.signal_code = signal_code,
	.signal_code_len = sizeof(signal_code),
	.signal_nop_len = 4,
};
