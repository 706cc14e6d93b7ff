// SPDX-License-Identifier: GPL-2.0-only
/* The hottest loop and the targets of jumps in a listing: see listing_parts.h. */

#include "code/listing_parts.h"

static size_t hottest_candidate(const struct draft *draft)
{
	size_t i, best = 0;

	for (i = 1; i < draft->nr; i++)
		if (draft_hits(draft, i) > draft_hits(draft, best))
			best = i;
	return best;
}

static bool is_local_jump(const struct draft *draft, const struct candidate *candidate)
{
	const struct listing_piece *piece = &draft->pieces[candidate->piece];

	return (candidate->insn.flags & (INSN_JUMP | INSN_HAS_TARGET)) ==
		(INSN_JUMP | INSN_HAS_TARGET) &&
		candidate->insn.target - piece->low < piece->high - piece->low;
}

/* The loop is the shortest range that contains the hottest instruction and ends with a jump back
   to its own start. */
static void find_loop(const struct draft *draft, struct listing *listing)
{
	const struct candidate *hot = &draft->candidates[hottest_candidate(draft)];
	u64 size = UINT64_MAX;
	size_t i;

	for (i = hot - draft->candidates; i < draft->nr; i++) {
		const struct insn *insn = &draft->candidates[i].insn;

		if (!is_local_jump(draft, &draft->candidates[i]) || insn->target > hot->insn.addr ||
		    insn->addr + insn->len - insn->target >= size)
			continue;
		listing->loop_low = insn->target;
		listing->loop_high = insn->addr + insn->len;
		size = listing->loop_high - listing->loop_low;
	}
	for (i = 0; i < draft->nr; i++) {
		if (draft->candidates[i].insn.addr - listing->loop_low >=
		    listing->loop_high - listing->loop_low)
			continue;
		listing->loop_insns++;
		listing->loop_hits += draft_hits(draft, i);
	}
}

static void mark_loop(struct listing *listing)
{
	u64 low = listing->loop_low, high = listing->loop_high;
	size_t i;

	for (i = 0; i < listing->nr_rows; i++) {
		struct listing_row *row = &listing->rows[i];

		if (row->addr - low >= high - low)
			continue;
		row->loop = row->addr == low ? LOOP_FIRST :
			row->addr + row->len == high ? LOOP_LAST : LOOP_INSIDE;
	}
}

static struct listing_row *find_listing_row(struct listing *listing, u64 addr)
{
	size_t low = 0, high = listing->nr_rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (listing->rows[middle].addr == addr)
			return &listing->rows[middle];
		if (listing->rows[middle].addr > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

void draft_mark(const struct draft *draft, struct listing *listing)
{
	struct listing_row *target;
	size_t i;

	if (!draft->nr)
		return;
	find_loop(draft, listing);
	mark_loop(listing);
	for (i = 0; i < draft->nr; i++) {
		target = is_local_jump(draft, &draft->candidates[i]) ?
			find_listing_row(listing, draft->candidates[i].insn.target) : NULL;
		if (target)
			target->is_target = true;
	}
}
