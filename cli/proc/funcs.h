/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slots of a run of `probe proc` grouped by function, to compare builds: the hits of each
 * function, and sums over blocks of about a second, from which its variance follows. No side
 * effects.
 */
#ifndef FUNCS_H
#define FUNCS_H

#include <stdint.h>

#include "slots.h"
#include "symbolizer.h"

/** One function. -save writes this struct: its layout is fixed. */
struct func {
	uint64_t hits;
	double sum;		/* of its shares of all samples in each block */
	double sum2;		/* of their squares */
	char name[104];		/* clean */
};

struct funcs {
	struct func func[CPUPROBE_SLOTS];
	uint32_t nr;
	uint64_t nr_blocks;
	uint64_t shared_hits;		/* hits in slots that several functions share */
	/* used only during the run */
	uint16_t of_slot[CPUPROBE_SLOTS];
	uint8_t is_shared[CPUPROBE_SLOTS];
	uint64_t hits_before[CPUPROBE_SLOTS];
	uint64_t taken_before;
};

/**
 * funcs_init() - assign each slot to the function with the most bytes in the slot.
 * @symbols: NULL: none
 * @object: name of the single "function" for all addresses without a symbol
 */
void funcs_init(struct funcs *funcs, const struct slots_layout *layout,
		const struct sym_index *symbols, const char *object);

/** funcs_end_block() - end a block. @hits, @taken: since the start of the run, without excluded. */
void funcs_end_block(struct funcs *funcs, const uint64_t *hits, uint64_t taken);

/** funcs_finish() - fill in the hits of all functions, and shared_hits. */
void funcs_finish(struct funcs *funcs, const struct slots_layout *layout, const uint64_t *hits);

#endif
