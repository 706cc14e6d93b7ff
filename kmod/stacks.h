/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks of one CPU, identical ones counted together: records of differing length, one behind the
 * other in an arena of fixed size, found through a hash table of their places. One writer, its
 * CPU's sampler; read only after it has been retired (see session.h).
 *
 * A sample writes its stack behind the last record and then looks whether there is one like it: if
 * so that is counted, and the space used again. So nothing is copied.
 */
#ifndef CPUPROBE_STACKS_H
#define CPUPROBE_STACKS_H

#include "cpuprobe.h"
#include "pure.h"

/* Places looked at before a sample is lost. Few are: the reader is woken when a third is in use. */
#define STACKS_SEARCH		16
#define STACKS_RECORD_WORDS	(sizeof(struct cpuprobe_stack) / 8)
#define STACKS_WORDS_MAX	(STACKS_RECORD_WORDS + 2 * CPUPROBE_FRAMES_MAX)

/** A place in the hash table. */
struct stacks_slot {
	u32 word;	/* where in the arena, plus one; 0: free */
	u32 hash;
};

struct stacks {
	u64 lost[CPUPROBE_MODES];	/* samples that found no room */
	u64 other_exe;
	u64 other_task;
	u32 nr;				/* records */
	u32 nr_words;			/* of the arena in use; read from afar by poll() */
	/* fixed once made */
	u32 room;	/* words that records may take; as many as a record can have follow */
	u32 slot_bits;			/* log2 of the number of slots */
	struct stacks_slot *slot;
	u64 *arena;
};

/**
 * stacks_init() - lay out @memory, @bytes long (at least half of CPUPROBE_STACK_KIB_MIN), zeroed.
 * The memory stays the caller's.
 */
void stacks_init(struct stacks *stacks, void *memory, size_t bytes);

/** stacks_clear() - forget all counts. Not for the active one. */
void stacks_clear(struct stacks *stacks);

/** stacks_candidate() - where a sample writes its stack; all of it but what stands before exe. */
static inline struct cpuprobe_stack *stacks_candidate(struct stacks *stacks)
{
	return (struct cpuprobe_stack *)&stacks->arena[stacks->nr_words];
}

/**
 * stacks_get() - the record of the same stack as the candidate's, made of it if need be.
 * Hard irq. Looks at STACKS_SEARCH places at most.
 * @created: set when the record is new and wants a name, untouched otherwise
 *
 * NULL when there is no room; the caller then counts the sample as lost.
 */
struct cpuprobe_stack *stacks_get(struct stacks *stacks, bool *created);

/** stacks_is_filling() - whether half of the room is taken. Any context: a hint. */
static inline bool stacks_is_filling(const struct stacks *stacks)
{
	return READ_ONCE(stacks->nr_words) > stacks->room / 2;
}

/** stacks_hits() - samples in all records, the lost ones not among them. */
u64 stacks_hits(const struct stacks *stacks);

#endif
