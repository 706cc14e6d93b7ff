/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last minutes of a run: tables of counts, the newest replacing the oldest, in memory of fixed
 * size. The run's profile has the stacks that are counted.
 */
#ifndef RING_H
#define RING_H

#include "profile/profile.h"
#include "run/receipt_rates.h"

/** All samples of a table, as in struct profile. */
struct ring_totals {
	u64 taken;
	u64 lost;
	u64 other;
	double taken_ns;
	double lost_ns;
	double other_ns;
	struct receipt_rates rates;	/* of those taken */
};

struct ring;

/** ring_create() - a ring in @bytes of memory, at least 64 KiB. NULL: out of memory. */
struct ring *ring_create(size_t bytes);

void ring_destroy(struct ring *ring);

/** ring_clear() - drop all tables. */
void ring_clear(struct ring *ring);

/** ring_begin() - begin a table of time @seconds, on any monotonic clock. */
void ring_begin(struct ring *ring, double seconds);

/** ring_add() - add @hits of a stack, which represent @ns, to the newest table. */
void ring_add(struct ring *ring, u32 stack, u64 hits, double ns);

/** ring_add_totals() - add totals over all samples to the newest table. */
void ring_add_totals(struct ring *ring, const struct ring_totals *totals);

/** ring_reach() - time of the newest incomplete table; later tables are complete. 0: all are. */
double ring_reach(const struct ring *ring);

/**
 * ring_extract() - make a profile of the tables whose time is after @since. NULL: out of memory.
 * @profile: has the stacks that ring_add() counted
 * @rates_ret: receives the rates of its samples, without the number of changes
 */
struct profile *ring_extract(const struct ring *ring, const struct profile *profile, double since,
			     struct receipt_rates *rates_ret);

#endif
