/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes to instructions, through capstone. Every byte belongs to one instruction: what cannot
 * be decoded is one of its own, shown as ".byte". Pure.
 */
#ifndef INSN_H
#define INSN_H

#include "code/code.h"

#define INSN_TEXT_LEN	224

/* What an instruction does, as far as a listing must know. */
#define INSN_JUMP	0x01	/* conditional or not */
#define INSN_CALL	0x02
#define INSN_ENDS	0x04	/* the next one is not what runs next: jmp, ret */
#define INSN_HAS_TARGET	0x08	/* of a jump or call: known from the instruction alone */
#define INSN_BAD	0x10	/* no instruction */
#define INSN_LONG	0x20	/* takes long in itself: a division, a locked operation, cpuid */
#define INSN_LOADS	0x40	/* reads memory, which may take long */
#define INSN_SHADOWS	0x80	/* no interrupt is taken right behind it, but one further on: sti */
#define INSN_ADMITS	0x100	/* may let interrupts in again: sti, popf */
#define INSN_ENTERS	0x200	/* enters the kernel, and comes back behind itself */

struct insn {
	uint64_t addr;
	uint64_t target;	/* INSN_HAS_TARGET */
	uint16_t flags;
	uint8_t len;		/* bytes */
};

struct disassembler;

/** disassembler_create() - for a machine. -ENOTSUP: one that capstone does not know. */
int disassembler_create(const struct code_machine *machine, struct disassembler **disassembler_ret,
			struct text_error *error_ret);

/** disassembler_destroy() - NULL is allowed. */
void disassembler_destroy(struct disassembler *disassembler);

/**
 * disassembler_decode() - the instructions of @bytes, which lie at @addr, one behind the other.
 * @insns_ret: to be freed; NULL for @len 0
 * -ENOMEM.
 */
int disassembler_decode(struct disassembler *disassembler, const uint8_t *bytes, size_t len,
			uint64_t addr, struct insn **insns_ret, size_t *nr_ret);

/**
 * insn_name - the name of a place that a jump or call goes to, into @name; false: it has none.
 */
typedef bool (*insn_name)(void *context, uint64_t addr, char *name, size_t len);

/**
 * disassembler_text() - an instruction in the syntax of GNU as, its target by name.
 * @bytes: its own
 * @text_ret: INSN_TEXT_LEN bytes; clean
 */
void disassembler_text(struct disassembler *disassembler, const struct insn *insn,
		       const uint8_t *bytes, insn_name name, void *context, char *text_ret);

/**
 * Why the hits of an instruction may be those of another. A timer's interrupt is taken between
 * two instructions and tells the one that would have run next: docs/instructions.md.
 */
enum insn_slip {
	SLIP_NONE,
	SLIP_LOAD,	/* the one before reads memory: if it had to wait, that is seen here */
	SLIP_LONG,	/* the one before takes long */
	SLIP_KERNEL,	/* the one before was in the kernel */
	SLIP_ADMIT,	/* interrupts were let in here: what they waited for lies before */
};

/** insn_slip() - of @insns[i], by those in front of it. */
enum insn_slip insn_slip(const struct insn *insns, size_t i);

#endif
