/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for the code where a task spends its time: one step's counts give the next step's
 * range. Narrowing drops the ends without hits (Crowe 1992, "single process CPU usage monitoring");
 * the hot search goes into the part that stands out. No side effects.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>

#include "base/stat.h"
#include "slots.h"
#include "symbolizer.h"
#include "types.h"

#define SEARCH_LOOKS		16	/* most tests for a hot part in one step */
#define SEARCH_FIRST_LOOK	32	/* hits at the first test; doubled for each later test */

/** A range of addresses. */
struct search_range {
	u64 low;
	u64 high;
};

/** The busiest part of a range, and the second busiest. */
struct search_hot {
	struct search_range range;
	u64 hits;
	struct search_range next;	/* the busiest part that does not overlap range */
	u64 next_hits;
	struct stat_interval interval;	/* shares of the hits, corrected for the comparisons */
	struct stat_interval next_interval;
	const struct sym *function;	/* the part is this function; NULL: a run of slots */
	bool stands_out;		/* interval.lo > next_interval.hi */
};

/**
 * search_trim() - the part of the range that has all hits: from the first slot with hits to the end
 * of the last one, within the old limits. False: no hits.
 */
bool search_trim(const struct slots_layout *layout, const u64 *hits,
		 struct search_range *range_ret);

/**
 * search_unseen() - the largest share that a part without hits may have: the upper bound of the 95%
 * Wilson interval for 0 of @nr samples with this @excess.
 */
double search_unseen(u64 nr, double excess);

/**
 * search_hottest() - find the hottest part of the range, for the next step.
 * @hits: hits of each slot
 * @excess: of the samples, as in stat.h
 * @symbols: functions are parts too; NULL: only runs of slots
 *
 * The parts compared are every run of a sixteenth of the slots (single slots if a slot is one
 * byte), and every function of at least one slot. The best part must stand out from the next
 * disjoint part of the same type, at 95% confidence jointly for all parts and SEARCH_LOOKS tests
 * (stat_z()). If a run and a function both stand out, the smaller one is chosen.
 * False: no hits.
 */
bool search_hottest(const struct slots_layout *layout, const u64 *hits, double excess,
		    const struct sym_index *symbols, struct search_hot *hot_ret);

#endif
