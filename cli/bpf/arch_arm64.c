// SPDX-License-Identifier: GPL-2.0-only
/* The interrupted registers of arm64: user mode is exception level 0. See interrupted.h. */
#ifdef __aarch64__
#include <asm/ptrace.h>
#include <stddef.h>

#include "bpf/interrupted.h"
#include "bpf/program_parts.h"

#define REGISTER(number) (offsetof(struct user_pt_regs, regs) + (number) * sizeof(__u64))

const struct interrupted interrupted = {
	.pc = offsetof(struct user_pt_regs, pc),
	.mode = offsetof(struct user_pt_regs, pstate),
	.wide_mask = PSR_MODE_MASK | PSR_MODE32_BIT,
	.wide_mode = PSR_MODE_EL0t,
	.fp = REGISTER(29),
	.sp = offsetof(struct user_pt_regs, sp),
	/* "syscallno" is after "orig_x0", which is after the registers of the interface. */
	.syscall = sizeof(struct user_pt_regs) + sizeof(__u64),
};

/* The count is the lower half of eight bytes in an unnamed union. */
const struct btf_name interrupted_counts[] = {
	{ .name = "thread_info", .member = "preempt_count", .is_type = true },
};
const size_t interrupted_nr_counts = sizeof(interrupted_counts) / sizeof(interrupted_counts[0]);

/* Each task begins with its thread_info. Softirqs and interrupts count in that of the task below them. */
void interrupted_find_counts(struct encode *code, const struct btf_place *place)
{
	(void)place;
	encode_call(code, BPF_FUNC_get_current_task_btf);
}

/* r6 = (mode - 1) >> 63: only mode 0 borrows. */
void interrupted_find_user(struct encode *code)
{
	encode_load(code, BPF_DW, BPF_REG_6, BPF_REG_1, interrupted.mode);
	encode_alu(code, BPF_AND, BPF_REG_6, PSR_MODE_MASK);
	encode_alu(code, BPF_SUB, BPF_REG_6, 1);
	encode_alu(code, BPF_RSH, BPF_REG_6, 63);
}

#define LEAF_BYTES_MAX	(64 << 10)	/* assumed maximum length of a leaf function */

/* Instructions at which the caller is in the link register: see kmod/arch_arm64_code.h. */
static const struct {
	u32 mask, bits;
} frameless[] = {
	{ 0xff407fff, 0xa9007bfd },	/* stp x29, x30, [sp, #N] */
	{ 0xffc003ff, 0x910003fd },	/* add x29, sp, #N */
	{ 0xffffffff, 0xd65f03c0 },	/* ret */
	{ 0xfffffbff, 0xd65f0bff },	/* retaa, retab */
	{ 0xffffffbf, 0xd503233f },	/* paciasp, pacibsp */
	{ 0xffffffbf, 0xd50323bf },	/* autiasp, autibsp */
	{ 0xffffffff, 0xd503245f },	/* bti c */
	{ 0xffffffff, 0xd61f0220 },	/* br x17 */
	{ 0x9f00001f, 0x90000010 },	/* adrp x16, PAGE */
	{ 0xffc003ff, 0xf9400211 },	/* ldr x17, [x16, #N] */
	{ 0xffc003ff, 0x91000210 },	/* add x16, x16, #N */
};

#define NR_FRAMELESS	(sizeof(frameless) / sizeof(frameless[0]))

/** Jumps to the end of the program's part that guesses, where nothing is found. */
struct exits {
	u32 at[16];
	u32 nr;
};

static void leave(struct exits *exits, u32 jump)
{
	exits->at[exits->nr++] = jump;
}

/* Reads @len bytes at the address in r3 to the word. */
static void read_word(struct encode *code, int at_word, u32 len, struct exits *exits)
{
	program_point_at(code, BPF_REG_1, at_word);
	encode_set(code, BPF_REG_2, len);
	encode_call(code, BPF_FUNC_probe_read_user);
	leave(exits, encode_jump(code, BPF_JNE, BPF_REG_0, 0));
}

/* Removes the signature of pointer authentication, and tags. */
static void strip(struct encode *code, int reg)
{
	encode_alu(code, BPF_LSH, reg, 16);
	encode_alu(code, BPF_RSH, reg, 16);
}

static void load_lr(struct encode *code, int reg)
{
	encode_load(code, BPF_DW, reg, BPF_REG_9, REGISTER(30));
	strip(code, reg);
}

/* r4 = target of the "bl" before the return address in the guess. */
static void find_target(struct encode *code, int at_guess, int at_word, struct exits *exits)
{
	encode_load(code, BPF_DW, BPF_REG_3, BPF_REG_10, at_guess);
	encode_alu(code, BPF_SUB, BPF_REG_3, sizeof(u32));
	read_word(code, at_word, sizeof(u32), exits);
	encode_load(code, BPF_W, BPF_REG_4, BPF_REG_10, at_word);
	encode_copy(code, BPF_REG_2, BPF_REG_4);
	encode_alu(code, BPF_RSH, BPF_REG_2, 26);
	leave(exits, encode_jump(code, BPF_JNE, BPF_REG_2, 0x25));
	/* A distance of 26 bits, in instructions. */
	encode_alu(code, BPF_LSH, BPF_REG_4, 38);
	encode_alu(code, BPF_ARSH, BPF_REG_4, 36);
	encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_10, at_guess);
	encode_alu_reg(code, BPF_ADD, BPF_REG_4, BPF_REG_2);
	encode_alu(code, BPF_SUB, BPF_REG_4, sizeof(u32));
}

/* The return address in the record: equal to the link register if the function has made it. */
static void read_record(struct encode *code, int at_guess, int at_word, struct exits *exits)
{
	encode_load(code, BPF_DW, BPF_REG_3, BPF_REG_9, interrupted.fp);
	encode_alu(code, BPF_ADD, BPF_REG_3, sizeof(u64));
	read_word(code, at_word, sizeof(u64), exits);
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, at_word);
	strip(code, BPF_REG_1);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	load_lr(code, BPF_REG_2);
	encode_alu_reg(code, BPF_SUB, BPF_REG_1, BPF_REG_2);
	leave(exits, encode_jump(code, BPF_JEQ, BPF_REG_1, 0));
}

/*
 * r6 is the program counter. Goes on if the link register is after a call of the function there, and not inside
 * that function: before it, or after it if the record's return address is after a call of a later one.
 */
static void check_call(struct encode *code, int at_guess, int at_word, struct exits *exits)
{
	u32 is_before;

	load_lr(code, BPF_REG_1);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	find_target(code, at_guess, at_word, exits);
	encode_copy(code, BPF_REG_1, BPF_REG_6);
	encode_alu_reg(code, BPF_SUB, BPF_REG_1, BPF_REG_4);
	leave(exits, encode_jump(code, BPF_JGE, BPF_REG_1, LEAF_BYTES_MAX));
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, at_guess);
	encode_alu_reg(code, BPF_SUB, BPF_REG_4, BPF_REG_1);
	is_before = encode_jump(code, BPF_JSGE, BPF_REG_4, 0);
	encode_alu_reg(code, BPF_SUB, BPF_REG_1, BPF_REG_6);
	leave(exits, encode_jump(code, BPF_JSLE, BPF_REG_1, 0));
	read_record(code, at_guess, at_word, exits);
	find_target(code, at_guess, at_word, exits);
	encode_alu_reg(code, BPF_SUB, BPF_REG_4, BPF_REG_6);
	leave(exits, encode_jump(code, BPF_JSLE, BPF_REG_4, 0));
	encode_land(code, is_before);
}

void interrupted_guess_caller(struct encode *code, int at_guess, int at_word)
{
	u32 is_known[NR_FRAMELESS], is_right, i;
	struct exits exits = { .nr = 0 };

	encode_set(code, BPF_REG_1, 0);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	encode_store(code, BPF_DW, BPF_REG_10, at_word, BPF_REG_1);
	encode_load(code, BPF_DW, BPF_REG_6, BPF_REG_9, interrupted.pc);
	encode_copy(code, BPF_REG_3, BPF_REG_6);
	read_word(code, at_word, sizeof(u32), &exits);
	encode_load(code, BPF_W, BPF_REG_1, BPF_REG_10, at_word);
	/* Signed, as the numbers to compare it with. */
	encode_alu(code, BPF_LSH, BPF_REG_1, 32);
	encode_alu(code, BPF_ARSH, BPF_REG_1, 32);
	for (i = 0; i < NR_FRAMELESS; i++) {
		encode_copy(code, BPF_REG_2, BPF_REG_1);
		encode_alu(code, BPF_AND, BPF_REG_2, (s32)frameless[i].mask);
		is_known[i] = encode_jump(code, BPF_JEQ, BPF_REG_2, (s32)frameless[i].bits);
	}
	read_record(code, at_guess, at_word, &exits);
	check_call(code, at_guess, at_word, &exits);
	for (i = 0; i < NR_FRAMELESS; i++)
		encode_land(code, is_known[i]);
	load_lr(code, BPF_REG_1);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	is_right = encode_jump(code, BPF_JA, 0, 0);
	for (i = 0; i < exits.nr; i++)
		encode_land(code, exits.at[i]);
	encode_set(code, BPF_REG_1, 0);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	encode_land(code, is_right);
}
#endif
