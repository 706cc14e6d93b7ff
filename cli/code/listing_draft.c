// SPDX-License-Identifier: GPL-2.0-only
/* Decodes pieces and chooses the instructions that become rows: see listing_parts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/listing_parts.h"

#define PHASES		16	/* no processor has longer instructions, in bytes */
#define CONTEXT_INSNS	3	/* shown on each side of an instruction with hits */

void draft_deinit(struct draft *draft)
{
	size_t i;

	for (i = 0; draft->bytes && i < draft->nr_pieces; i++)
		free(draft->bytes[i]);
	free(draft->bytes);
	free(draft->lens);
	free(draft->pieces);
	free(draft->candidates);
}

/* Hits at the starts of these instructions: a measure of how well the decoding fits. */
static u64 matching_hits(const struct draft *draft, const struct insn *insns, size_t nr)
{
	const struct slots_layout *layout = draft->request->layout;
	u64 hits = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		if (!(insns[i].flags & INSN_BAD) &&
		    insns[i].addr - layout->low < layout->high - layout->low)
			hits += draft->request->hits
				[(insns[i].addr - layout->base) >> layout->shift];
	return hits;
}

/*
 * Decoding starts at the start of a function if that is known. Elsewhere the start is a guess:
 * hits fall where instructions begin, so the right one of 16 starts matches most of the hits.
 */
static int decode_piece(struct draft *draft, size_t piece, struct insn **insns_ret, size_t *nr_ret)
{
	const struct listing_piece *at = &draft->pieces[piece];
	bool is_guess = !at->sym || at->start != at->sym->start;
	size_t phases = is_guess && !draft->request->layout->shift ? PHASES : 1, phase, nr;
	u64 best = 0, hits;
	struct insn *insns;
	int error;

	*insns_ret = NULL;
	*nr_ret = 0;
	draft->is_guessed |= is_guess;
	for (phase = 0; phase < phases && phase < draft->lens[piece]; phase++) {
		error = disassembler_decode(draft->disassembler, draft->bytes[piece] + phase,
					    draft->lens[piece] - phase, at->start + phase, &insns,
					    &nr);
		if (error)
			return error;
		hits = matching_hits(draft, insns, nr);
		if (phase && hits <= best) {
			free(insns);
			continue;
		}
		free(*insns_ret);
		*insns_ret = insns;
		*nr_ret = nr;
		best = hits;
	}
	return 0;
}

static int add_candidates(struct draft *draft, size_t piece, const struct insn *insns, size_t nr)
{
	const struct slots_layout *layout = draft->request->layout;
	const struct listing_piece *at = &draft->pieces[piece];
	void *more = realloc(draft->candidates, (draft->nr + nr + 1) * sizeof(*draft->candidates));
	size_t i;

	if (!more)
		return -ENOMEM;
	draft->candidates = more;
	for (i = 0; i < nr; i++) {
		struct candidate *added = &draft->candidates[draft->nr];

		if (insns[i].addr < at->low || insns[i].addr >= at->high)
			continue;
		*added = (struct candidate){
			.insn = insns[i], .piece = piece, .slip = insn_slip(insns, i),
			.head = draft->nr,
			.slot = (insns[i].addr - layout->base) >> layout->shift };
		if (draft->nr && added[-1].slot == added->slot)
			added->head = added[-1].head;
		draft->nr++;
	}
	return 0;
}

static int read_piece(struct draft *draft, size_t piece)
{
	struct listing_piece *at = &draft->pieces[piece];
	size_t len = at->high - at->start, nr;
	struct insn *insns;
	int error;

	draft->bytes[piece] = malloc(len + LISTING_BEYOND);
	if (!draft->bytes[piece])
		return -ENOMEM;
	draft->lens[piece] = code_read(draft->request->code, at->start, draft->bytes[piece],
				       len + LISTING_BEYOND);
	/* The bytes before the range may be unmapped. */
	if (!draft->lens[piece] && at->low > at->start) {
		len = at->high - at->low;
		at->start = at->low;
		draft->lens[piece] = code_read(draft->request->code, at->start, draft->bytes[piece],
					       len + LISTING_BEYOND);
	}
	error = decode_piece(draft, piece, &insns, &nr);
	if (!error)
		error = add_candidates(draft, piece, insns, nr);
	free(insns);
	return error;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct listing_piece *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

int draft_read(struct draft *draft, struct text_error *error_ret)
{
	int error = listing_pieces(draft->request, draft->request->code->kind == CODE_KEPT ?
				   LISTING_KEPT_MAX : LISTING_BYTES_MAX, &draft->pieces,
				   &draft->nr_pieces);
	size_t i;

	if (!error) {
		draft->bytes = calloc(draft->nr_pieces + 1, sizeof(*draft->bytes));
		draft->lens = calloc(draft->nr_pieces + 1, sizeof(*draft->lens));
		error = draft->bytes && draft->lens ? 0 : -ENOMEM;
	}
	if (!error && draft->nr_pieces)
		qsort(draft->pieces, draft->nr_pieces, sizeof(*draft->pieces), compare_addresses);
	for (i = 0; !error && i < draft->nr_pieces; i++)
		error = read_piece(draft, i);
	return error ? text_fail(error_ret, error, "disassemble: out of memory") : 0;
}

u64 draft_hits(const struct draft *draft, size_t i)
{
	const struct candidate *candidate = &draft->candidates[i];

	return candidate->head == i ? draft->request->hits[candidate->slot] : 0;
}

/** A candidate with hits, for sorting. */
struct hot {
	u64 hits;
	size_t at;
};

static int compare_hot(const void *a, const void *b)
{
	const struct hot *x = a, *y = b;

	if (x->hits != y->hits)
		return (x->hits < y->hits) - (x->hits > y->hits);
	return (x->at > y->at) - (x->at < y->at);
}

/* Mark candidate @at, its @context neighbours and the heads of their slots as shown.
   Returns how many were not marked before. */
static size_t show_around(struct draft *draft, size_t at, size_t context)
{
	size_t first = at > context ? at - context : 0, last = at + context, nr = 0, i;

	for (i = first; i <= last && i < draft->nr; i++) {
		struct candidate *candidate = &draft->candidates[i];

		if (candidate->piece != draft->candidates[at].piece)
			continue;
		nr += !candidate->is_shown;
		candidate->is_shown = true;
		candidate = &draft->candidates[candidate->head];
		nr += !candidate->is_shown;
		candidate->is_shown = true;
	}
	return nr;
}

int draft_choose(struct draft *draft)
{
	size_t max = draft->request->max_rows ? draft->request->max_rows : LISTING_ROWS_MAX;
	struct hot *hot = calloc(draft->nr + 1, sizeof(*hot));
	size_t i, nr = 0, shown = 0;

	if (!hot)
		return -ENOMEM;
	for (i = 0; i < draft->nr; i++) {
		hot[nr] = (struct hot){ draft_hits(draft, i), i };
		nr += hot[nr].hits > 0;
		if (draft->nr <= max)
			shown += show_around(draft, i, 0);
	}
	qsort(hot, nr, sizeof(*hot), compare_hot);
	for (i = 0; i < nr && shown + 2 * CONTEXT_INSNS < max; i++)
		shown += show_around(draft, hot[i].at, CONTEXT_INSNS);
	free(hot);
	return 0;
}
