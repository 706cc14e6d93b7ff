/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs parts of BPF programs as the kernel's interpreter would: the instructions that cli/bpf/encode.c writes. */
#ifndef BPF_RUNS_H
#define BPF_RUNS_H

#include "unit.h"
#include "bpf/encode.h"

#define BPF_RUNS_STACK	512	/* bytes of a program's stack */

/** Memory of the user that the helper "probe_read_user" can read: @nr words at @words, by their real addresses. */
struct user_memory {
	const u64 *words;
	size_t nr;
};

static int read_user_memory(const struct user_memory *memory, u64 to, u64 len, u64 from)
{
	const u64 start = (uintptr_t)memory->words, end = start + memory->nr * sizeof(u64);

	if (from < start || from > end || len > end - from)
		return -14;
	memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, len);
	return 0;
}

static u64 computed(u8 op, u64 a, u64 b)
{
	switch (op) {
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_MUL: return a * b;
	case BPF_AND: return a & b;
	case BPF_OR: return a | b;
	case BPF_XOR: return a ^ b;
	case BPF_LSH: return a << b;
	case BPF_RSH: return a >> b;
	case BPF_ARSH: return (s64)a >> b;
	case BPF_MOV: return b;
	}
	fail_msg("operation 0x%x", op);
	return 0;
}

static bool jumps(u8 condition, u64 a, u64 b)
{
	switch (condition) {
	case BPF_JA: return true;
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JSET: return a & b;
	case BPF_JSGE: return (s64)a >= (s64)b;
	case BPF_JSLE: return (s64)a <= (s64)b;
	}
	fail_msg("condition 0x%x", condition);
	return false;
}

static u64 loaded(u8 size, u64 at)
{
	const void *from = (const void *)(uintptr_t)at;
	u64 wide;
	u32 word;

	assert_true(size == BPF_DW || size == BPF_W);
	if (size == BPF_DW) {
		memcpy(&wide, from, sizeof(wide));
		return wide;
	}
	memcpy(&word, from, sizeof(word));
	return word;
}

static void stored(u8 size, u64 at, u64 value)
{
	const u32 word = value;

	assert_true(size == BPF_DW || size == BPF_W);
	memcpy((void *)(uintptr_t)at, size == BPF_DW ? (const void *)&value : &word, size == BPF_DW ? 8 : 4);
}

/* After a call its arguments are lost. */
static void call_helper(u32 helper, const struct user_memory *memory, u64 reg[11])
{
	int i;

	assert_int_equal(helper, BPF_FUNC_probe_read_user);
	reg[0] = read_user_memory(memory, reg[1], reg[2], reg[3]);
	for (i = 1; i <= 5; i++)
		reg[i] = 0xdeadbeefdeadbeef;
}

/**
 * run_bpf() - run @code until its exit, at most a million instructions.
 * @reg: registers before and after; the caller points r10 to the end of BPF_RUNS_STACK bytes
 */
static void run_bpf(const struct encode *code, const struct user_memory *memory, u64 reg[11])
{
	u32 at = 0, steps;

	assert_false(code->is_wrong);
	for (steps = 0; steps < 1000000; steps++) {
		const struct bpf_insn *insn = &code->insn[at++];
		const u8 class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);
		const u64 other = BPF_SRC(insn->code) == BPF_X ? reg[insn->src_reg] : (u64)(s64)insn->imm;

		assert_true(at <= code->nr);
		if (insn->code == (BPF_JMP | BPF_EXIT))
			return;
		if (insn->code == (BPF_JMP | BPF_CALL))
			call_helper(insn->imm, memory, reg);
		else if (class == BPF_ALU64)
			reg[insn->dst_reg] = computed(op, reg[insn->dst_reg], other);
		else if (class == BPF_LDX)
			reg[insn->dst_reg] = loaded(BPF_SIZE(insn->code), reg[insn->src_reg] + insn->off);
		else if (class == BPF_STX)
			stored(BPF_SIZE(insn->code), reg[insn->dst_reg] + insn->off, reg[insn->src_reg]);
		else if (insn->code == (BPF_LD | BPF_DW | BPF_IMM))
			reg[insn->dst_reg] = (u32)insn->imm | (u64)(u32)code->insn[at++].imm << 32;
		else if (class == BPF_JMP)
			at += jumps(op, reg[insn->dst_reg], other) ? insn->off : 0;
		else
			fail_msg("instruction 0x%x", insn->code);
	}
	fail_msg("the program does not end");
}

#endif
