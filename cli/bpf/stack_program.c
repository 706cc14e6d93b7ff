// SPDX-License-Identifier: GPL-2.0-only
/*
 * The BPF program that counts stacks: see stack_program.h. In user mode it follows the frame pointers itself. The
 * sample of a stack that was seen in this turn needs this walk and a counter; a new one is walked by the kernel
 * too, which keeps its frames. In kernel mode the kernel walks each sample's stacks, and the program follows the
 * user's once, to tell where and why they end.
 */
#include <errno.h>
#include <stddef.h>

#include "bpf/interrupted.h"
#include "bpf/program_parts.h"
#include "bpf/stack_program.h"
#include "bpf/stack_walk.h"

/* The program's stack, below r10. */
enum {
	AT_KEY = -16, AT_VALUE = -64, AT_ZERO = -72, AT_CPU = -80, AT_FRAME = -96, AT_WHY = -104,
	AT_SP = -112, AT_ENTRY = -120, AT_BYTES = AT_ENTRY - STACK_WALK_BYTES
};

#define AT_KEY_FIELD(field)	(AT_KEY + (int)offsetof(struct counts_key, field))
#define AT_VALUE_FIELD(field)	(AT_VALUE + (int)offsetof(struct counts_stack, field))
#define SPILLED(field)		((int)offsetof(struct stack_spilled, field))

/* r8 for new stacks: the hash that lacks the key, or that a stack found no place. */
#define WHY_NO_PLACE	2

static void set_field(struct encode *code, int at, s32 value)
{
	encode_set(code, BPF_REG_0, value);
	encode_store(code, BPF_W, BPF_REG_10, at, BPF_REG_0);
}

/*
 * r0 is the process. Returns the number of jumps of processes that are asked for, at most one, in @is_wanted;
 * 0: all are.
 */
static u32 check_target(struct encode *code, const struct stack_program *program, u32 *is_wanted)
{
	u32 is_process, is_other = 0;

	if (program->pid)
		*is_wanted = encode_jump(code, BPF_JEQ, BPF_REG_0, program->pid);
	if (program->cgroup_fd < 0)
		return program->pid != 0;
	is_process = *is_wanted;
	if (program->pid) {
		is_other = encode_jump(code, BPF_JA, 0, 0);
		/* The process must be of the group too. */
		encode_land(code, is_process);
	}
	encode_map(code, BPF_REG_1, program->cgroup_fd);
	encode_set(code, BPF_REG_2, 0);
	encode_call(code, BPF_FUNC_current_task_under_cgroup);
	*is_wanted = encode_jump(code, BPF_JEQ, BPF_REG_0, 1);
	if (program->pid)
		encode_land(code, is_other);
	return 1;
}

/* r6: mode; r9: the program's argument; r7: 0 if nobody asks for the task's stack. */
static void write_key(struct encode *code, const struct stack_program *program)
{
	u32 is_idle, is_wanted = 0;

	encode_copy(code, BPF_REG_9, BPF_REG_1);
	interrupted_find_user(code);
	encode_store(code, BPF_W, BPF_REG_10, AT_KEY_FIELD(is_user), BPF_REG_6);
	set_field(code, AT_KEY_FIELD(stack[0]), COUNTS_NO_STACK);
	encode_store(code, BPF_W, BPF_REG_10, AT_KEY_FIELD(stack[1]), BPF_REG_0);
	encode_set(code, BPF_REG_7, 0);
	encode_call(code, BPF_FUNC_get_current_pid_tgid);
	encode_alu(code, BPF_RSH, BPF_REG_0, 32);
	encode_store(code, BPF_W, BPF_REG_10, AT_KEY_FIELD(id), BPF_REG_0);
	is_idle = encode_jump(code, BPF_JEQ, BPF_REG_0, 0);
	encode_copy(code, BPF_REG_7, BPF_REG_0);
	if (!check_target(code, program, &is_wanted)) {
		encode_land(code, is_idle);
		return;
	}
	/* Somebody else, or idle while somebody is asked for: all share one key. */
	encode_land(code, is_idle);
	set_field(code, AT_KEY_FIELD(id), (s32)COUNTS_OTHERS);
	set_field(code, AT_KEY_FIELD(is_user), 0);
	encode_set(code, BPF_REG_7, 0);
	encode_land(code, is_wanted);
}

/*
 * In user mode: numbers the stack, writes how it ends and the guess at its caller, and keeps r6, r7 as far as they are 0.
 * The frames do not tell who called a function that has none, nor why they end: stacks that differ in these have
 * different numbers.
 */
static void walk_user(struct encode *code, const struct stack_program *program)
{
	const struct stack_walk_at at = {
		.end = AT_VALUE_FIELD(end), .hash = AT_KEY_FIELD(user), .sp = AT_SP, .bytes = AT_BYTES,
	};
	u32 is_unwanted = encode_jump(code, BPF_JEQ, BPF_REG_7, 0);
	u32 is_kernel = encode_jump(code, BPF_JEQ, BPF_REG_6, 0);

	stack_walk_user(code, &at, program->factor);
	stack_walk_guess(code, &at, AT_VALUE_FIELD(guess), AT_FRAME);
	stack_walk_add(code, AT_VALUE_FIELD(guess), at.hash, program->factor);
	stack_walk_add(code, at.end, at.hash, program->factor);
	encode_set(code, BPF_REG_6, 1);
	encode_set(code, BPF_REG_7, 1);
	encode_land(code, is_unwanted);
	encode_land(code, is_kernel);
}

/*
 * Without frames of user mode a process has the same stacks before and after it executes another program: a number of its
 * name tells them apart.
 */
static void number_name(struct encode *code, const struct stack_program *program)
{
	u32 is_unwanted = encode_jump(code, BPF_JEQ, BPF_REG_7, 0);

	program_write_comm(code, AT_VALUE_FIELD(comm));
	encode_set(code, BPF_REG_0, 0);
	encode_store(code, BPF_DW, BPF_REG_10, AT_ENTRY, BPF_REG_0);
	stack_walk_add(code, AT_VALUE_FIELD(comm), AT_ENTRY, program->factor);
	stack_walk_add(code, AT_VALUE_FIELD(comm) + 8, AT_ENTRY, program->factor);
	encode_load(code, BPF_W, BPF_REG_0, BPF_REG_10, AT_ENTRY);
	encode_store(code, BPF_W, BPF_REG_10, AT_KEY_FIELD(stack[1]), BPF_REG_0);
	encode_land(code, is_unwanted);
}

/* Exits if there is no value, which cannot be. */
static void check_value(struct encode *code)
{
	u32 is_there = encode_jump(code, BPF_JNE, BPF_REG_0, 0);

	encode_exit(code);
	encode_land(code, is_there);
}

/* Returns the jump to the second turn's part. */
static u32 find_turn(struct encode *code, int page_fd)
{
	encode_call(code, BPF_FUNC_get_smp_processor_id);
	encode_store(code, BPF_W, BPF_REG_10, AT_CPU, BPF_REG_0);
	encode_map(code, BPF_REG_1, page_fd);
	program_find_value(code, AT_CPU);
	check_value(code);
	encode_load(code, BPF_DW, BPF_REG_0, BPF_REG_0, offsetof(struct counts_page, turn));
	return encode_jump(code, BPF_JNE, BPF_REG_0, 0);
}

/*
 * r2 is the map of stacks. Writes the number of a stack. @is_done: the jumps of one that has a number, or does not
 * exist; after them comes what to do without a place.
 */
static void number_stack(struct encode *code, u32 flags, int at, u32 is_done[2])
{
	encode_copy(code, BPF_REG_1, BPF_REG_9);
	encode_set(code, BPF_REG_3, flags);
	encode_call(code, BPF_FUNC_get_stackid);
	encode_store(code, BPF_W, BPF_REG_10, at, BPF_REG_0);
	is_done[0] = encode_jump(code, BPF_JSGE, BPF_REG_0, 0);
	is_done[1] = encode_jump(code, BPF_JEQ, BPF_REG_0, COUNTS_NO_STACK);
	if (at == AT_KEY_FIELD(stack[0]))
		/* Not known yet, so that its end is looked for. */
		set_field(code, AT_KEY_FIELD(stack[1]), 0);
	encode_set(code, BPF_REG_8, WHY_NO_PLACE);
}

/* Number the stack in a turn's map, for the key. Returns the jump of a stack that found no place. */
static u32 number_in_turn(struct encode *code, int stacks_fd, u32 flags, int at)
{
	u32 is_done[2], has_no_place;

	encode_map(code, BPF_REG_2, stacks_fd);
	number_stack(code, flags, at, is_done);
	has_no_place = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_done[0]);
	encode_land(code, is_done[1]);
	return has_no_place;
}

/* Counts in one turn. Writes the jumps of new stacks to @rare; returns their number. */
static u32 count_in_turn(struct encode *code, const struct stack_program *program, u32 turn, u32 rare[3])
{
	const int stacks_fd = program->stacks_fd[turn];
	u32 is_unwanted = encode_jump(code, BPF_JEQ, BPF_REG_7, 0);
	u32 is_user = encode_jump(code, BPF_JNE, BPF_REG_6, 0), nr = 0;

	if (program->frames & CPUPROBE_FRAMES_KERNEL)
		rare[nr++] = number_in_turn(code, stacks_fd, 0, AT_KEY_FIELD(stack[0]));
	if (program->frames & CPUPROBE_FRAMES_USER)
		rare[nr++] = number_in_turn(code, stacks_fd, BPF_F_USER_STACK, AT_KEY_FIELD(stack[1]));
	encode_land(code, is_unwanted);
	encode_land(code, is_user);
	encode_map(code, BPF_REG_1, program->hash_fd[turn]);
	program_find_value(code, AT_KEY);
	encode_set(code, BPF_REG_8, turn);
	rare[nr++] = encode_jump(code, BPF_JEQ, BPF_REG_0, 0);
	program_add_one(code, offsetof(struct counts_stack, hits));
	encode_set(code, BPF_REG_0, 0);
	encode_exit(code);
	return nr;
}

/* Notes whether a task in the kernel is in a system call. r0: its user registers. Changes r1 and r2. */
static void note_entry(struct encode *code)
{
	u32 is_other;

	encode_load(code, BPF_W, BPF_REG_1, BPF_REG_0, interrupted.syscall);
	encode_alu(code, BPF_LSH, BPF_REG_1, 32);
	encode_alu(code, BPF_ARSH, BPF_REG_1, 32);
	encode_set(code, BPF_REG_2, 0);
	is_other = encode_jump(code, BPF_JEQ, BPF_REG_1, -1);
	encode_set(code, BPF_REG_2, CPUPROBE_STACK_SYSCALL);
	encode_land(code, is_other);
	encode_store(code, BPF_DW, BPF_REG_10, AT_ENTRY, BPF_REG_2);
}

/*
 * Writes how the user frames end that a task in the kernel has. Without BTF its user registers cannot be found, and
 * this is not known.
 */
static void write_end_of_kernel(struct encode *code, const struct stack_program *program)
{
	u32 has_none, is_wide, done;

	if (!program->finds_regs)
		return;
	encode_load(code, BPF_W, BPF_REG_1, BPF_REG_10, AT_KEY_FIELD(stack[1]));
	encode_alu(code, BPF_LSH, BPF_REG_1, 32);
	encode_alu(code, BPF_ARSH, BPF_REG_1, 32);
	has_none = encode_jump(code, BPF_JEQ, BPF_REG_1, COUNTS_NO_STACK);
	encode_call(code, BPF_FUNC_get_current_task_btf);
	encode_copy(code, BPF_REG_1, BPF_REG_0);
	encode_call(code, BPF_FUNC_task_pt_regs);
	note_entry(code);
	encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_0, interrupted.fp);
	encode_load(code, BPF_DW, BPF_REG_8, BPF_REG_0, interrupted.sp);
	encode_load(code, BPF_DW, BPF_REG_0, BPF_REG_0, interrupted.mode);
	encode_alu(code, BPF_AND, BPF_REG_0, interrupted.wide_mask);
	is_wide = encode_jump(code, BPF_JEQ, BPF_REG_0, interrupted.wide_mode);
	encode_set(code, BPF_REG_0, CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER);
	encode_set(code, BPF_REG_6, 1);
	done = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_wide);
	stack_walk_frames(code, AT_SP, AT_FRAME);
	encode_land(code, done);
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, AT_ENTRY);
	encode_alu_reg(code, BPF_OR, BPF_REG_0, BPF_REG_1);
	stack_walk_write_end(code, AT_VALUE_FIELD(end));
	encode_land(code, has_none);
}

/* Lets the kernel keep the frames of a new stack of user mode in its turn, which r8 is. */
static void keep_user_frames(struct encode *code, const struct stack_program *program)
{
	u32 is_second, go, is_done[2];

	set_field(code, AT_VALUE_FIELD(stack[0]), COUNTS_NO_STACK);
	is_second = encode_jump(code, BPF_JNE, BPF_REG_8, 0);
	encode_map(code, BPF_REG_2, program->stacks_fd[0]);
	go = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_second);
	encode_map(code, BPF_REG_2, program->stacks_fd[1]);
	encode_land(code, go);
	number_stack(code, BPF_F_USER_STACK, AT_VALUE_FIELD(stack[1]), is_done);
	encode_land(code, is_done[0]);
	encode_land(code, is_done[1]);
	encode_store(code, BPF_DW, BPF_REG_10, AT_WHY, BPF_REG_8);
}

/* Writes the value of a new stack. */
static void describe_stack(struct encode *code, const struct stack_program *program)
{
	u32 is_unwanted, is_user, done;

	encode_store(code, BPF_DW, BPF_REG_10, AT_WHY, BPF_REG_8);
	encode_load(code, BPF_DW, BPF_REG_0, BPF_REG_10, AT_KEY_FIELD(stack));
	encode_store(code, BPF_DW, BPF_REG_10, AT_VALUE_FIELD(stack), BPF_REG_0);
	if (!(program->frames & CPUPROBE_FRAMES_USER)) {
		set_field(code, AT_VALUE_FIELD(stack[1]), COUNTS_NO_STACK);
		encode_set(code, BPF_REG_0, 0);
		encode_store(code, BPF_DW, BPF_REG_10, AT_VALUE_FIELD(end), BPF_REG_0);
		return;
	}
	is_unwanted = encode_jump(code, BPF_JEQ, BPF_REG_7, 0);
	is_user = encode_jump(code, BPF_JNE, BPF_REG_6, 0);
	encode_land(code, is_unwanted);
	encode_set(code, BPF_REG_0, 0);
	encode_store(code, BPF_DW, BPF_REG_10, AT_VALUE_FIELD(end), BPF_REG_0);
	is_unwanted = encode_jump(code, BPF_JEQ, BPF_REG_7, 0);
	write_end_of_kernel(code, program);
	done = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_user);
	keep_user_frames(code, program);
	encode_land(code, done);
	encode_land(code, is_unwanted);
}

/* Walks a stack to the record that r7 is. */
static void spill_frames(struct encode *code, const struct stack_program *program, int at, int at_len,
			 u32 flags)
{
	encode_copy(code, BPF_REG_1, BPF_REG_9);
	encode_copy(code, BPF_REG_2, BPF_REG_7);
	encode_alu(code, BPF_ADD, BPF_REG_2, at);
	encode_set(code, BPF_REG_3, program->depth * sizeof(u64));
	encode_set(code, BPF_REG_4, flags);
	encode_call(code, BPF_FUNC_get_stack);
	encode_store(code, BPF_DW, BPF_REG_7, at_len, BPF_REG_0);
}

/* Copies a field from the program's stack to the record. */
static void copy_words(struct encode *code, u8 size, int to, int from)
{
	encode_load(code, size, BPF_REG_0, BPF_REG_10, from);
	encode_store(code, size, BPF_REG_7, to, BPF_REG_0);
}

/* Sends the sample itself to the ring. */
static void spill(struct encode *code, const struct stack_program *program)
{
	set_field(code, AT_ZERO, 0);
	encode_map(code, BPF_REG_1, program->scratch_fd);
	program_find_value(code, AT_ZERO);
	check_value(code);
	encode_copy(code, BPF_REG_7, BPF_REG_0);
	encode_call(code, BPF_FUNC_get_smp_processor_id);
	encode_store(code, BPF_W, BPF_REG_7, SPILLED(cpu), BPF_REG_0);
	copy_words(code, BPF_W, SPILLED(id), AT_KEY_FIELD(id));
	copy_words(code, BPF_W, SPILLED(is_user), AT_KEY_FIELD(is_user));
	copy_words(code, BPF_DW, SPILLED(comm), AT_VALUE_FIELD(comm));
	copy_words(code, BPF_DW, SPILLED(comm) + 8, AT_VALUE_FIELD(comm) + 8);
	copy_words(code, BPF_DW, SPILLED(end), AT_VALUE_FIELD(end));
	copy_words(code, BPF_DW, SPILLED(guess), AT_VALUE_FIELD(guess));
	encode_set(code, BPF_REG_0, COUNTS_NO_STACK);
	encode_store(code, BPF_DW, BPF_REG_7, SPILLED(kernel_len), BPF_REG_0);
	encode_store(code, BPF_DW, BPF_REG_7, SPILLED(user_len), BPF_REG_0);
	if (program->frames & CPUPROBE_FRAMES_KERNEL) {
		u32 is_user = encode_jump(code, BPF_JNE, BPF_REG_6, 0);

		spill_frames(code, program, SPILLED(kernel), SPILLED(kernel_len), 0);
		encode_land(code, is_user);
	}
	if (program->frames & CPUPROBE_FRAMES_USER)
		spill_frames(code, program, SPILLED(user), SPILLED(user_len), BPF_F_USER_STACK);
	encode_map(code, BPF_REG_1, program->ring_fd);
	encode_copy(code, BPF_REG_2, BPF_REG_7);
	encode_set(code, BPF_REG_3, sizeof(struct stack_spilled));
	encode_set(code, BPF_REG_4, BPF_RB_NO_WAKEUP);
	encode_call(code, BPF_FUNC_ringbuf_output);
	encode_copy(code, BPF_REG_8, BPF_REG_0);
	program_count_addition(code, program->page_fd, AT_CPU);
}

/* Adds the key to the hash of its turn, which r8 is. */
static void add_key(struct encode *code, const struct stack_program *program)
{
	u32 is_second, go;

	encode_set(code, BPF_REG_0, 1);
	encode_store(code, BPF_DW, BPF_REG_10, AT_VALUE_FIELD(hits), BPF_REG_0);
	is_second = encode_jump(code, BPF_JNE, BPF_REG_8, 0);
	encode_map(code, BPF_REG_1, program->hash_fd[0]);
	go = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_second);
	encode_map(code, BPF_REG_1, program->hash_fd[1]);
	encode_land(code, go);
	program_point_at(code, BPF_REG_2, AT_KEY);
	program_point_at(code, BPF_REG_3, AT_VALUE);
	encode_set(code, BPF_REG_4, BPF_ANY);
	encode_call(code, BPF_FUNC_map_update_elem);
	encode_copy(code, BPF_REG_8, BPF_REG_0);
	program_count_addition(code, program->page_fd, AT_CPU);
}

void stack_program_write(struct encode *code, const struct stack_program *program)
{
	u32 rare[6], nr, i, second, has_place;

	write_key(code, program);
	encode_set(code, BPF_REG_0, 0);
	encode_store(code, BPF_DW, BPF_REG_10, AT_VALUE_FIELD(guess), BPF_REG_0);
	if (program->frames & CPUPROBE_FRAMES_USER)
		walk_user(code, program);
	else
		number_name(code, program);
	second = find_turn(code, program->page_fd);
	nr = count_in_turn(code, program, 0, rare);
	encode_land(code, second);
	nr += count_in_turn(code, program, 1, rare + nr);
	for (i = 0; i < nr; i++)
		encode_land(code, rare[i]);
	describe_stack(code, program);
	program_write_comm(code, AT_VALUE_FIELD(comm));
	encode_load(code, BPF_W, BPF_REG_6, BPF_REG_10, AT_KEY_FIELD(is_user));
	encode_load(code, BPF_DW, BPF_REG_8, BPF_REG_10, AT_WHY);
	has_place = encode_jump(code, BPF_JNE, BPF_REG_8, WHY_NO_PLACE);
	spill(code, program);
	encode_land(code, has_place);
	add_key(code, program);
}
