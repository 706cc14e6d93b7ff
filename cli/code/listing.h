/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of a range beside the hits of its slots. What slots cannot tell apart is not
 * told apart: a slot's hits belong to all instructions that begin in it. Every hit of the range
 * is in a row or in one of the sums beside them. Pure but for reading code and lines.
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

#define LISTING_ROWS_MAX	120		/* instructions shown unless all are asked for */
#define LISTING_BYTES_MAX	(1 << 20)	/* of code that are disassembled */
#define LISTING_KEPT_MAX	(64 << 10)	/* of code that are kept with a run */

#define LISTING_SLOT_MAX	64	/* bytes of a slot; wider ones tell none apart */
#define LISTING_BEYOND		16		/* an instruction may reach beyond the range */

/** What is to be listed. Everything belongs to the caller and is not needed afterwards. */
struct listing_request {
	const struct slots_layout *layout;
	const uint64_t *hits;			/* layout->nr_slots of them */
	const struct sym_index *symbols;	/* NULL: none */
	const struct code *code;
	struct sym_lines *lines;		/* NULL: none */
	size_t max_rows;			/* instructions; 0: LISTING_ROWS_MAX */
};

/** How a row belongs to the loop in which most of the time goes. */
enum listing_loop { LOOP_NONE, LOOP_FIRST, LOOP_INSIDE, LOOP_LAST };

/** One instruction. */
struct listing_row {
	uint64_t addr;
	uint64_t hits;		/* of its slot; 0 where is_ditto */
	uint64_t skipped;	/* instructions left out in front of it */
	const char *name;	/* of its function; NULL: none known */
	uint64_t entry;		/* where that begins; else of the object */
	const char *file;	/* of the source line; NULL: not known */
	const char *source;	/* that line; NULL: it cannot be had */
	uint32_t line;
	uint32_t slot;
	uint16_t flags;		/* INSN_* */
	uint8_t len;
	bool is_ditto;		/* shares its slot with the row that has the hits, above */
	bool is_target;		/* something in what was disassembled jumps here */
	enum insn_slip slip;
	enum listing_loop loop;
	char *text;
};

struct listing {
	struct listing_row *rows;	/* by address */
	size_t nr_rows;
	uint64_t hits;			/* of the range: rows, others, astray and unread */
	uint64_t others;		/* at instructions left out */
	uint64_t nr_others;		/* of these */
	uint64_t astray;		/* where no instruction begins */
	uint64_t unread;		/* where no code could be read */
	uint64_t bad_bytes;		/* that are no instruction */
	uint64_t slot_bytes;
	uint64_t loop_low;		/* the hottest loop; both 0: none */
	uint64_t loop_high;		/* end of its last instruction */
	uint64_t loop_hits;
	uint32_t loop_insns;
	bool is_guessed;	/* without symbols: where instructions begin, the hits decided */
	bool is_emulated;
	unsigned int nr_newer;	/* source files that are newer than the program: not shown */
	struct listing_strings *strings;
};

/**
 * listing_create() - disassemble what was hit, and its functions around it.
 * -ENODATA: no code could be read where hits are. -ENOTSUP: a machine that is not known.
 * -ERANGE: slots are wider than LISTING_SLOT_MAX.
 */
int listing_create(const struct listing_request *request, struct listing **listing_ret,
		   struct text_error *error_ret);

/** listing_destroy() - NULL is allowed. */
void listing_destroy(struct listing *listing);

/** listing_hottest() - the row with most hits; NULL: none has any. */
const struct listing_row *listing_hottest(const struct listing *listing);

/** One stretch of code that is disassembled in one piece. */
struct listing_piece {
	uint64_t start;			/* where decoding begins */
	uint64_t low;			/* what is listed */
	uint64_t high;
	uint64_t hits;			/* of slots that begin in it */
	const struct sym *sym;		/* NULL: without a name */
};

/**
 * listing_pieces() - the functions that were hit, most hits first, as far as @max_bytes go.
 * @pieces_ret: to be freed
 */
int listing_pieces(const struct listing_request *request, size_t max_bytes,
		   struct listing_piece **pieces_ret, size_t *nr_ret);

#endif
