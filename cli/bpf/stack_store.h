/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames of stacks that a BPF program numbers: two maps of the kernel's, which take turns with the hashes
 * that count the numbers (counts.h), and a ring for samples whose stack found no place there.
 */
#ifndef STACK_STORE_H
#define STACK_STORE_H

#include "bpf/counts.h"
#include "bpf/stack_program.h"

/**
 * stack_store_cost() - bytes that room for one stack takes: both turns of the kernel's maps, whose counters have
 * a part for each possible CPU, and the keys and counters of a harvest. The frames of a harvest are not included:
 * they take 520 bytes for each stack that was found.
 */
u64 stack_store_cost(u32 nr_possible);

/**
 * stack_store_bytes() - memory for the stacks of @nr_cpus sampled CPUs: @kib for each; 0: CPUPROBE_STACK_KIB for
 * each, but at most 128 MiB.
 */
u64 stack_store_bytes(u64 kib, size_t nr_cpus);

/**
 * stack_store_room() - stacks that find room in one turn: a power of two. They cost at most @spec's stack_bytes,
 * or 2 MiB if this is more, but there is room for 128.
 */
u32 stack_store_room(const struct counts_spec *spec);

/** stack_store_create() - create the maps. NULL with a reason: not allowed, or out of memory. */
struct stack_store *stack_store_create(const struct counts_spec *spec, u32 nr, struct text_error *error_ret);

/** stack_store_destroy() - NULL is allowed. */
void stack_store_destroy(struct stack_store *store);

/** stack_store_load() - load the program. Returns a descriptor, or -errno with a reason. */
int stack_store_load(const struct stack_store *store, const struct counts *counts,
		     const struct counts_spec *spec, struct text_error *error_ret);

/** stack_store_spills() - samples that find room in the ring. */
u32 stack_store_spills(void);

/** stack_store_is_due() - whether the ring should be taken before it fills up. May run in any thread. */
bool stack_store_is_due(const struct stack_store *store);

/**
 * stack_store_take() - read and clear the stacks of a turn that no program uses any more, and the ring.
 * @counts: has the keys and values of that turn
 */
int stack_store_take(struct stack_store *store, const struct counts *counts, u32 turn,
		     struct text_error *error_ret);

/**
 * stack_store_frames() - the frames of a number that was taken, innermost first, until the next turn is
 * taken. NULL: a number below 0, or it found no room in memory.
 */
const u64 *stack_store_frames(const struct stack_store *store, s32 number, u32 *nr_ret);

/** stack_store_depth() - number of frames at which the kernel cuts a stack. */
u32 stack_store_depth(const struct stack_store *store);

/** stack_store_spilled() - the samples of the ring that were taken. */
const struct stack_spilled *stack_store_spilled(const struct stack_store *store, u32 *nr_ret);

#endif
