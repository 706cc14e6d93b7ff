/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks of one CPU; identical stacks are counted together. Records of variable length follow each
 * other in an arena of fixed size, with a hash table of their positions. One writer, its CPU's
 * sampler; readers wait until it is retired (see session.h).
 *
 * A sample writes its stack after the last record, as a candidate. If an identical record exists,
 * that record is counted and the candidate's space is reused. So no stack is ever copied.
 */
#ifndef CPUPROBE_STACKS_H
#define CPUPROBE_STACKS_H

#include "cpuprobe.h"
#include "pure.h"

/* Slots searched before a sample is lost. Few are lost: a reader wakes when a third is in use. */
#define STACKS_SEARCH		16
#define STACKS_RECORD_WORDS	(sizeof(struct cpuprobe_stack) / 8)
#define STACKS_WORDS_MAX	(STACKS_RECORD_WORDS + 2 * CPUPROBE_FRAMES_MAX)

/** A slot of the hash table. */
struct stacks_slot {
	u32 word;	/* position of the record in the arena, plus one; 0: free */
	u32 hash;
};

struct stacks {
	u64 lost[CPUPROBE_MODES];	/* samples that found no room */
	u64 other_exe;
	u64 other_task;
	u32 nr;				/* records */
	u32 nr_words;			/* arena words in use; poll() reads it on other CPUs */
	/* immutable after stacks_init() */
	u32 room;	/* words for records; the arena continues with room for one candidate */
	u32 slot_bits;			/* log2 of the number of slots */
	struct stacks_slot *slot;
	u64 *arena;
};

/**
 * stacks_init() - lay out the hash table and the arena in @memory.
 * @memory: zeroed; belongs to the caller
 * @bytes: its size, at least half of CPUPROBE_STACK_KIB_MIN
 */
void stacks_init(struct stacks *stacks, void *memory, size_t bytes);

/** stacks_clear() - clear all counts. Not for the active bank. */
void stacks_clear(struct stacks *stacks);

/** stacks_candidate() - where a sample writes its stack: all fields from exe on. */
static inline struct cpuprobe_stack *stacks_candidate(struct stacks *stacks)
{
	return (struct cpuprobe_stack *)&stacks->arena[stacks->nr_words];
}

/**
 * stacks_get() - find the record with the same stack as the candidate, or turn the candidate into
 * one. Hard irq. Searches STACKS_SEARCH slots at most.
 * A new record has no hits, and needs a name. NULL: no room; the caller then counts the sample as lost.
 */
struct cpuprobe_stack *stacks_get(struct stacks *stacks);

/** stacks_is_filling() - whether more than half of the room is in use. Any context: a hint. */
static inline bool stacks_is_filling(const struct stacks *stacks)
{
	return READ_ONCE(stacks->nr_words) > stacks->room / 2;
}

/** stacks_fills_with() - whether the last record, @stack, is the one with which stacks_is_filling() became true. */
static inline bool stacks_fills_with(const struct stacks *stacks, const struct cpuprobe_stack *stack)
{
	return stacks_is_filling(stacks) && (const u64 *)stack - stacks->arena <= stacks->room / 2;
}

/** stacks_hits() - number of samples in all records, without lost ones. */
u64 stacks_hits(const struct stacks *stacks);

#endif
