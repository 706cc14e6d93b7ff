// SPDX-License-Identifier: GPL-2.0-only
/* x86-64: see sym_arch.h. */
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

const struct sym_arch sym_arch_x86 = {
	.machine = EM_X86_64,
	.jump_slot = R_X86_64_JUMP_SLOT,
	.glob_dat = R_X86_64_GLOB_DAT,
	.irelative = R_X86_64_IRELATIVE,
	.plt_entry_max = 16,
	.plt_next = plt_next,
};
