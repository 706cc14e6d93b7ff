// SPDX-License-Identifier: GPL-2.0-only
/* Parts that several BPF programs have: see program_parts.h. */
#include <stddef.h>

#include "bpf/counts.h"
#include "bpf/program_parts.h"

void program_point_at(struct encode *code, u8 reg, int at)
{
	encode_copy(code, reg, BPF_REG_10);
	encode_alu(code, BPF_ADD, reg, at);
}

void program_find_value(struct encode *code, int at)
{
	program_point_at(code, BPF_REG_2, at);
	encode_call(code, BPF_FUNC_map_lookup_elem);
}

void program_add_one(struct encode *code, int offset)
{
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_0, offset);
	encode_alu(code, BPF_ADD, BPF_REG_1, 1);
	encode_store(code, BPF_DW, BPF_REG_0, offset, BPF_REG_1);
}

void program_write_comm(struct encode *code, int at)
{
	/* Kernel 6.1 leaves what is there after the NUL. */
	encode_set(code, BPF_REG_0, 0);
	encode_store(code, BPF_DW, BPF_REG_10, at, BPF_REG_0);
	encode_store(code, BPF_DW, BPF_REG_10, at + (int)sizeof(u64), BPF_REG_0);
	program_point_at(code, BPF_REG_1, at);
	encode_set(code, BPF_REG_2, COUNTS_NAME_LEN);
	encode_call(code, BPF_FUNC_get_current_comm);
}

void program_count_addition(struct encode *code, int page_fd, int at_cpu)
{
	u32 is_absent, is_lost, is_kernel, ends[2];

	encode_call(code, BPF_FUNC_get_smp_processor_id);
	encode_store(code, BPF_W, BPF_REG_10, at_cpu, BPF_REG_0);
	encode_map(code, BPF_REG_1, page_fd);
	program_find_value(code, at_cpu);
	is_absent = encode_jump(code, BPF_JEQ, BPF_REG_0, 0);
	is_lost = encode_jump(code, BPF_JNE, BPF_REG_8, 0);
	program_add_one(code, offsetof(struct counts_page, nr_added));
	ends[0] = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_lost);
	is_kernel = encode_jump(code, BPF_JEQ, BPF_REG_6, 0);
	program_add_one(code, offsetof(struct counts_page, lost[1]));
	ends[1] = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_kernel);
	program_add_one(code, offsetof(struct counts_page, lost[0]));
	encode_land(code, ends[0]);
	encode_land(code, ends[1]);
	encode_land(code, is_absent);
	encode_set(code, BPF_REG_0, 0);
	encode_exit(code);
}
