/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines whose code can be decoded. Code that depends on the processor is in arch_*.c. */
#ifndef CODE_ARCH_H
#define CODE_ARCH_H

#include <stdbool.h>

#include "types.h"

struct cs_insn;

/** A machine in capstone's terms, and the facts about its instructions that capstone lacks. */
struct code_arch {
	u16 machine;		/* EM_*; 0 ends a table */
	bool has_class;		/* matches only the ELF class that is_64 gives */
	bool is_64;
	int capstone_arch;	/* CS_ARCH_* */
	int capstone_mode;	/* CS_MODE_* */
	unsigned int step;	/* bytes to skip after bytes that cannot be decoded */
	bool has_little_code;	/* instructions are little-endian even when data is big-endian */
	int syntax;		/* CS_OPT_SYNTAX_* of GNU as; 0: capstone's own */
	/** flags_of() - INSN_* flags beyond those from capstone's groups. NULL: none. */
	u16 (*flags_of)(const struct cs_insn *decoded);
	/** target_of() - target of a jump or call, from its operands. NULL: parse its text. */
	bool (*target_of)(const struct cs_insn *decoded, u64 *target_ret);
};

extern const struct code_arch code_arch_x86[];
extern const struct code_arch code_arch_arm64[];

#endif
