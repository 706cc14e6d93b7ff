/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files that build a listing: pieces, code, candidates. */
#ifndef LISTING_PARTS_H
#define LISTING_PARTS_H

#include "code/listing.h"

/** An instruction that may become a row. */
struct candidate {
	struct insn insn;
	u32 piece;		/* index */
	u32 slot;
	size_t head;		/* index of the first candidate in the same slot */
	enum insn_slip slip;
	bool is_shown;
};

/** A listing under construction. */
struct draft {
	const struct listing_request *request;
	struct disassembler *disassembler;
	struct listing_piece *pieces;		/* by address */
	u8 **bytes;				/* code of each piece, from its start */
	size_t *lens;				/* bytes read of each piece; 0: none */
	size_t nr_pieces;
	struct candidate *candidates;		/* by address */
	size_t nr;
	bool is_guessed;			/* as in struct listing */
};

/** draft_read() - find the pieces, read and decode them. -ENOMEM. */
int draft_read(struct draft *draft, struct text_error *error_ret);

/** draft_deinit() - free all that @draft holds, except its request and disassembler. */
void draft_deinit(struct draft *draft);

/** draft_hits() - hits of candidate @i's slot; 0 if an earlier candidate is in the same slot. */
u64 draft_hits(const struct draft *draft, size_t i);

/**
 * draft_choose() - mark the candidates to show: all of them if they fit, otherwise the hottest
 * with their neighbours. -ENOMEM.
 */
int draft_choose(struct draft *draft);

/** draft_mark() - mark the rows of the hottest loop and the targets of jumps. */
void draft_mark(const struct draft *draft, struct listing *listing);

#endif
