/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor-dependent part: each arch_*.c is for one processor. */
#ifndef SYM_ARCH_H
#define SYM_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cpuprobe.h"
#include "types.h"

/** An entry of a procedure linkage table. */
struct sym_plt_entry {
	u64 start;
	u64 slot;		/* address of the slot in the global offset table */
};

#define SYM_LINKAGE_ROWS	3

/** A row of a linkage table: @rule holds from the byte at @offset on. */
struct sym_linkage_row {
	u32 offset;
	struct cpuprobe_rule rule;
};

struct sym_arch {
	u16 machine;		/* EM_* */
	/* relocation types of slots, R_* */
	u32 jump_slot;
	u32 glob_dat;
	u32 irelative;
	size_t plt_entry_max;	/* bytes */
	/**
	 * plt_next() - find the next entry of a table.
	 * @code: the table, @len bytes at address @addr
	 * @at: offset to search from, 0 at first; on return the offset to continue from
	 * False: no more entries.
	 */
	bool (*plt_next)(const u8 *code, size_t len, u64 addr, size_t *at,
			 struct sym_plt_entry *entry_ret);
	/* numbers of registers in DWARF: stack pointer, frame pointer, return address */
	u8 dwarf_sp;
	u8 dwarf_fp;
	u8 dwarf_ra;
	u8 nr_dwarf;		/* general registers have the numbers below this one */
	bool has_link_register;	/* a call leaves the return address in a register */
	/**
	 * linkage_rule() - recognize the expression that linkers write for the CFA in linkage tables.
	 * True: @rule has kind, base, offset and addend of it. Else @rule is unchanged.
	 */
	bool (*linkage_rule)(const u8 *expression, size_t len, struct cpuprobe_rule *rule);
	/**
	 * linkage_rows() - the rows of a linkage table (.plt) that files have no call frame information about;
	 * NULL: files have it. Returns their number, the first one at 0.
	 * @code: the table, @len bytes
	 */
	u32 (*linkage_rows)(const u8 *code, size_t len, struct sym_linkage_row rows_ret[SYM_LINKAGE_ROWS]);
	const struct cpuprobe_rule *signal_rule;	/* the return from signal handlers; NULL: files tell it */
	const u8 *signal_code;	/* the vdso's code to which they return, with that rule; NULL: files tell it */
	u8 signal_code_len;
	u8 signal_nop_len;	/* bytes before it that are part of it: unwinders look before a return address */
};

extern const struct sym_arch sym_arch_x86;
extern const struct sym_arch sym_arch_arm64;

/** sym_arch_of() - the processor of a file's machine (EM_*). NULL: unknown to the library. */
static inline const struct sym_arch *sym_arch_of(u16 machine)
{
	return machine == sym_arch_x86.machine ? &sym_arch_x86 :
		machine == sym_arch_arm64.machine ? &sym_arch_arm64 : NULL;
}

#endif
