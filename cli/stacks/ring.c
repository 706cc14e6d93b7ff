// SPDX-License-Identifier: GPL-2.0-only
/* The last minutes of a run: see ring.h. */
#include <stdlib.h>
#include <string.h>

#include "stacks/ring.h"

/** Samples of one stack in one table. */
struct count {
	u32 stack;
	u32 table;		/* position in tables */
	u64 hits;
	double ns;
};

/** The counts of about a second. */
struct ring_table {
	double ended;
	struct ring_totals totals;
};

#define TABLE_EVERY	16	/* counts per table that there is room for */

/** Two circular buffers. Numbers only grow; the index is the number modulo the size. */
struct ring {
	struct count *counts;
	size_t nr_counts;	/* room */
	u64 first_count;
	u64 next_count;
	struct ring_table *tables;
	size_t nr_tables;
	u64 first_table;
	u64 next_table;
	double reach;
};

struct ring *ring_create(size_t bytes)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->nr_tables = bytes / (sizeof(struct ring_table) + TABLE_EVERY * sizeof(struct count));
	ring->nr_counts = ring->nr_tables * TABLE_EVERY;
	ring->tables = calloc(ring->nr_tables, sizeof(*ring->tables));
	ring->counts = calloc(ring->nr_counts, sizeof(*ring->counts));
	if (ring->tables && ring->counts)
		return ring;
	ring_destroy(ring);
	return NULL;
}

void ring_destroy(struct ring *ring)
{
	if (!ring)
		return;
	free(ring->tables);
	free(ring->counts);
	free(ring);
}

void ring_clear(struct ring *ring)
{
	ring->first_count = ring->next_count;
	ring->first_table = ring->next_table;
	ring->reach = 0;
}

static struct ring_table *table_at(const struct ring *ring, u64 number)
{
	return &ring->tables[number % ring->nr_tables];
}

static struct count *count_at(const struct ring *ring, u64 number)
{
	return &ring->counts[number % ring->nr_counts];
}

/* Drops the oldest table and its counts. */
static void drop_table(struct ring *ring)
{
	u32 place = ring->first_table % ring->nr_tables;

	ring->reach = table_at(ring, ring->first_table)->ended;
	ring->first_table++;
	while (ring->first_count < ring->next_count &&
	       count_at(ring, ring->first_count)->table == place)
		ring->first_count++;
}

void ring_begin(struct ring *ring, double seconds)
{
	if (ring->next_table - ring->first_table == ring->nr_tables)
		drop_table(ring);
	*table_at(ring, ring->next_table++) = (struct ring_table){ .ended = seconds };
}

void ring_add(struct ring *ring, u32 stack, u64 hits, double ns)
{
	/* A single table that fills the ring is incomplete; its further counts are dropped. */
	if (ring->next_count - ring->first_count == ring->nr_counts) {
		if (ring->next_table - ring->first_table > 1)
			drop_table(ring);
		else
			ring->reach = table_at(ring, ring->first_table)->ended;
	}
	if (ring->next_count - ring->first_count == ring->nr_counts)
		return;
	*count_at(ring, ring->next_count++) = (struct count){
		.stack = stack, .table = (ring->next_table - 1) % ring->nr_tables, .hits = hits,
			.ns = ns
	};
}

static void add_totals(struct ring_totals *sum, const struct ring_totals *more)
{
	sum->taken += more->taken;
	sum->lost += more->lost;
	sum->other += more->other;
	sum->taken_ns += more->taken_ns;
	sum->lost_ns += more->lost_ns;
	sum->other_ns += more->other_ns;
	if (more->rates.taken > 0)
		receipt_join_rates(&sum->rates, &more->rates);
}

void ring_add_totals(struct ring *ring, const struct ring_totals *totals)
{
	add_totals(&table_at(ring, ring->next_table - 1)->totals, totals);
}

double ring_reach(const struct ring *ring)
{
	return ring->reach;
}

static void sum_counts_since(const struct ring *ring, double since, u64 *hits, double *ns)
{
	u64 number;

	for (number = ring->first_count; number < ring->next_count; number++) {
		const struct count *count = count_at(ring, number);

		if (ring->tables[count->table].ended <= since)
			continue;
		hits[count->stack] += count->hits;
		ns[count->stack] += count->ns;
	}
}

/* Counts that found no room in the ring are lost in this part of the run. */
static void set_totals(struct profile *profile, const struct ring_totals *totals)
{
	u64 hits = totals->lost + totals->other;
	double ns = totals->lost_ns + totals->other_ns;
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++) {
		hits += profile->stacks[i].hits;
		ns += profile->stacks[i].ns;
	}
	profile->taken = totals->taken;
	profile->taken_ns = totals->taken_ns;
	profile->other = totals->other;
	profile->other_ns = totals->other_ns;
	profile->lost = totals->lost + (totals->taken - hits);
	profile->lost_ns = totals->lost_ns + (totals->taken_ns > ns ? totals->taken_ns - ns : 0);
}

struct profile *ring_extract(const struct ring *ring, const struct profile *profile, double since,
			     struct receipt_rates *rates_ret)
{
	u64 *hits = calloc(profile->nr_stacks + 1, sizeof(*hits)), number;
	double *ns = calloc(profile->nr_stacks + 1, sizeof(*ns));
	struct ring_totals totals = { 0 };
	struct profile *part = NULL;

	if (hits && ns) {
		sum_counts_since(ring, since, hits, ns);
		part = profile_extract(profile, hits, ns);
	}
	free(hits);
	free(ns);
	if (!part)
		return NULL;
	for (number = ring->first_table; number < ring->next_table; number++)
		if (table_at(ring, number)->ended > since)
			add_totals(&totals, &table_at(ring, number)->totals);
	set_totals(part, &totals);
	*rates_ret = totals.rates;
	return part;
}
