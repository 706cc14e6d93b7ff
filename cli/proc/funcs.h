/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slots of a run of `probe proc` grouped by function, to compare builds: the hits of each
 * function, and sums over blocks of about a second, from which its variance follows. No side
 * effects.
 */
#ifndef FUNCS_H
#define FUNCS_H

#include "slots.h"
#include "symbolizer.h"
#include "types.h"

/** One function. -save writes this struct: its layout is fixed. */
struct func {
	u64 hits;
	double sum;		/* sum over blocks of its share of the samples */
	double sum2;		/* sum of the squares of these shares */
	char name[104];		/* clean */
};

struct funcs {
	struct func func[CPUPROBE_SLOTS];
	u32 nr;
	u64 nr_blocks;
	u64 shared_hits;		/* hits in slots that several functions share */
	/* used only during the run */
	u16 of_slot[CPUPROBE_SLOTS];
	u8 is_shared[CPUPROBE_SLOTS];
	u64 hits_before[CPUPROBE_SLOTS];
	u64 taken_before;
};

/**
 * funcs_init() - assign each slot to the function with the most bytes in the slot.
 * @symbols: NULL: none
 * @object: name of the single "function" for all addresses without a symbol
 */
void funcs_init(struct funcs *funcs, const struct slots_layout *layout,
		const struct sym_index *symbols, const char *object);

/** funcs_end_block() - end a block. @hits, @taken: since the start of the run, without excluded. */
void funcs_end_block(struct funcs *funcs, const u64 *hits, u64 taken);

/** funcs_finish() - fill in the hits of all functions, and shared_hits. */
void funcs_finish(struct funcs *funcs, const struct slots_layout *layout, const u64 *hits);

#endif
