/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last minutes of a run that goes on: one table of counts for each harvest, the oldest giving
 * way to the newest, in memory of fixed size. What the counts are of is in the run's profile.
 */
#ifndef RING_H
#define RING_H

#include "profile/profile.h"

/** All samples of a table, as in struct profile. */
struct ring_totals {
	uint64_t taken;
	uint64_t lost;
	uint64_t other;
	double taken_ns;
	double lost_ns;
	double other_ns;
};

struct ring;

/** ring_create() - @bytes of memory, at least 64 KiB. NULL: out of memory. */
struct ring *ring_create(size_t bytes);

void ring_destroy(struct ring *ring);

/** ring_clear() - forget all tables. */
void ring_clear(struct ring *ring);

/**
 * ring_begin() - what follows belongs to a table that ends at @seconds, of any clock that only goes
 * on.
 */
void ring_begin(struct ring *ring, double seconds);

/** ring_add() - count @hits of a stack of the profile that stand for @ns in the newest table. */
void ring_add(struct ring *ring, uint32_t stack, uint64_t hits, double ns);

/** ring_add_totals() - likewise, what became of all samples. */
void ring_add_totals(struct ring *ring, const struct ring_totals *totals);

/**
 * ring_reach() - the end of the newest table that is no longer there whole; what ended later is.
 */
double ring_reach(const struct ring *ring);

/**
 * ring_extract() - a profile of the tables that ended after @since.
 * @profile: that ring_add() spoke of. NULL: out of memory.
 */
struct profile *ring_extract(const struct ring *ring, const struct profile *profile, double since);

#endif
