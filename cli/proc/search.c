// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the next step's range from one step's counts: see search.h. */
#include <string.h>

#include "proc/search.h"

/** A run of adjacent slots. */
struct run_of_slots {
	u32 first;
	u32 nr;
	u64 hits;
};

static u64 sum_hits(const u64 *hits, u32 first, u32 nr)
{
	u64 total = 0;
	u32 i;

	for (i = first; i < first + nr; i++)
		total += hits[i];
	return total;
}

bool search_trim(const struct slots_layout *layout, const u64 *hits, struct search_range *range_ret)
{
	u32 first = 0, last = layout->nr_slots - 1;

	while (first < last && !hits[first])
		first++;
	while (last > first && !hits[last])
		last--;
	if (!hits[first])
		return false;
	range_ret->low = slots_low(layout, first);
	range_ret->high = slots_high(layout, last);
	return true;
}

double search_unseen(u64 nr, double excess)
{
	return stat_wilson(0, nr, excess).hi;
}

/* The run of @width slots with the most hits that does not overlap @apart (NULL: any run). */
static struct run_of_slots best_run(const struct slots_layout *layout, const u64 *hits, u32 width,
				    const struct run_of_slots *apart)
{
	struct run_of_slots best = { 0, 0, 0 };
	u64 in_run = sum_hits(hits, 0, width);
	u32 first;

	for (first = 0; first + width <= layout->nr_slots; first++) {
		bool overlaps = apart && first < apart->first + apart->nr &&
			apart->first < first + width;

		if (!overlaps && (in_run > best.hits || !best.nr))
			best = (struct run_of_slots){ first, width, in_run };
		if (first + width < layout->nr_slots)
			in_run += hits[first + width] - hits[first];
	}
	return best;
}

static struct search_range range_of(const struct slots_layout *layout, struct run_of_slots run)
{
	if (!run.nr)
		return (struct search_range){ layout->low, layout->low };
	return (struct search_range){ slots_low(layout, run.first),
				      slots_high(layout, run.first + run.nr - 1) };
}

/* Compute the intervals of the best two of @nr_parts, and whether the best stands out. */
static void compare_hot_parts(struct search_hot *hot, u64 total, double excess, double nr_parts)
{
	double z = stat_z(nr_parts * SEARCH_LOOKS);

	hot->interval = stat_wilson_at((double)hot->hits / total, total, excess, z);
	hot->next_interval = stat_wilson_at((double)hot->next_hits / total, total, excess, z);
	hot->stands_out = hot->interval.lo > hot->next_interval.hi;
}

static struct search_hot hottest_run(const struct slots_layout *layout, const u64 *hits, u64 total,
				     double excess)
{
	/* With one-byte slots, all hits of an instruction are in the slot of its first byte. */
	u32 width = layout->shift && layout->nr_slots > 16 ? layout->nr_slots / 16 : 1;
	struct run_of_slots best = best_run(layout, hits, width, NULL);
	struct run_of_slots next = best_run(layout, hits, width, &best);
	struct search_hot hot = {
		.range = range_of(layout, best), .hits = best.hits,
		.next = range_of(layout, next), .next_hits = next.hits,
	};

	compare_hot_parts(&hot, total, excess, layout->nr_slots - width + 1);
	return hot;
}

/* The slots that a symbol overlaps, clipped to the range; nr 0: it covers less than one slot. */
static struct run_of_slots run_of_sym(const struct slots_layout *layout, const u64 *hits,
				      const struct sym *sym)
{
	u64 low = sym->start < layout->low ? layout->low : sym->start;
	u64 high = sym->end > layout->high ? layout->high : sym->end;
	struct run_of_slots run = { 0, 0, 0 };

	if (high <= low || high - low < 1ULL << layout->shift)
		return run;
	run.first = (low - layout->base) >> layout->shift;
	run.nr = ((high - 1 - layout->base) >> layout->shift) - run.first + 1;
	run.hits = sum_hits(hits, run.first, run.nr);
	return run;
}

/** The functions of a range, best first. */
struct ranking {
	struct run_of_slots best;
	const struct sym *best_sym;
	struct run_of_slots next;	/* not overlapping the best */
	const struct sym *next_sym;
	double nr;
};

static bool do_runs_overlap(const struct run_of_slots *a, const struct run_of_slots *b)
{
	return a->first < b->first + b->nr && b->first < a->first + a->nr;
}

/* Two passes: find the best function, then the best one that does not overlap it. */
static void rank_functions(const struct slots_layout *layout, const u64 *hits,
			   const struct sym_index *symbols, struct ranking *ranking)
{
	size_t first = sym_index_lower_bound(symbols, layout->low), i;
	int pass;

	memset(ranking, 0, sizeof(*ranking));
	for (pass = 0; pass < 2; pass++) {
		for (i = first; i < sym_index_size(symbols); i++) {
			const struct sym *sym = sym_index_at(symbols, i);
			struct run_of_slots run;

			if (sym->start >= layout->high)
				break;
			run = run_of_sym(layout, hits, sym);
			if (!run.nr)
				continue;
			ranking->nr += pass == 0;
			if (pass == 0 && run.hits > ranking->best.hits) {
				ranking->best = run;
				ranking->best_sym = sym;
			} else if (pass == 1 && run.hits > ranking->next.hits &&
				   !do_runs_overlap(&run, &ranking->best)) {
				ranking->next = run;
				ranking->next_sym = sym;
			}
		}
	}
}

static struct search_range range_of_sym(const struct slots_layout *layout, const struct sym *sym)
{
	struct search_range range = { layout->low, layout->low };

	if (!sym)
		return range;
	range.low = sym->start < layout->low ? layout->low : sym->start;
	range.high = sym->end > layout->high ? layout->high : sym->end;
	return range;
}

static bool hottest_function(const struct slots_layout *layout, const u64 *hits,
			     const struct sym_index *symbols, u64 total, double excess,
			     struct search_hot *hot_ret)
{
	struct ranking ranking;
	struct search_hot hot = { 0 };

	rank_functions(layout, hits, symbols, &ranking);
	if (!ranking.best_sym)
		return false;
	hot.range = range_of_sym(layout, ranking.best_sym);
	hot.hits = ranking.best.hits;
	hot.next = range_of_sym(layout, ranking.next_sym);
	hot.next_hits = ranking.next.hits;
	hot.function = ranking.best_sym;
	compare_hot_parts(&hot, total, excess, ranking.nr);
	/* A function that covers the whole range does not narrow the search. */
	if (hot.range.low == layout->low && hot.range.high == layout->high)
		return false;
	*hot_ret = hot;
	return true;
}

bool search_hottest(const struct slots_layout *layout, const u64 *hits, double excess,
		    const struct sym_index *symbols, struct search_hot *hot_ret)
{
	u64 total = sum_hits(hits, 0, layout->nr_slots);
	struct search_hot run, function;

	if (!total)
		return false;
	run = hottest_run(layout, hits, total, excess);
	*hot_ret = run;
	/* One-byte slots end the search: a function would be a step back. */
	if (!layout->shift || !symbols ||
	    !hottest_function(layout, hits, symbols, total, excess, &function) || !function.stands_out)
		return true;
	if (!run.stands_out ||
	    function.range.high - function.range.low < run.range.high - run.range.low)
		*hot_ret = function;
	return true;
}
