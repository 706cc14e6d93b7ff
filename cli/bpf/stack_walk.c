// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following frame pointers: see stack_walk.h. The kernel's own walk costs twice as much for each sample, since a
 * stack that does not end in 0 costs it a page fault.
 *
 * Registers: r6 = frames so far, with the program counter; r7 = frame pointer; r8 = end of the frame before;
 * r3 = stack pointer. In the walk that numbers stacks r4 = where the bytes were read; r5 = the number so far;
 * r2 = its factor.
 */
#include "bpf/interrupted.h"
#include "bpf/program_parts.h"
#include "bpf/stack_program.h"
#include "bpf/stack_walk.h"

/* No stack is larger: a frame pointer beyond this is none. */
#define STACK_BYTES_MAX	(64 << 20)

#define FRAME_BYTES	(2 * (int)sizeof(u64))
#define WORD		((int)sizeof(u64))

/** Jumps out of a walk, by how it ends. */
struct ends {
	u32 whole[3], invalid[6], unreadable[2];
	u32 nr_whole, nr_invalid, nr_unreadable;
};

static void check_pointer(struct encode *code, struct ends *ends)
{
	ends->whole[ends->nr_whole++] = encode_jump(code, BPF_JEQ, BPF_REG_7, 0);
	ends->invalid[ends->nr_invalid++] = encode_jump_reg(code, BPF_JLT, BPF_REG_7, BPF_REG_8);
	ends->invalid[ends->nr_invalid++] = encode_jump(code, BPF_JSET, BPF_REG_7, WORD - 1);
	encode_copy(code, BPF_REG_1, BPF_REG_7);
	encode_alu_reg(code, BPF_SUB, BPF_REG_1, BPF_REG_3);
	ends->invalid[ends->nr_invalid++] = encode_jump(code, BPF_JGT, BPF_REG_1, STACK_BYTES_MAX);
}

static void land_all(struct encode *code, const u32 *jumps, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		encode_land(code, jumps[i]);
}

/* r0 = flags. A walk that comes here without a jump is whole. */
static void land_ends(struct encode *code, const struct ends *ends)
{
	u32 done[2];

	land_all(code, ends->whole, ends->nr_whole);
	encode_set(code, BPF_REG_0, 0);
	done[0] = encode_jump(code, BPF_JA, 0, 0);
	land_all(code, ends->unreadable, ends->nr_unreadable);
	encode_set(code, BPF_REG_0, CPUPROBE_STACK_UNREADABLE);
	done[1] = encode_jump(code, BPF_JA, 0, 0);
	land_all(code, ends->invalid, ends->nr_invalid);
	encode_set(code, BPF_REG_0, CPUPROBE_STACK_NO_FRAME_POINTER);
	encode_land(code, done[0]);
	encode_land(code, done[1]);
}

/* Returns the jump of memory that cannot be read. */
static u32 read_user(struct encode *code, int at, u32 len)
{
	program_point_at(code, BPF_REG_1, at);
	encode_set(code, BPF_REG_2, len);
	encode_copy(code, BPF_REG_3, BPF_REG_7);
	encode_call(code, BPF_FUNC_probe_read_user);
	return encode_jump(code, BPF_JNE, BPF_REG_0, 0);
}

/*
 * Reads the stack from r7 on. At its upper end, where that many bytes are not there, the frame is read to the
 * end of the buffer, so that the next one is read anew.
 */
static void read_bytes(struct encode *code, const struct stack_walk_at *at, u64 factor, struct ends *ends)
{
	u32 is_short, go;

	is_short = read_user(code, at->bytes, STACK_WALK_BYTES);
	encode_set(code, BPF_REG_1, 0);
	go = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_short);
	ends->unreadable[ends->nr_unreadable++] =
		read_user(code, at->bytes + STACK_WALK_BYTES - FRAME_BYTES, FRAME_BYTES);
	encode_set(code, BPF_REG_1, STACK_WALK_BYTES - FRAME_BYTES);
	encode_land(code, go);
	encode_copy(code, BPF_REG_4, BPF_REG_7);
	encode_alu_reg(code, BPF_SUB, BPF_REG_4, BPF_REG_1);
	encode_load(code, BPF_DW, BPF_REG_3, BPF_REG_10, at->sp);
	encode_load(code, BPF_DW, BPF_REG_5, BPF_REG_10, at->hash);
	encode_set_wide(code, BPF_REG_2, factor);
}

/* r5 = r5 times r2. The shift keeps lower bits from depending on lower bits alone. Changes r1. */
static void mix(struct encode *code)
{
	encode_alu_reg(code, BPF_MUL, BPF_REG_5, BPF_REG_2);
	encode_copy(code, BPF_REG_1, BPF_REG_5);
	encode_alu(code, BPF_RSH, BPF_REG_1, 32);
	encode_alu_reg(code, BPF_XOR, BPF_REG_5, BPF_REG_1);
}

/* The frame is in the buffer, at r1. */
static void add_frame(struct encode *code, const struct stack_walk_at *at, struct ends *ends)
{
	encode_copy(code, BPF_REG_0, BPF_REG_10);
	encode_alu_reg(code, BPF_ADD, BPF_REG_0, BPF_REG_1);
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_0, at->bytes + WORD);
	ends->whole[ends->nr_whole++] = encode_jump(code, BPF_JEQ, BPF_REG_1, 0);
	encode_copy(code, BPF_REG_8, BPF_REG_7);
	encode_alu(code, BPF_ADD, BPF_REG_8, FRAME_BYTES);
	encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_0, at->bytes);
	encode_alu_reg(code, BPF_XOR, BPF_REG_5, BPF_REG_1);
	mix(code);
	encode_store(code, BPF_DW, BPF_REG_10, at->hash, BPF_REG_5);
	encode_alu(code, BPF_ADD, BPF_REG_6, 1);
}

static void walk(struct encode *code, const struct stack_walk_at *at, u64 factor)
{
	struct ends ends = { .nr_whole = 0 };
	u32 buffer, frame, last;

	encode_store(code, BPF_DW, BPF_REG_10, at->sp, BPF_REG_8);
	encode_copy(code, BPF_REG_3, BPF_REG_8);
	check_pointer(code, &ends);
	buffer = code->nr;
	read_bytes(code, at, factor, &ends);
	frame = code->nr;
	add_frame(code, at, &ends);
	last = encode_jump(code, BPF_JEQ, BPF_REG_6, STACK_FRAMES);
	check_pointer(code, &ends);
	encode_copy(code, BPF_REG_1, BPF_REG_7);
	encode_alu_reg(code, BPF_SUB, BPF_REG_1, BPF_REG_4);
	encode_back(code, BPF_JGT, BPF_REG_1, STACK_WALK_BYTES - FRAME_BYTES, buffer);
	encode_back(code, BPF_JA, 0, 0, frame);
	encode_land(code, last);
	land_ends(code, &ends);
}

void stack_walk_write_end(struct encode *code, int at_end)
{
	encode_alu(code, BPF_LSH, BPF_REG_6, STACK_END_SHIFT);
	encode_alu_reg(code, BPF_OR, BPF_REG_0, BPF_REG_6);
	encode_alu(code, BPF_OR, BPF_REG_0, STACK_END_KNOWN);
	encode_store(code, BPF_DW, BPF_REG_10, at_end, BPF_REG_0);
}

void stack_walk_user(struct encode *code, const struct stack_walk_at *at, u64 factor)
{
	u32 is_wide, done;

	encode_load(code, BPF_DW, BPF_REG_5, BPF_REG_9, interrupted.pc);
	encode_set_wide(code, BPF_REG_2, factor);
	/* Or else another instruction and another caller could have the same number, if they differ in the same bits. */
	mix(code);
	encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_9, interrupted.fp);
	encode_load(code, BPF_DW, BPF_REG_8, BPF_REG_9, interrupted.sp);
	encode_load(code, BPF_DW, BPF_REG_0, BPF_REG_9, interrupted.mode);
	encode_store(code, BPF_DW, BPF_REG_10, at->hash, BPF_REG_5);
	encode_set(code, BPF_REG_6, 1);
	encode_alu(code, BPF_AND, BPF_REG_0, interrupted.wide_mask);
	is_wide = encode_jump(code, BPF_JEQ, BPF_REG_0, interrupted.wide_mode);
	encode_set(code, BPF_REG_0, CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER);
	done = encode_jump(code, BPF_JA, 0, 0);
	encode_land(code, is_wide);
	walk(code, at, factor);
	encode_land(code, done);
	stack_walk_write_end(code, at->end);
}

void stack_walk_guess(struct encode *code, const struct stack_walk_at *at, int at_guess, int at_word)
{
	u32 is_narrow;

	encode_load(code, BPF_DW, BPF_REG_0, BPF_REG_10, at->end);
	is_narrow = encode_jump(code, BPF_JSET, BPF_REG_0, CPUPROBE_STACK_32BIT);
	encode_load(code, BPF_DW, BPF_REG_8, BPF_REG_9, interrupted.sp);
	interrupted_guess_caller(code, at_guess, at_word);
	encode_land(code, is_narrow);
}

void stack_walk_add(struct encode *code, int at_word, int at_hash, u64 factor)
{
	encode_load(code, BPF_DW, BPF_REG_5, BPF_REG_10, at_hash);
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, at_word);
	encode_set_wide(code, BPF_REG_2, factor);
	encode_alu_reg(code, BPF_XOR, BPF_REG_5, BPF_REG_1);
	mix(code);
	encode_store(code, BPF_DW, BPF_REG_10, at_hash, BPF_REG_5);
}

void stack_walk_frames(struct encode *code, int at_sp, int at_frame)
{
	struct ends ends = { .nr_whole = 0 };
	u32 loop;

	encode_store(code, BPF_DW, BPF_REG_10, at_sp, BPF_REG_8);
	encode_set(code, BPF_REG_6, 1);
	loop = code->nr;
	encode_load(code, BPF_DW, BPF_REG_3, BPF_REG_10, at_sp);
	check_pointer(code, &ends);
	ends.unreadable[ends.nr_unreadable++] = read_user(code, at_frame, FRAME_BYTES);
	encode_load(code, BPF_DW, BPF_REG_1, BPF_REG_10, at_frame + WORD);
	ends.whole[ends.nr_whole++] = encode_jump(code, BPF_JEQ, BPF_REG_1, 0);
	encode_copy(code, BPF_REG_8, BPF_REG_7);
	encode_alu(code, BPF_ADD, BPF_REG_8, FRAME_BYTES);
	encode_load(code, BPF_DW, BPF_REG_7, BPF_REG_10, at_frame);
	encode_alu(code, BPF_ADD, BPF_REG_6, 1);
	encode_back(code, BPF_JLT, BPF_REG_6, STACK_FRAMES, loop);
	land_ends(code, &ends);
}
