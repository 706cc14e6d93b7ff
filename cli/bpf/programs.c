// SPDX-License-Identifier: GPL-2.0-only
/*
 * The BPF program that counts in slots: see programs.h. It runs in a hard interrupt on its own CPU, so that no
 * other program writes the same slots. The sample of a key that has its slot costs a comparison and an
 * addition; what is needed less often comes last.
 *
 * Registers: r6 = process or thread, and the mode in the upper half; r7, r8 = what else the key has; r1 = slot.
 */
#include <stddef.h>

#include "bpf/interrupted.h"
#include "bpf/program_parts.h"
#include "bpf/programs.h"
#include "bpf/softirq.h"

#define AT_NAME		(-COUNTS_NAME_LEN)	/* in the program's stack, below r10 */
#define NAME_HALF	(COUNTS_NAME_LEN / 2)

/* A number without a pattern, so that the upper bits of a product with it depend on all bits (golden ratio). */
#define SPREAD		0x9e3779b97f4a7c15ULL

#define PAGE(field)	((s16)offsetof(struct counts_page, field))
/* Slots begin after the page. */
#define SLOT(field)	((s16)(sizeof(struct counts_page) + offsetof(struct counts_slot, field)))

struct slot_program {
	struct encode *code;
	enum counts_by by;
	u32 pid;
	const struct btf_place *softirq;
	int area_fd;
	u32 nr_slots;
};

static bool has_name(const struct slot_program *program)
{
	return program->by == COUNTS_BY_PROCESS || program->by == COUNTS_BY_THREAD;
}

/* r0 is the process, r7 the address: both become 0 in samples that nobody asks for, so that these share one key. */
static void choose_address(const struct slot_program *program)
{
	struct encode *code = program->code;
	u32 is_wanted = encode_jump(code, program->pid ? BPF_JEQ : BPF_JNE, BPF_REG_0, program->pid);

	encode_set(code, BPF_REG_0, 0);
	encode_set(code, BPF_REG_7, 0);
	encode_land(code, is_wanted);
}

/* r0 is the process, in its upper half, and the thread. */
static void choose_task(const struct slot_program *program)
{
	struct encode *code = program->code;
	u32 is_idle;

	if (program->by == COUNTS_BY_THREAD)
		encode_alu(code, BPF_LSH, BPF_REG_0, 32);
	encode_alu(code, BPF_RSH, BPF_REG_0, 32);
	if (program->by == COUNTS_BY_ADDRESS)
		choose_address(program);
	if (program->by != COUNTS_BY_CGROUP)
		return;
	/* A group counts its idle time apart from the rest, not its processes. */
	is_idle = encode_jump(code, BPF_JEQ, BPF_REG_0, 0);
	encode_set(code, BPF_REG_0, 1);
	encode_land(code, is_idle);
}

/* r1 is the program's argument. */
static void find_key(const struct slot_program *program)
{
	struct encode *code = program->code;

	if (program->by == COUNTS_BY_ADDRESS)
		encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_1, interrupted.pc);
	interrupted_find_user(code);
	if (program->softirq->id)
		softirq_find_mode(code, program->softirq);
	encode_alu(code, BPF_LSH, BPF_REG_6, 32);
	encode_call(code, BPF_FUNC_get_current_pid_tgid);
	choose_task(program);
	encode_alu_reg(code, BPF_OR, BPF_REG_6, BPF_REG_0);
	if (program->by == COUNTS_BY_CGROUP) {
		encode_call(code, BPF_FUNC_get_current_cgroup_id);
		encode_copy(code, BPF_REG_7, BPF_REG_0);
	} else if (has_name(program)) {
		program_write_comm(code, AT_NAME);
		encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_10, AT_NAME);
		encode_load(code, BPF_DW, BPF_REG_8, BPF_REG_10, AT_NAME + NAME_HALF);
	}
}

/* r1 = the first slot that may be the key's, in the turn that is being filled. */
static void find_first_slot(const struct slot_program *program)
{
	struct encode *code = program->code;

	encode_copy(code, BPF_REG_2, BPF_REG_6);
	encode_alu_reg(code, BPF_ADD, BPF_REG_2, BPF_REG_7);
	/* Threads of a process may have many names: without it, the slots of one key would be those of all. */
	if (has_name(program))
		encode_alu_reg(code, BPF_ADD, BPF_REG_2, BPF_REG_8);
	encode_set_wide(code, BPF_REG_3, SPREAD);
	encode_alu_reg(code, BPF_MUL, BPF_REG_2, BPF_REG_3);
	encode_alu(code, BPF_RSH, BPF_REG_2, 64 - __builtin_ctz(program->nr_slots));
	encode_alu(code, BPF_MUL, BPF_REG_2, sizeof(struct counts_slot));
	encode_map_value(code, BPF_REG_1, program->area_fd);
	encode_load(code, BPF_DW, BPF_REG_3, BPF_REG_1, PAGE(turn));
	encode_alu(code, BPF_AND, BPF_REG_3, 1);
	encode_alu(code, BPF_MUL, BPF_REG_3, programs_turn_len(program->nr_slots));
	encode_alu_reg(code, BPF_ADD, BPF_REG_1, BPF_REG_2);
	encode_alu_reg(code, BPF_ADD, BPF_REG_1, BPF_REG_3);
}

/* The field of the key that r7 is. */
static s16 second_field(const struct slot_program *program)
{
	return program->by == COUNTS_BY_ADDRESS ? SLOT(key.pc) :
	       program->by == COUNTS_BY_CGROUP ? SLOT(key.cgroup[0]) : SLOT(key.comm);
}

/* @others: the jumps of a slot with another key; returns their number. */
static u32 compare_keys(const struct slot_program *program, u32 others[3])
{
	struct encode *code = program->code;
	u32 nr = 0;

	encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_1, SLOT(key.id));
	others[nr++] = encode_jump_reg(code, BPF_JNE, BPF_REG_2, BPF_REG_6);
	encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_1, second_field(program));
	others[nr++] = encode_jump_reg(code, BPF_JNE, BPF_REG_2, BPF_REG_7);
	if (has_name(program)) {
		encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_1, SLOT(key.comm) + NAME_HALF);
		others[nr++] = encode_jump_reg(code, BPF_JNE, BPF_REG_2, BPF_REG_8);
	}
	return nr;
}

static void end_program(struct encode *code)
{
	encode_set(code, BPF_REG_0, 0);
	encode_exit(code);
}

/* Adds one to a counter of the page, or to the next one if r3 is 1. */
static void count_in_page(const struct slot_program *program, s16 field)
{
	struct encode *code = program->code;

	encode_map_value(code, BPF_REG_0, program->area_fd);
	encode_alu(code, BPF_LSH, BPF_REG_3, 3);
	encode_alu_reg(code, BPF_ADD, BPF_REG_0, BPF_REG_3);
	program_add_one(code, field);
}

/* The slot is free. By address, its name is that of the first sample. */
static void claim_slot(const struct slot_program *program)
{
	struct encode *code = program->code;

	encode_store(code, BPF_DW, BPF_REG_1, SLOT(key.id), BPF_REG_6);
	encode_store(code, BPF_DW, BPF_REG_1, second_field(program), BPF_REG_7);
	if (has_name(program))
		encode_store(code, BPF_DW, BPF_REG_1, SLOT(key.comm) + NAME_HALF, BPF_REG_8);
	encode_set(code, BPF_REG_2, 1);
	encode_store(code, BPF_DW, BPF_REG_1, SLOT(hits), BPF_REG_2);
	if (program->by == COUNTS_BY_ADDRESS && !program->pid) {
		encode_alu(code, BPF_ADD, BPF_REG_1, SLOT(key.comm));
		encode_set(code, BPF_REG_2, COUNTS_NAME_LEN);
		encode_call(code, BPF_FUNC_get_current_comm);
	}
	encode_map_value(code, BPF_REG_1, program->area_fd);
	encode_load(code, BPF_DW, BPF_REG_3, BPF_REG_1, PAGE(turn));
	encode_alu(code, BPF_AND, BPF_REG_3, 1);
	count_in_page(program, PAGE(nr_used));
	end_program(code);
}

static void count_lost(const struct slot_program *program)
{
	struct encode *code = program->code;
	u32 is_kernel, is_softirq;

	encode_set(code, BPF_REG_3, 0);
	encode_alu(code, BPF_RSH, BPF_REG_6, 32);
	is_kernel = encode_jump(code, BPF_JEQ, BPF_REG_6, 0);
	is_softirq = encode_jump(code, BPF_JEQ, BPF_REG_6, COUNTS_SOFTIRQ);
	encode_set(code, BPF_REG_3, 1);
	encode_land(code, is_kernel);
	encode_land(code, is_softirq);
	count_in_page(program, PAGE(lost));
	end_program(code);
}

u32 programs_turn_len(u32 nr_slots)
{
	return (nr_slots + COUNTS_PROBES - 1) * sizeof(struct counts_slot);
}

void programs_count(struct encode *code, const struct counts_spec *spec, int area_fd, u32 nr_slots)
{
	const struct slot_program program = {
		code, spec->by, spec->pid, &spec->softirq, area_fd, nr_slots
	};
	u32 others[3], nr, is_free, probe, i;

	find_key(&program);
	find_first_slot(&program);
	encode_set(code, BPF_REG_3, COUNTS_PROBES);
	probe = code->nr;
	nr = compare_keys(&program, others);
	encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_1, SLOT(hits));
	encode_alu(code, BPF_ADD, BPF_REG_2, 1);
	encode_store(code, BPF_DW, BPF_REG_1, SLOT(hits), BPF_REG_2);
	end_program(code);
	for (i = 0; i < nr; i++)
		encode_land(code, others[i]);
	encode_load(code, BPF_DW, BPF_REG_2, BPF_REG_1, SLOT(hits));
	is_free = encode_jump(code, BPF_JEQ, BPF_REG_2, 0);
	encode_alu(code, BPF_ADD, BPF_REG_1, sizeof(struct counts_slot));
	encode_alu(code, BPF_SUB, BPF_REG_3, 1);
	encode_back(code, BPF_JNE, BPF_REG_3, 0, probe);
	count_lost(&program);
	encode_land(code, is_free);
	claim_slot(&program);
}
