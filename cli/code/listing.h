/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of a range with the hits of its slots. The hits of a slot belong to all
 * instructions that begin in the slot: nothing divides these hits among the instructions. Every
 * hit of the range is counted in exactly one row or sum. No side effects except reading code and
 * source lines.
 *
 *	struct code code;
 *	struct listing *listing;
 *
 *	code_open_file(&code, fd, path, &error);
 *	listing_create(&request, &listing, &error);
 *	for (i = 0; i < listing->nr_rows; i++)
 *		... listing->rows[i] ...
 *	listing_destroy(listing);
 *	code_close(&code);
 */
#ifndef LISTING_H
#define LISTING_H

#include "code/code.h"
#include "code/insn.h"
#include "slots.h"
#include "symbolizer.h"

#define LISTING_ROWS_MAX	120		/* instructions shown by default */
#define LISTING_BYTES_MAX	(1 << 20)	/* bytes of code to disassemble */
#define LISTING_KEPT_MAX	(64 << 10)	/* bytes of code to save with a run */

#define LISTING_SLOT_MAX	64	/* bytes; wider slots cannot tell instructions apart */
#define LISTING_BEYOND		16		/* bytes by which an instruction may pass the end */

/** Input of a listing. Everything belongs to the caller; the listing keeps no pointer to it. */
struct listing_request {
	const struct slots_layout *layout;
	const u64 *hits;			/* array of layout->nr_slots */
	const struct sym_index *symbols;	/* NULL: none */
	const struct code *code;
	struct sym_lines *lines;		/* NULL: none */
	size_t max_rows;			/* instructions; 0: LISTING_ROWS_MAX */
};

/** Position of a row in the hottest loop. */
enum listing_loop { LOOP_NONE, LOOP_FIRST, LOOP_INSIDE, LOOP_LAST };

/** One instruction. */
struct listing_row {
	u64 addr;
	u64 hits;		/* hits of the slot; 0 if is_ditto */
	u64 skipped;		/* number of instructions omitted before this row */
	const char *name;	/* function; NULL: unknown */
	u64 entry;		/* address of the function; 0 without a name */
	const char *file;	/* source file; NULL: unknown */
	const char *source;	/* text of the source line; NULL: unavailable */
	u32 line;
	u32 slot;
	u16 flags;		/* INSN_* */
	u8 len;
	bool is_ditto;		/* an earlier row of the same slot has the hits */
	bool is_target;		/* a jump of the same piece leads here */
	enum insn_slip slip;
	enum listing_loop loop;
	char *text;
};

struct listing {
	struct listing_row *rows;	/* by address */
	size_t nr_rows;
	u64 hits;			/* all hits of the range: rows, others, astray, unread */
	u64 others;			/* hits of omitted instructions */
	u64 nr_others;			/* number of omitted instructions */
	u64 astray;			/* hits of slots in which no instruction begins */
	u64 unread;			/* hits of slots whose code could not be read */
	u64 bad_bytes;			/* bytes that could not be decoded */
	u64 slot_bytes;
	u64 loop_low;			/* start of the hottest loop; loop_insns 0: no loop */
	u64 loop_high;			/* end of the loop (exclusive) */
	u64 loop_hits;
	u32 loop_insns;
	bool is_guessed;	/* some instruction boundaries are a guess from the hits */
	bool is_emulated;	/* as in struct code */
	unsigned int nr_newer;	/* source files not quoted: newer than the program */
	struct listing_strings *strings;
};

/**
 * listing_create() - disassemble the functions that were hit.
 * @listing_ret: for listing_destroy(); untouched on failure
 * -ENODATA: no code could be read where the hits are. -ENOTSUP: the machine is not supported.
 * -ERANGE: slots are wider than LISTING_SLOT_MAX. -ENOMEM.
 */
int listing_create(const struct listing_request *request, struct listing **listing_ret,
		   struct text_error *error_ret);

/** listing_destroy() - NULL is allowed. */
void listing_destroy(struct listing *listing);

/** listing_hottest() - the row with the most hits; NULL: no row has hits. */
const struct listing_row *listing_hottest(const struct listing *listing);

/** A contiguous range of code, decoded as one. */
struct listing_piece {
	u64 start;			/* address at which decoding begins */
	u64 low;			/* first address listed */
	u64 high;			/* end of the piece (exclusive) */
	u64 hits;			/* hits of the slots that overlap the piece */
	const struct sym *sym;		/* NULL: no symbol */
};

/**
 * listing_pieces() - find the functions that were hit, most hits first, up to @max_bytes of code.
 * @pieces_ret: array of *@nr_ret, freed by the caller
 * -ENOMEM.
 */
int listing_pieces(const struct listing_request *request, size_t max_bytes,
		   struct listing_piece **pieces_ret, size_t *nr_ret);

#endif
