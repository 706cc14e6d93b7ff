// SPDX-License-Identifier: GPL-2.0-only
/* The walk of BPF along frame pointers: cli/bpf/stack_walk.c, run by an interpreter on stacks made here. */
#include <sys/random.h>

#include "bpf_runs.h"
#include "bpf/interrupted.h"
#include "bpf/stack_program.h"
#include "bpf/stack_walk.h"

#define WORDS	512
#define PC	0x555555554100
#define RETURN	0x555555554800

enum { AT_END = -8, AT_HASH = -16, AT_SP = -24, AT_BYTES = AT_SP - STACK_WALK_BYTES, AT_GUESS = AT_BYTES - 8,
       AT_WORD = AT_GUESS - 8 };

/** A thread that was interrupted. */
struct thread {
	u64 pc, fp, sp, mode;
	u64 words[WORDS];	/* its stack */
	size_t nr;		/* words of it that can be read */
};

/** The answer of the walk. */
struct walked {
	u32 frames, flags;
	bool is_known;
	u64 number;
	u64 guess;
};

static u64 factor;

static int draw_factor(void **state)
{
	assert_int_equal(getrandom(&factor, sizeof(factor), 0), sizeof(factor));
	factor |= 1;
	return 0;
}

static void *word_at(char *argument, s16 offset)
{
	return argument + offset;
}

static struct walked walk_thread(const struct thread *thread)
{
	const struct stack_walk_at at = { .end = AT_END, .hash = AT_HASH, .sp = AT_SP, .bytes = AT_BYTES };
	const struct user_memory memory = { thread->words, thread->nr };
	u64 stack[BPF_RUNS_STACK / 8] = { 0 }, reg[11] = { 0 }, end;
	const u64 caller = RETURN;
	struct encode code = { .nr = 0 };
	char argument[1024] = "";
	struct walked walked;

	memcpy(word_at(argument, interrupted.pc), &thread->pc, 8);
	memcpy(word_at(argument, interrupted.fp), &thread->fp, 8);
	memcpy(word_at(argument, interrupted.sp), &thread->sp, 8);
	memcpy(word_at(argument, interrupted.mode), &thread->mode, 8);
	/* The link register, on a processor that has one. */
	memcpy(word_at(argument, 30 * sizeof(u64)), &caller, 8);
	stack_walk_user(&code, &at, factor);
	stack_walk_guess(&code, &at, AT_GUESS, AT_WORD);
	encode_exit(&code);
	reg[9] = (uintptr_t)argument;
	reg[10] = (uintptr_t)(stack + BPF_RUNS_STACK / 8);
	run_bpf(&code, &memory, reg);
	assert_ptr_equal(reg[9], (uintptr_t)argument);
	end = stack[BPF_RUNS_STACK / 8 + AT_END / 8];
	walked.number = stack[BPF_RUNS_STACK / 8 + AT_HASH / 8];
	walked.is_known = end & STACK_END_KNOWN;
	walked.frames = (end & ~(u64)STACK_END_KNOWN) >> STACK_END_SHIFT;
	walked.flags = end & STACK_END_FLAGS;
	walked.guess = stack[BPF_RUNS_STACK / 8 + AT_GUESS / 8];
	return walked;
}

/* A thread of nr callers, whose frames have @gap words each; the outermost frame pointer is 0. */
static struct thread *make_thread(struct thread *thread, u32 nr, u32 gap)
{
	u32 i;

	*thread = (struct thread){ .pc = PC, .mode = interrupted.wide_mode, .nr = WORDS };
	for (i = 0; i < nr; i++) {
		assert_true((i + 1) * gap + 2 <= WORDS);
		thread->words[i * gap] = i + 1 < nr ? (uintptr_t)&thread->words[(i + 1) * gap] : 0;
		thread->words[i * gap + 1] = RETURN + 0x100 * i;
	}
	thread->fp = nr ? (uintptr_t)thread->words : 0;
	thread->sp = (uintptr_t)thread->words;
	return thread;
}

/* The walk of a task in the kernel, from its user registers on. */
static void check_end_of_kernel(const struct thread *thread, u32 frames, u32 flags)
{
	const struct user_memory memory = { thread->words, thread->nr };
	u64 stack[BPF_RUNS_STACK / 8] = { 0 }, reg[11] = { 0 };
	struct encode code = { .nr = 0 };

	stack_walk_frames(&code, AT_SP, AT_BYTES);
	encode_exit(&code);
	reg[7] = thread->fp;
	reg[8] = thread->sp;
	reg[10] = (uintptr_t)(stack + BPF_RUNS_STACK / 8);
	run_bpf(&code, &memory, reg);
	assert_int_equal(reg[6], frames);
	assert_int_equal(reg[0], flags);
}

static void check_end(const struct thread *thread, u32 frames, u32 flags)
{
	const struct walked walked = walk_thread(thread);

	assert_true(walked.is_known);
	assert_int_equal(walked.frames, frames);
	assert_int_equal(walked.flags, flags);
	if (thread->mode == (u64)interrupted.wide_mode)
		check_end_of_kernel(thread, frames, flags);
}

static void walks_end_where_the_stack_does(void **state)
{
	struct thread thread;
	u32 gap;

	/* Frames in one read of the stack, at its border, and each in a read of its own. */
	for (gap = 2; gap <= 40; gap++) {
		check_end(make_thread(&thread, 0, gap), 1, 0);
		check_end(make_thread(&thread, 1, gap), 2, 0);
		check_end(make_thread(&thread, 11, gap), 12, 0);
	}
	check_end(make_thread(&thread, STACK_FRAMES + 9, 2), STACK_FRAMES, 0);
	/* a return address of 0 ends it too */
	make_thread(&thread, 5, 4)->words[9] = 0;
	check_end(&thread, 3, 0);
}

static void wrong_frame_pointers_are_not_followed(void **state)
{
	struct thread thread;

	make_thread(&thread, 5, 4)->sp += 8;
	check_end(&thread, 1, CPUPROBE_STACK_NO_FRAME_POINTER);
	make_thread(&thread, 5, 4)->fp += 4;
	check_end(&thread, 1, CPUPROBE_STACK_NO_FRAME_POINTER);
	make_thread(&thread, 5, 4)->fp += (64 << 20) + 8;
	check_end(&thread, 1, CPUPROBE_STACK_NO_FRAME_POINTER);
	/* the third frame leads back to itself */
	make_thread(&thread, 5, 4)->words[8] = (uintptr_t)&thread.words[8];
	check_end(&thread, 4, CPUPROBE_STACK_NO_FRAME_POINTER);
}

static void unreadable_stacks_end(void **state)
{
	struct thread thread;
	size_t nr;

	/* 5 frames are 18 words. A shorter stack lacks a frame for every four words. */
	for (nr = 18; nr < 60; nr++) {
		make_thread(&thread, 5, 4)->nr = nr;
		check_end(&thread, 6, 0);
	}
	for (nr = 0; nr < 18; nr++) {
		make_thread(&thread, 5, 4)->nr = nr;
		check_end(&thread, 1 + (nr + 2) / 4, CPUPROBE_STACK_UNREADABLE);
	}
}

static void narrow_programs_have_one_frame(void **state)
{
	struct thread thread;

	make_thread(&thread, 5, 4)->mode = interrupted.wide_mode ^ interrupted.wide_mask;
	check_end(&thread, 1, CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER);
}

/* At a return the function has no frame any more, but in 32-bit code nothing tells the caller. */
static void narrow_programs_have_no_guess(void **state)
{
	/* "ret" of x86 or arm64, whose 64-bit mode is 0 */
	const u64 instruction = interrupted.wide_mode ? 0xc3 : 0xd65f03c0;
	struct thread thread;

	make_thread(&thread, 5, 4)->words[WORDS - 1] = instruction;
	thread.words[0] = RETURN;
	thread.pc = (uintptr_t)&thread.words[WORDS - 1];
	assert_int_equal(walk_thread(&thread).guess, RETURN);
	thread.mode = interrupted.wide_mode ^ interrupted.wide_mask;
	assert_int_equal(walk_thread(&thread).guess, 0);
}

static void check_numbers_differ(const struct thread *one, const struct thread *other)
{
	assert_int_not_equal(walk_thread(one).number, walk_thread(other).number);
}

/* Not only of one word: two words may differ from those of the other stack in the same bits, as in loops and calls. */
static void check_changes_show(const struct thread *thread, u64 bits)
{
	struct thread other = *thread;
	int a, b;

	make_thread(&other, 5, 20)->pc ^= bits;
	check_numbers_differ(thread, &other);
	other.words[1] ^= bits;
	check_numbers_differ(thread, &other);
	for (a = 0; a < 4; a++)
		for (b = a + 1; b < 5; b++) {
			make_thread(&other, 5, 20)->words[a * 20 + 1] ^= bits;
			check_numbers_differ(thread, &other);
			other.words[b * 20 + 1] ^= bits;
			check_numbers_differ(thread, &other);
		}
}

static void other_stacks_have_other_numbers(void **state)
{
	struct thread one, other;
	u64 bits;

	make_thread(&one, 5, 20);
	for (bits = 1; bits < 1 << 12; bits++)
		check_changes_show(&one, bits);
	for (; bits; bits <<= 1)
		check_changes_show(&one, bits);
	/* one caller more, and two in the other order */
	check_numbers_differ(&one, make_thread(&other, 6, 20));
	make_thread(&other, 5, 20)->words[21] = one.words[41];
	other.words[41] = one.words[21];
	check_numbers_differ(&one, &other);
}

static void numbers_depend_on_frames_alone(void **state)
{
	struct thread one, other;
	u32 gap;

	make_thread(&one, 11, 2);
	for (gap = 2; gap <= 40; gap++)
		assert_int_equal(walk_thread(make_thread(&other, 11, gap)).number, walk_thread(&one).number);
}

/* A word more, such as the guess at a caller, is a part of the number. */
static void numbers_depend_on_added_words(void **state)
{
	const struct user_memory memory = { NULL, 0 };
	u64 stack[BPF_RUNS_STACK / 8] = { 0 }, reg[11] = { 0 }, numbers[3];
	struct encode code = { .nr = 0 };
	int i;

	stack_walk_add(&code, AT_END, AT_HASH, factor);
	encode_exit(&code);
	reg[10] = (uintptr_t)(stack + BPF_RUNS_STACK / 8);
	for (i = 0; i < 3; i++) {
		stack[BPF_RUNS_STACK / 8 + AT_HASH / 8] = i == 2 ? 1000 : 7;
		stack[BPF_RUNS_STACK / 8 + AT_END / 8] = i == 1 ? RETURN : PC;
		run_bpf(&code, &memory, reg);
		numbers[i] = stack[BPF_RUNS_STACK / 8 + AT_HASH / 8];
	}
	assert_int_not_equal(numbers[0], numbers[1]);
	assert_int_not_equal(numbers[0], numbers[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks_end_where_the_stack_does),
		cmocka_unit_test(wrong_frame_pointers_are_not_followed),
		cmocka_unit_test(unreadable_stacks_end),
		cmocka_unit_test(narrow_programs_have_one_frame),
		cmocka_unit_test(narrow_programs_have_no_guess),
		cmocka_unit_test(other_stacks_have_other_numbers),
		cmocka_unit_test(numbers_depend_on_frames_alone),
		cmocka_unit_test(numbers_depend_on_added_words),
	};

	return cmocka_run_group_tests(tests, draw_factor, NULL);
}
