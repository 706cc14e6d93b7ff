/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slots of a run of `probe proc` as functions, for comparing builds: the hits of each,
 * and sums over blocks of about a second, which tell how much it varies. Pure.
 */
#ifndef FUNCS_H
#define FUNCS_H

#include <stdint.h>

#include "slots.h"
#include "symbolizer.h"

/** One function; what -save keeps, so its layout is fixed. */
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
	uint64_t shared_hits;		/* in slots that several functions share */
	/* what only a run in progress needs */
	uint16_t of_slot[CPUPROBE_SLOTS];
	uint8_t is_shared[CPUPROBE_SLOTS];
	uint64_t hits_before[CPUPROBE_SLOTS];
	uint64_t taken_before;
};

/**
 * funcs_init() - which slot is which function: the one that has most of its bytes.
 * @symbols: NULL: none
 * @object: names what has no symbol, as a whole
 */
void funcs_init(struct funcs *funcs, const struct slots_layout *layout,
		const struct sym_index *symbols, const char *object);

/** funcs_end_block() - a block is complete. @hits, @taken: since the beginning, not excluded. */
void funcs_end_block(struct funcs *funcs, const uint64_t *hits, uint64_t taken);

/** funcs_finish() - fill in the hits. */
void funcs_finish(struct funcs *funcs, const struct slots_layout *layout, const uint64_t *hits);

#endif
