// SPDX-License-Identifier: GPL-2.0-only
/*
 * The BPF programs of the tool: see programs.h. They run in a hard interrupt on their own CPU, so
 * that no other program writes the same counters.
 */
#include <stddef.h>

#include "bpf/interrupted.h"
#include "bpf/program_parts.h"
#include "bpf/programs.h"

/* The program's stack, below r10. */
enum { AT_KEY = -32, AT_ZERO = -40, AT_ONE = -48, AT_CPU = -56 };

#define AT_KEY_FIELD(field) (AT_KEY + (int)offsetof(struct counts_key, field))

/*
 * r0 is the process, r7 the interrupted address: both are 0 in the key of all samples that nobody asks
 * for, so that these share one.
 */
static void write_address(struct encode *code, u32 pid)
{
	u32 is_wanted = encode_jump(code, BPF_JEQ, BPF_REG_0, pid);

	if (!pid) {
		/* All processes but the idle one: the same jump, around the other way. */
		u32 is_any = encode_jump(code, BPF_JA, 0, 0);

		encode_land(code, is_wanted);
		encode_set(code, BPF_REG_7, 0);
		encode_land(code, is_any);
	} else {
		encode_set(code, BPF_REG_0, 0);
		encode_set(code, BPF_REG_7, 0);
		encode_land(code, is_wanted);
	}
	encode_store(code, BPF_DW, BPF_REG_10, AT_KEY_FIELD(pc), BPF_REG_7);
}

/* Writes the key of the current task to the stack. r1 is the program's argument. */
static void write_key(struct encode *code, const struct counts_spec *spec)
{
	const enum counts_by by = spec->by;

	if (by == COUNTS_BY_ADDRESS)
		encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_1, interrupted.pc);
	encode_load(code, BPF_DW, BPF_REG_6, BPF_REG_1, interrupted.mode);
	encode_alu(code, BPF_AND, BPF_REG_6, interrupted.mode_mask);
	encode_store(code, BPF_W, BPF_REG_10, AT_KEY_FIELD(is_user), BPF_REG_6);
	/* The process is in the upper half, the thread in the lower one, which BPF_W stores. */
	encode_call(code, BPF_FUNC_get_current_pid_tgid);
	if (by != COUNTS_BY_THREAD)
		encode_alu(code, BPF_RSH, BPF_REG_0, 32);
	if (by == COUNTS_BY_CGROUP) {
		u32 is_idle = encode_jump(code, BPF_JEQ, BPF_REG_0, 0);

		encode_set(code, BPF_REG_0, 1);
		encode_land(code, is_idle);
	}
	if (by == COUNTS_BY_ADDRESS)
		write_address(code, spec->pid);
	encode_store(code, BPF_W, BPF_REG_10, AT_KEY_FIELD(id), BPF_REG_0);
	if (by == COUNTS_BY_CGROUP || spec->pid) {
		/* One process has one name, and all others share a key. */
		encode_set(code, BPF_REG_0, 0);
		if (by == COUNTS_BY_CGROUP)
			encode_call(code, BPF_FUNC_get_current_cgroup_id);
		encode_store(code, BPF_DW, BPF_REG_10, AT_KEY_FIELD(cgroup[0]), BPF_REG_0);
		encode_set(code, BPF_REG_0, 0);
		encode_store(code, BPF_DW, BPF_REG_10, AT_KEY_FIELD(cgroup[1]), BPF_REG_0);
	} else {
		program_write_comm(code, AT_KEY_FIELD(comm));
	}
}

void programs_count(struct encode *code, const struct counts_spec *spec, int turn_fd, int page_fd)
{
	u32 has_map, is_new;

	write_key(code, spec);
	encode_set(code, BPF_REG_0, 0);
	encode_store(code, BPF_W, BPF_REG_10, AT_ZERO, BPF_REG_0);
	encode_map(code, BPF_REG_1, turn_fd);
	program_find_value(code, AT_ZERO);
	has_map = encode_jump(code, BPF_JNE, BPF_REG_0, 0);
	encode_exit(code);
	encode_land(code, has_map);
	encode_copy(code, BPF_REG_7, BPF_REG_0);
	encode_copy(code, BPF_REG_1, BPF_REG_0);
	program_find_value(code, AT_KEY);
	is_new = encode_jump(code, BPF_JEQ, BPF_REG_0, 0);
	program_add_one(code, 0);
	encode_set(code, BPF_REG_0, 0);
	encode_exit(code);
	encode_land(code, is_new);
	encode_set(code, BPF_REG_1, 1);
	encode_store(code, BPF_DW, BPF_REG_10, AT_ONE, BPF_REG_1);
	encode_copy(code, BPF_REG_1, BPF_REG_7);
	program_point_at(code, BPF_REG_2, AT_KEY);
	program_point_at(code, BPF_REG_3, AT_ONE);
	encode_set(code, BPF_REG_4, BPF_ANY);
	encode_call(code, BPF_FUNC_map_update_elem);
	encode_copy(code, BPF_REG_8, BPF_REG_0);
	program_count_addition(code, page_fd, AT_CPU);
}
