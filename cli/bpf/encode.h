/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An assembler for BPF programs: each function appends one instruction (two words for a wide
 * constant). Pure: no system call. Encodings as in the kernel's
 * Documentation/bpf/standardization/instruction-set.rst.
 */
#ifndef ENCODE_H
#define ENCODE_H

#include <linux/bpf.h>
#include <stdbool.h>

#include "types.h"

#define ENCODE_MAX	512	/* words of a program */

/** A program being written. All zero: empty. */
struct encode {
	struct bpf_insn insn[ENCODE_MAX];
	u32 nr;
	bool is_wrong;		/* too long, or a jump that does not fit */
};

/** encode_set() - @reg = @value, sign-extended. */
void encode_set(struct encode *code, u8 reg, s32 value);

/** encode_copy() - @to = @from. */
void encode_copy(struct encode *code, u8 to, u8 from);

/** encode_alu() - @reg = @reg @op @value, 64 bits. @op: BPF_ADD, BPF_AND, BPF_RSH, ... */
void encode_alu(struct encode *code, u8 op, u8 reg, s32 value);

/** encode_alu_reg() - @to = @to @op @from, 64 bits. */
void encode_alu_reg(struct encode *code, u8 op, u8 to, u8 from);

/** encode_load() - @to = memory at @base + @offset. @size: BPF_W, BPF_DW, ... */
void encode_load(struct encode *code, u8 size, u8 to, u8 base, s16 offset);

/** encode_store() - memory at @base + @offset = @from. */
void encode_store(struct encode *code, u8 size, u8 base, s16 offset, u8 from);

/** encode_map() - @reg = the map of the descriptor @fd. */
void encode_map(struct encode *code, u8 reg, int fd);

/** encode_set_wide() - @reg = @value, all 64 bits. */
void encode_set_wide(struct encode *code, u8 reg, u64 value);

/** encode_map_value() - @reg = address of the value of the array with one element whose descriptor is @fd. */
void encode_map_value(struct encode *code, u8 reg, int fd);

/** encode_variable() - @reg = the kernel's variable with this number in its type information. */
void encode_variable(struct encode *code, u8 reg, u32 variable);

/** encode_call() - call a helper: r1 to r5 are its arguments and are lost, r0 is its result. */
void encode_call(struct encode *code, enum bpf_func_id helper);

/** encode_exit() - end the program; r0 is its result. */
void encode_exit(struct encode *code);

/**
 * encode_jump() - jump if @reg @condition @value; returns the jump, for encode_land().
 * @condition: BPF_JEQ, BPF_JNE, BPF_JSLT, ...; BPF_JA: always, @reg and @value are 0
 */
u32 encode_jump(struct encode *code, u8 condition, u8 reg, s32 value);

/** encode_jump_reg() - jump if @reg @condition @other; returns the jump, for encode_land(). */
u32 encode_jump_reg(struct encode *code, u8 condition, u8 reg, u8 other);

/**
 * encode_back() - jump back to @target, an earlier value of nr, if @reg @condition @value. The verifier
 * must see that the loop ends.
 */
void encode_back(struct encode *code, u8 condition, u8 reg, s32 value, u32 target);

/** encode_land() - the target of a jump is the next instruction. */
void encode_land(struct encode *code, u32 jump);

#endif
