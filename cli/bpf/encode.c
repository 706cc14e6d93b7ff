// SPDX-License-Identifier: GPL-2.0-only
/* An assembler for BPF programs: see encode.h. */
#include "bpf/encode.h"

static void append(struct encode *code, struct bpf_insn insn)
{
	if (code->nr == ENCODE_MAX) {
		code->is_wrong = true;
		return;
	}
	code->insn[code->nr++] = insn;
}

void encode_set(struct encode *code, u8 reg, s32 value)
{
	append(code, (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = reg,
					.imm = value });
}

void encode_copy(struct encode *code, u8 to, u8 from)
{
	append(code, (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = to,
					.src_reg = from });
}

void encode_alu(struct encode *code, u8 op, u8 reg, s32 value)
{
	append(code, (struct bpf_insn){ .code = BPF_ALU64 | op | BPF_K, .dst_reg = reg,
					.imm = value });
}

void encode_alu_reg(struct encode *code, u8 op, u8 to, u8 from)
{
	append(code, (struct bpf_insn){ .code = BPF_ALU64 | op | BPF_X, .dst_reg = to,
					.src_reg = from });
}

void encode_load(struct encode *code, u8 size, u8 to, u8 base, s16 offset)
{
	append(code, (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | size, .dst_reg = to,
					.src_reg = base, .off = offset });
}

void encode_store(struct encode *code, u8 size, u8 base, s16 offset, u8 from)
{
	append(code, (struct bpf_insn){ .code = BPF_STX | BPF_MEM | size, .dst_reg = base,
					.src_reg = from, .off = offset });
}

/* @kind: 0, or BPF_PSEUDO_* */
static void append_wide(struct encode *code, u8 reg, u8 kind, u64 value)
{
	append(code, (struct bpf_insn){ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = reg, .src_reg = kind,
					.imm = (s32)value });
	append(code, (struct bpf_insn){ .imm = (s32)(value >> 32) });
}

void encode_set_wide(struct encode *code, u8 reg, u64 value)
{
	append_wide(code, reg, 0, value);
}

void encode_map(struct encode *code, u8 reg, int fd)
{
	append_wide(code, reg, BPF_PSEUDO_MAP_FD, (u32)fd);
}

void encode_map_value(struct encode *code, u8 reg, int fd)
{
	append_wide(code, reg, BPF_PSEUDO_MAP_VALUE, (u32)fd);
}

void encode_variable(struct encode *code, u8 reg, u32 variable)
{
	append(code, (struct bpf_insn){ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = reg,
					.src_reg = BPF_PSEUDO_BTF_ID, .imm = variable });
	append(code, (struct bpf_insn){ .code = 0 });
}

void encode_call(struct encode *code, enum bpf_func_id helper)
{
	append(code, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = helper });
}

void encode_exit(struct encode *code)
{
	append(code, (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT });
}

u32 encode_jump(struct encode *code, u8 condition, u8 reg, s32 value)
{
	append(code, (struct bpf_insn){ .code = BPF_JMP | condition | BPF_K, .dst_reg = reg,
					.imm = value });
	return code->nr - 1;
}

u32 encode_jump_reg(struct encode *code, u8 condition, u8 reg, u8 other)
{
	append(code, (struct bpf_insn){ .code = BPF_JMP | condition | BPF_X, .dst_reg = reg,
					.src_reg = other });
	return code->nr - 1;
}

void encode_back(struct encode *code, u8 condition, u8 reg, s32 value, u32 target)
{
	u32 jump = encode_jump(code, condition, reg, value);

	code->insn[jump].off = (s16)(target - jump - 1);
}

void encode_land(struct encode *code, u32 jump)
{
	code->insn[jump].off = code->nr - jump - 1;
}
