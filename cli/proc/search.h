/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for where a task spends its time: from one step's counts to the next
 * step's range. Narrowing leaves away what holds no hits (Crowe 1992, "single
 * process CPU usage monitoring"); the hot search goes into the part that stands
 * out. Pure.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stat.h"
#include "slots.h"
#include "symbolizer.h"

#define SEARCH_LOOKS		16	/* so many times at most is a step tested for a hot part */
#define SEARCH_FIRST_LOOK	32	/* hits at the first; each further one at twice as many */

/** A range of addresses. */
struct search_range {
	uint64_t low;
	uint64_t high;
};

/** The busiest part of a range, and what comes next to it. */
struct search_hot {
	struct search_range range;
	uint64_t hits;
	struct search_range next;	/* the next best that does not overlap it */
	uint64_t next_hits;
	struct stat_interval interval;	/* shares of the hits, corrected for the comparisons */
	struct stat_interval next_interval;
	const struct sym *function;	/* that the part is; NULL: it is a piece of the range */
	bool stands_out;		/* interval.lo > next_interval.hi */
};

/**
 * search_trim() - the part of the range that holds all hits: from the first slot with
 * hits to the end of the last one, within the old limits. False: nothing was hit.
 */
bool search_trim(const struct slots_layout *layout, const uint64_t *hits,
		 struct search_range *range_ret);

/**
 * search_unseen() - the share that what was not hit once can have: the upper bound of
 * the 95% Wilson interval of 0 of @nr samples.
 */
double search_unseen(uint64_t nr);

/**
 * search_hottest() - the part of the range to go on into.
 * @hits: of each slot
 * @symbols: functions are parts too; NULL: only sixteenths
 *
 * Parts compared: every run of a sixteenth of the slots (single slots when a slot is one
 * byte), and every function of at least a slot. The best must stand out from the next
 * disjoint one of its kind, at 95% together for all parts and SEARCH_LOOKS looks
 * (stat_z()). Of a sixteenth and a function that both stand out, the smaller.
 * False: no hits.
 */
bool search_hottest(const struct slots_layout *layout, const uint64_t *hits,
		    const struct sym_index *symbols, struct search_hot *hot_ret);

#endif
