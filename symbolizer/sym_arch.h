/* SPDX-License-Identifier: GPL-2.0-only */
/* What depends on the processor: arch_*.c has one processor each. */
#ifndef SYM_ARCH_H
#define SYM_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An entry of a procedure linkage table. */
struct sym_plt_entry {
	uint64_t start;
	uint64_t slot;		/* address in the global offset table that the entry jumps through */
};

struct sym_arch {
	uint16_t machine;	/* EM_* */
	/* types of relocations of slots, R_* */
	uint32_t jump_slot;
	uint32_t glob_dat;
	uint32_t irelative;
	size_t plt_entry_max;	/* bytes */
	/**
	 * plt_next() - the next entry of a table.
	 * @code: the table, @len bytes, which lies at @addr
	 * @at: where to search, 0 at first; on return the place to go on from
	 * false: there are no more entries.
	 */
	bool (*plt_next)(const uint8_t *code, size_t len, uint64_t addr, size_t *at,
			 struct sym_plt_entry *entry_ret);
};

extern const struct sym_arch sym_arch_x86;

/** sym_arch_of() - by a file's machine. NULL: a processor that the library does not know. */
static inline const struct sym_arch *sym_arch_of(uint16_t machine)
{
	return machine == sym_arch_x86.machine ? &sym_arch_x86 : NULL;
}

#endif
