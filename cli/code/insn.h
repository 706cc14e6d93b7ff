/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes bytes to instructions with capstone. Every byte belongs to exactly one instruction:
 * bytes that cannot be decoded become an instruction of their own, shown as ".byte". No side
 * effects.
 */
#ifndef INSN_H
#define INSN_H

#include "code/code.h"

#define INSN_TEXT_LEN	224

/* Properties of an instruction that a listing needs. */
#define INSN_JUMP	0x01	/* conditional or not */
#define INSN_CALL	0x02
#define INSN_ENDS	0x04	/* never falls through to the next instruction: jmp, ret */
#define INSN_HAS_TARGET	0x08	/* jump or call to a fixed target */
#define INSN_BAD	0x10	/* bytes that cannot be decoded */
#define INSN_LONG	0x20	/* slow by nature: a division, a locked operation, cpuid */
#define INSN_LOADS	0x40	/* reads memory, and may wait for the data */
#define INSN_SHADOWS	0x80	/* inhibits interrupts for one more instruction: sti */
#define INSN_ADMITS	0x100	/* may re-enable interrupts: sti, popf */
#define INSN_ENTERS	0x200	/* enters the kernel, which returns to the next instruction */

struct insn {
	u64 addr;
	u64 target;		/* INSN_HAS_TARGET */
	u16 flags;
	u8 len;			/* bytes */
};

struct disassembler;

/** disassembler_create() - for a machine. -ENOTSUP: capstone does not know it. -ENOMEM. */
int disassembler_create(const struct code_machine *machine, struct disassembler **disassembler_ret,
			struct text_error *error_ret);

/** disassembler_destroy() - NULL is allowed. */
void disassembler_destroy(struct disassembler *disassembler);

/**
 * disassembler_decode() - decode @bytes into consecutive instructions.
 * @addr: address of the first byte
 * @insns_ret: array of *@nr_ret, freed by the caller; NULL for @len 0
 * -ENOMEM.
 */
int disassembler_decode(struct disassembler *disassembler, const u8 *bytes, size_t len, u64 addr,
			struct insn **insns_ret, size_t *nr_ret);

/**
 * insn_name - copy the name of the target of a jump or call to @name. False: the target has none.
 */
typedef bool (*insn_name)(void *context, u64 addr, char *name, size_t len);

/**
 * disassembler_text() - print an instruction in the syntax of GNU as, with its target's name.
 * @bytes: the instruction's bytes
 * @name: names the target; NULL: print the target as an address
 * @text_ret: INSN_TEXT_LEN bytes; clean
 */
void disassembler_text(struct disassembler *disassembler, const struct insn *insn, const u8 *bytes,
		       insn_name name, void *context, char *text_ret);

/**
 * Why the hits of an instruction may be due to another. A timer interrupt is taken between two
 * instructions and reports the one that would have run next: docs/instructions.md.
 */
enum insn_slip {
	SLIP_NONE,
	SLIP_LOAD,	/* the previous one reads memory: its wait is counted here */
	SLIP_LONG,	/* the previous one is slow */
	SLIP_KERNEL,	/* the previous one entered the kernel */
	SLIP_ADMIT,	/* interrupts are re-enabled here: the time was spent before */
};

/** insn_slip() - slip of @insns[i], derived from the instructions before it. */
enum insn_slip insn_slip(const struct insn *insns, size_t i);

#endif
