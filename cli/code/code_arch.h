/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines whose code can be decoded. What depends on the processor is in its arch_*.c. */
#ifndef CODE_ARCH_H
#define CODE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

struct cs_insn;

/** A machine in capstone's terms, and what capstone does not say about its instructions. */
struct code_arch {
	uint16_t machine;	/* EM_*; 0 ends a table */
	bool has_class;		/* only with files of 64 bits, or only of 32: is_64 */
	bool is_64;
	int capstone_arch;	/* CS_ARCH_* */
	int capstone_mode;	/* CS_MODE_* */
	unsigned int step;	/* bytes of what cannot be decoded */
	bool has_little_code;	/* instructions are little-endian even if data are not */
	int syntax;		/* CS_OPT_SYNTAX_* of GNU as; 0: capstone's own */
	/** flags_of() - INSN_*, in addition to those from capstone's groups. NULL: no others. */
	uint16_t (*flags_of)(const struct cs_insn *decoded);
	/** target_of() - where a jump or call leads, if its operands say so. NULL: its text does. */
	bool (*target_of)(const struct cs_insn *decoded, uint64_t *target_ret);
};

extern const struct code_arch code_arch_x86[];

#endif
