/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the program for stacks that follows frame pointers. Pure: it is written here, not loaded. */
#ifndef STACK_WALK_H
#define STACK_WALK_H

#include "bpf/encode.h"

#define STACK_WALK_BYTES	256	/* of the user's stack, read at once */

/** Places in the program's stack that a walk uses: 8 bytes each, and for the last one more. */
struct stack_walk_at {
	int end;		/* receives how the frames end: see stack_program.h */
	int hash;		/* receives a number for the frames, of 64 bits */
	int sp;
	int bytes;		/* STACK_WALK_BYTES */
};

/**
 * stack_walk_user() - follow the frame pointers of interrupted user code, by the rules of the module's walk.
 * r9: the program's argument, which is kept; changes all other registers.
 * @factor: odd and random, for the number: among the 65,536 stacks that a turn has at most, two have the same one
 *	with a chance of 10^-10
 */
void stack_walk_user(struct encode *code, const struct stack_walk_at *at, u64 factor);

/**
 * stack_walk_guess() - guess at the caller after stack_walk_user(), see interrupted_guess_caller(). In 32-bit code no
 * return address has the 8 bytes that would be read.
 * r9: the program's argument, which is kept; changes all other registers but r7.
 * @at_guess: u64 of the program's stack, 0 before; unchanged in 32-bit code
 * @at_word: u64 of the stack that is overwritten
 */
void stack_walk_guess(struct encode *code, const struct stack_walk_at *at, int at_guess, int at_word);

/**
 * stack_walk_add() - make the number depend on another word: stacks with other words are other stacks. Changes r1, r2, r5.
 * @at_word: u64 of the program's stack
 * @at_hash: the number
 */
void stack_walk_add(struct encode *code, int at_word, int at_hash, u64 factor);

/**
 * stack_walk_frames() - the same from the frame pointer r7 on, without a number. r8: the stack pointer; leaves
 * in r6 the number of frames and in r0 the flags of their end. Keeps r9.
 * @at_frame: 16 bytes of the program's stack
 */
void stack_walk_frames(struct encode *code, int at_sp, int at_frame);

/** stack_walk_write_end() - write how frames end. r6: their number; r0: flags. Changes both. */
void stack_walk_write_end(struct encode *code, int at_end);

#endif
