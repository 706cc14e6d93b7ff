/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of a listing share while it is made: pieces, code, marks. */
#ifndef LISTING_PARTS_H
#define LISTING_PARTS_H

#include "code/listing.h"

/** An instruction that may become a row. */
struct candidate {
	struct insn insn;
	uint32_t piece;		/* index */
	uint32_t slot;
	size_t head;		/* index of the first candidate of this slot */
	enum insn_slip slip;
	bool is_shown;
};

/** A listing in the making. */
struct draft {
	const struct listing_request *request;
	struct disassembler *disassembler;
	struct listing_piece *pieces;		/* by address */
	uint8_t **bytes;	/* of each piece, from its start; NULL: none could be read */
	size_t *lens;				/* of these */
	size_t nr_pieces;
	struct candidate *candidates;		/* by address */
	size_t nr;
	bool is_guessed;
};

/** draft_read() - find the pieces, read and decode them. */
int draft_read(struct draft *draft, struct text_error *error_ret);

/** draft_deinit() - free what it holds. */
void draft_deinit(struct draft *draft);

/** draft_hits() - of the slot that begins at a candidate; 0 of those that share it. */
uint64_t draft_hits(const struct draft *draft, size_t i);

/** draft_choose() - mark what is shown: all if it fits, else what was hit, with a few around. */
int draft_choose(struct draft *draft);

/** draft_mark() - find the hottest loop and the targets of jumps, and mark the rows. */
void draft_mark(const struct draft *draft, struct listing *listing);

#endif
