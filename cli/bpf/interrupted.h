/* SPDX-License-Identifier: GPL-2.0-only */
/* The interrupted registers, as a BPF program finds them: depends on the processor. */
#ifndef INTERRUPTED_H
#define INTERRUPTED_H

#include "bpf/btf.h"
#include "bpf/encode.h"

/**
 * Offsets from the program's argument, struct bpf_perf_event_data, and in the kernel's struct pt_regs,
 * which it begins with.
 */
struct interrupted {
	s16 pc;			/* the program counter, 8 bytes */
	s16 mode;		/* 8 bytes that tell 64-bit user code: ... */
	s32 wide_mask;		/* ... these bits ... */
	s32 wide_mode;		/* ... are these */
	s16 fp, sp;		/* frame pointer and stack pointer, 8 bytes each */
	s16 syscall;		/* 4 bytes, -1 unless user mode was left by a system call */
};

extern const struct interrupted interrupted;

/**
 * interrupted_find_user() - set r6 to a number below COUNTS_SOFTIRQ, other than 0 if user mode was interrupted. r1: the
 * program's argument.
 */
void interrupted_find_user(struct encode *code);

/** The places of the preempt count in different kernels. */
extern const struct btf_name interrupted_counts[];

/** Their number. */
extern const size_t interrupted_nr_counts;

/** interrupted_find_counts() - r0 = start of what contains the preempt count at @place. Changes r1 to r5. */
void interrupted_find_counts(struct encode *code, const struct btf_place *place);

/**
 * interrupted_guess_caller() - read the return address of interrupted user code while its function has no
 * frame, by the module's rules (arch_frameless_caller()): the instruction tells that, or the word follows a
 * call of the function.
 * r9: the program's argument; r8: the stack pointer. Changes r0 to r6.
 * @at_guess: u64 of the program's stack that receives it; 0: the function seems to have a frame
 * @at_word: u64 of the stack that is overwritten
 */
void interrupted_guess_caller(struct encode *code, int at_guess, int at_word);

#endif
