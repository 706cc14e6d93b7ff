// SPDX-License-Identifier: GPL-2.0-only
/* x86-64: see sym_arch.h. */
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "sym_arch.h"

#define JUMP_BYTES	6

/*
 * Finds every "jmp *DISP(%rip)", with or without endbr64 or a bnd prefix before it. Entries have 8
 * or 16 bytes, begin at a multiple of 8, and the jump begins in their first 8 bytes. sh_entsize
 * does not give their length: in a static program it is 0, and entries have 8 bytes.
 */
static bool plt_next(const u8 *code, size_t len, u64 addr, size_t *at,
		     struct sym_plt_entry *entry_ret)
{
	s32 disp;
	size_t i;

	for (i = *at; i + JUMP_BYTES <= len; i++) {
		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		memcpy(&disp, code + i + 2, sizeof(disp));
		entry_ret->start = addr + (i & ~7UL);
		entry_ret->slot = addr + i + JUMP_BYTES + disp;
		*at = (i | 7) + 1;	/* one in 8 bytes */
		return true;
	}
	return false;
}

/*
 * CFA = rsp + 8 + 8 * ((rip & 15) >= N): an entry of the table pushes a word before its last
 * instruction, which begins at byte N of 16.
 */
static bool linkage_rule(const u8 *expression, size_t len, struct cpuprobe_rule *rule)
{
	static const u8 known[] = {
		DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit0, DW_OP_ge,
		DW_OP_lit3, DW_OP_shl, DW_OP_plus,
	};
	const size_t at = 6;
	u8 least;

	if (len != sizeof(known) || memcmp(expression, known, at) ||
	    memcmp(expression + at + 1, known + at + 1, sizeof(known) - at - 1))
		return false;
	least = expression[at] - DW_OP_lit0;
	if (least > 15)
		return false;
	rule->kind = CPUPROBE_RULE_PLT;
	rule->base = 0;
	rule->offset = 8;
	rule->add = least;
	return true;
}

const struct sym_arch sym_arch_x86 = {
	.machine = EM_X86_64,
	.jump_slot = R_X86_64_JUMP_SLOT,
	.glob_dat = R_X86_64_GLOB_DAT,
	.irelative = R_X86_64_IRELATIVE,
	.plt_entry_max = 16,
	.plt_next = plt_next,
	.dwarf_sp = 7,
	.dwarf_fp = 6,
	.dwarf_ra = 16,
	.nr_dwarf = 16,
	.linkage_rule = linkage_rule,
};
