/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor-dependent part: each arch_*.c is for one processor. */
#ifndef SYM_ARCH_H
#define SYM_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An entry of a procedure linkage table. */
struct sym_plt_entry {
	uint64_t start;
	uint64_t slot;		/* address of the slot in the global offset table */
};

struct sym_arch {
	uint16_t machine;	/* EM_* */
	/* relocation types of slots, R_* */
	uint32_t jump_slot;
	uint32_t glob_dat;
	uint32_t irelative;
	size_t plt_entry_max;	/* bytes */
	/**
	 * plt_next() - find the next entry of a table.
	 * @code: the table, @len bytes at address @addr
	 * @at: offset to search from, 0 at first; on return the offset to continue from
	 * False: no more entries.
	 */
	bool (*plt_next)(const uint8_t *code, size_t len, uint64_t addr, size_t *at,
			 struct sym_plt_entry *entry_ret);
};

extern const struct sym_arch sym_arch_x86;

/** sym_arch_of() - the processor of a file's machine (EM_*). NULL: unknown to the library. */
static inline const struct sym_arch *sym_arch_of(uint16_t machine)
{
	return machine == sym_arch_x86.machine ? &sym_arch_x86 : NULL;
}

#endif
