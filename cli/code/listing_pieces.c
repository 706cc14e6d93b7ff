// SPDX-License-Identifier: GPL-2.0-only
/* Finds the code to disassemble: see listing.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "code/listing_parts.h"

#define CONTEXT_BYTES	64	/* around hits without a symbol: decoding synchronizes there */

/** Pieces found so far, by address. */
struct finding {
	const struct listing_request *request;
	struct listing_piece *pieces;
	size_t nr;
	int error;
};

static struct listing_piece *last_piece(struct finding *finding)
{
	return finding->nr ? &finding->pieces[finding->nr - 1] : NULL;
}

static void add_listing_piece(struct finding *finding, const struct listing_piece *piece)
{
	if (array_has_room(&finding->pieces, finding->nr, sizeof(*piece)))
		finding->pieces[finding->nr++] = *piece;
	else
		finding->error = -ENOMEM;
}

/* Add the part of a function inside the range, decoded from the start of the function. */
static void add_function_piece(struct finding *finding, const struct sym *sym, u64 hits)
{
	const struct slots_layout *layout = finding->request->layout;
	struct listing_piece *last = last_piece(finding);

	if (last && last->sym == sym) {
		last->hits += hits;
		return;
	}
	add_listing_piece(finding, &(struct listing_piece){
		.start = sym->start, .hits = hits, .sym = sym,
		.low = sym->start < layout->low ? layout->low : sym->start,
		.high = sym->end > layout->high ? layout->high : sym->end });
}

/* Add [low, high), which has hits but no symbol. No symbol covers [floor, ceiling) either. */
static void add_nameless_piece(struct finding *finding, u64 low, u64 high, u64 floor, u64 ceiling,
			       u64 hits)
{
	const struct slots_layout *layout = finding->request->layout;
	struct listing_piece *last = last_piece(finding);

	low = low - floor > CONTEXT_BYTES ? low - CONTEXT_BYTES : floor;
	high = ceiling - high > CONTEXT_BYTES ? high + CONTEXT_BYTES : ceiling;
	if (last && !last->sym && low <= last->high) {
		last->high = high > layout->high ? layout->high : high;
		last->hits += hits;
		return;
	}
	add_listing_piece(finding, &(struct listing_piece){
		.start = low - floor > CONTEXT_BYTES ? low - CONTEXT_BYTES : floor, .hits = hits,
		.low = low < layout->low ? layout->low : low,
		.high = high > layout->high ? layout->high : high });
}

/* Add the functions that overlap a slot, and the gaps between them. */
static void add_slot_pieces(struct finding *finding, u32 slot)
{
	const struct sym_index *symbols = finding->request->symbols;
	const struct slots_layout *layout = finding->request->layout;
	u64 low = slots_low(layout, slot), high = slots_high(layout, slot);
	u64 hits = finding->request->hits[slot], floor = 0;
	size_t i = symbols ? sym_index_lower_bound(symbols, low) : 0;
	size_t nr = symbols ? sym_index_size(symbols) : 0;

	if (i)
		floor = sym_index_at(symbols, i - 1)->end;
	for (; low < high && i < nr; i++) {
		const struct sym *sym = sym_index_at(symbols, i);

		if (sym->start > low)
			add_nameless_piece(finding, low, sym->start < high ? sym->start : high,
					   floor, sym->start, hits);
		if (sym->start >= high)
			return;
		add_function_piece(finding, sym, hits);
		low = floor = sym->end;
	}
	if (low < high)
		add_nameless_piece(finding, low, high, floor, UINT64_MAX, hits);
}

static int compare_hits(const void *a, const void *b)
{
	const struct listing_piece *x = a, *y = b;

	if (x->hits != y->hits)
		return (x->hits < y->hits) - (x->hits > y->hits);
	return (x->low > y->low) - (x->low < y->low);
}

/* If a function is too long to decode from its start, start shortly before the range. */
static void shorten_piece(struct listing_piece *piece, size_t max_bytes)
{
	if (piece->high - piece->start > max_bytes && piece->low > piece->start)
		piece->start = piece->low - piece->start > CONTEXT_BYTES ?
			piece->low - CONTEXT_BYTES : piece->start;
}

int listing_pieces(const struct listing_request *request, size_t max_bytes,
		   struct listing_piece **pieces_ret, size_t *nr_ret)
{
	struct finding finding = { .request = request };
	size_t i, kept = 0;
	u32 slot;

	for (slot = 0; slot < request->layout->nr_slots && !finding.error; slot++)
		if (request->hits[slot])
			add_slot_pieces(&finding, slot);
	if (finding.error) {
		free(finding.pieces);
		return finding.error;
	}
	if (finding.nr)
		qsort(finding.pieces, finding.nr, sizeof(finding.pieces[0]), compare_hits);
	for (i = 0; i < finding.nr; i++) {
		struct listing_piece piece = finding.pieces[i];

		shorten_piece(&piece, max_bytes);
		if (piece.high - piece.start > max_bytes)
			continue;
		max_bytes -= piece.high - piece.start;
		finding.pieces[kept++] = piece;
	}
	*pieces_ret = finding.pieces;
	*nr_ret = kept;
	return 0;
}
