// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupted registers of x86-64: the privilege level is in the code segment's low bits. See
 * interrupted.h.
 */
#ifdef __x86_64__
#include <asm/ptrace.h>
#include <stddef.h>

#include "bpf/interrupted.h"
#include "bpf/program_parts.h"

const struct interrupted interrupted = {
	.pc = offsetof(struct pt_regs, rip),
	.mode = offsetof(struct pt_regs, cs),
	.wide_mask = 0xffff,
	.wide_mode = 0x33,	/* __USER_CS */
	.fp = offsetof(struct pt_regs, rbp),
	.sp = offsetof(struct pt_regs, rsp),
	.syscall = offsetof(struct pt_regs, orig_rax),
};

/*
 * Linux 6.2 moved the variable into a structure (commit 64701838bf05), 6.15 out of it (46e8fff6d45f). It has four bytes,
 * eight since 7.3 at the latest, with the same meaning of the lower ones.
 */
const struct btf_name interrupted_counts[] = {
	{ .name = "pcpu_hot", .member = "preempt_count" },
	{ .name = "__preempt_count" },
};
const size_t interrupted_nr_counts = sizeof(interrupted_counts) / sizeof(interrupted_counts[0]);

void interrupted_find_counts(struct encode *code, const struct btf_place *place)
{
	encode_variable(code, BPF_REG_1, place->id);
	encode_call(code, BPF_FUNC_this_cpu_ptr);
}

void interrupted_find_user(struct encode *code)
{
	encode_load(code, BPF_DW, BPF_REG_6, BPF_REG_1, interrupted.mode);
	encode_alu(code, BPF_AND, BPF_REG_6, 3);
}

#define LEAF_BYTES_MAX	(64 << 10)	/* assumed maximum length of a leaf function */

/** Instructions at which a function has no frame: bytes of them, and where its return address is. */
static const struct {
	s32 mask;
	s32 bytes;
	bool is_pushed;		/* the frame pointer is above it already */
} frameless[] = {
	{ 0xff, 0x55 },			/* push %rbp */
	{ 0xff, 0xc3 },			/* ret */
	{ 0xffff, 0x25ff },		/* jmp *linkage table */
	{ 0xffffff, 0x25fff2 },		/* bnd jmp */
	{ -1, (s32)0xfa1e0ff3 },	/* endbr64 */
	{ 0xffffff, 0xe58948, true },	/* mov %rsp,%rbp */
	{ 0xffffff, 0xec8b48, true },	/* the same, encoded otherwise */
};

#define NR_FRAMELESS	(sizeof(frameless) / sizeof(frameless[0]))

/* Reads @len bytes at the address in r3 to the word. Returns the jump of what cannot be read. */
static u32 read_word(struct encode *code, int at_word, u32 len)
{
	program_point_at(code, BPF_REG_1, at_word);
	encode_set(code, BPF_REG_2, len);
	encode_call(code, BPF_FUNC_probe_read_user);
	return encode_jump(code, BPF_JNE, BPF_REG_0, 0);
}

/*
 * r1 is a word of the stack, r6 the program counter. @wrong: the jumps taken unless the word follows a
 * direct call, which reaches 2 GiB, of the function that runs there.
 */
static void check_call(struct encode *code, int at_guess, int at_word, u32 wrong[3])
{
	u32 is_near[2];

	encode_copy(code, BPF_REG_2, BPF_REG_1);
	encode_alu_reg(code, BPF_SUB, BPF_REG_2, BPF_REG_6);
	encode_alu(code, BPF_ARSH, BPF_REG_2, 31);
	is_near[0] = encode_jump(code, BPF_JEQ, BPF_REG_2, 0);
	is_near[1] = encode_jump(code, BPF_JEQ, BPF_REG_2, -1);
	encode_set(code, BPF_REG_1, 0);
	encode_land(code, is_near[0]);
	encode_land(code, is_near[1]);
	encode_copy(code, BPF_REG_3, BPF_REG_1);
	encode_alu(code, BPF_SUB, BPF_REG_3, sizeof(u64));
	wrong[0] = read_word(code, at_word, sizeof(u64));
	/* The byte e8, and the distance. */
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, at_word);
	encode_copy(code, BPF_REG_2, BPF_REG_1);
	encode_alu(code, BPF_RSH, BPF_REG_2, 24);
	encode_alu(code, BPF_AND, BPF_REG_2, 0xff);
	wrong[1] = encode_jump(code, BPF_JNE, BPF_REG_2, 0xe8);
	encode_alu(code, BPF_ARSH, BPF_REG_1, 32);
	encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_10, at_guess);
	encode_alu_reg(code, BPF_ADD, BPF_REG_1, BPF_REG_2);
	encode_alu_reg(code, BPF_SUB, BPF_REG_6, BPF_REG_1);
	wrong[2] = encode_jump(code, BPF_JGE, BPF_REG_6, LEAF_BYTES_MAX);
}

/* r0 = 1 if the instruction at r6 has no frame below it, r3 = where its return address is then. */
static u32 classify_instruction(struct encode *code, int at_word)
{
	u32 is_unreadable, is_frameless[NR_FRAMELESS], i;

	encode_copy(code, BPF_REG_3, BPF_REG_6);
	is_unreadable = read_word(code, at_word, sizeof(u32));
	encode_load(code, BPF_W, BPF_REG_1, BPF_REG_10, at_word);
	/* Signed, as the numbers to compare it with. */
	encode_alu(code, BPF_LSH, BPF_REG_1, 32);
	encode_alu(code, BPF_ARSH, BPF_REG_1, 32);
	encode_copy(code, BPF_REG_3, BPF_REG_8);
	encode_set(code, BPF_REG_0, 1);
	for (i = 0; i < NR_FRAMELESS; i++) {
		if (frameless[i].is_pushed && !frameless[i - 1].is_pushed)
			encode_alu(code, BPF_ADD, BPF_REG_3, sizeof(u64));
		encode_copy(code, BPF_REG_2, BPF_REG_1);
		encode_alu(code, BPF_AND, BPF_REG_2, frameless[i].mask);
		is_frameless[i] = encode_jump(code, BPF_JEQ, BPF_REG_2, frameless[i].bytes);
	}
	encode_set(code, BPF_REG_0, 0);
	encode_copy(code, BPF_REG_3, BPF_REG_8);
	for (i = 0; i < NR_FRAMELESS; i++)
		encode_land(code, is_frameless[i]);
	return is_unreadable;
}

void interrupted_guess_caller(struct encode *code, int at_guess, int at_word)
{
	u32 is_unreadable[2], wrong[3], is_known, is_right, is_wrong, i;

	encode_set(code, BPF_REG_1, 0);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	encode_store(code, BPF_DW, BPF_REG_10, at_word, BPF_REG_1);
	encode_load(code, BPF_DW, BPF_REG_6, BPF_REG_9, interrupted.pc);
	is_unreadable[0] = classify_instruction(code, at_word);
	is_known = encode_jump(code, BPF_JNE, BPF_REG_0, 0);
	is_unreadable[1] = read_word(code, at_word, sizeof(u64));
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, at_word);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	check_call(code, at_guess, at_word, wrong);
	is_right = encode_jump(code, BPF_JA, 0, 0);
	for (i = 0; i < 3; i++)
		encode_land(code, wrong[i]);
	encode_set(code, BPF_REG_1, 0);
	encode_store(code, BPF_DW, BPF_REG_10, at_guess, BPF_REG_1);
	is_wrong = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_known);
	/* The kernel writes 0 if it cannot read. */
	program_point_at(code, BPF_REG_1, at_guess);
	encode_set(code, BPF_REG_2, sizeof(u64));
	encode_call(code, BPF_FUNC_probe_read_user);
	encode_land(code, is_right);
	encode_land(code, is_wrong);
	encode_land(code, is_unreadable[0]);
	encode_land(code, is_unreadable[1]);
}
#endif
