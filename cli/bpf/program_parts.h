/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts that several BPF programs have. Pure: they are written here, not loaded. */
#ifndef PROGRAM_PARTS_H
#define PROGRAM_PARTS_H

#include "bpf/encode.h"

/** program_point_at() - @reg = address of the program's stack at @at, a negative offset. */
void program_point_at(struct encode *code, u8 reg, int at);

/** program_find_value() - r0 = address of the value of the key at @at in the map that r1 is; 0: none. */
void program_find_value(struct encode *code, int at);

/** program_add_one() - add one to the u64 at r0 + @offset. Changes r1. */
void program_add_one(struct encode *code, int offset);

/**
 * program_write_comm() - write the current task's name, NUL-padded, to COUNTS_NAME_LEN bytes of the program's
 * stack at @at.
 */
void program_write_comm(struct encode *code, int at);

/**
 * program_count_addition() - count in the shared page whether the new key found room, and exit.
 * r8 is the result of adding it, and r6 is 0 in kernel mode.
 * @page_fd: array of struct counts_page, by CPU
 * @at_cpu: four bytes of the stack, in which the key is made
 */
void program_count_addition(struct encode *code, int page_fd, int at_cpu);

#endif
