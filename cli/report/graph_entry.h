/* SPDX-License-Identifier: GPL-2.0-only */
/* The call graph as a listing: which nodes have an entry, and the lines of one. Pure. */
#ifndef GRAPH_ENTRY_H
#define GRAPH_ENTRY_H

#include "report/callgraph.h"

/** What is to be listed. */
struct graph_listing_options {
	double min_share;	/* of the base, of entries and of their lines */
	uint64_t max_depth;	/* calls from the root to the function; 0: any */
	uint64_t max_entries;	/* 0: all */
};

struct graph_listing {
	const struct callgraph *graph;
	double min_share;
	uint32_t *index;	/* of each node: the number of its entry, from 1; 0: has none */
	uint32_t *cycle_number;	/* of each node that is a cycle or in one, from 1; 0: none */
	uint32_t *entry;	/* nodes, in the order of their index */
	uint32_t nr;
	uint32_t nr_small;	/* nodes too small, or more than asked for */
	uint32_t nr_deep;	/* nodes too deep */
};

/** graph_listing_init() - -ENOMEM. @graph must outlive it. */
int graph_listing_init(struct graph_listing *listing, const struct callgraph *graph,
		       const struct graph_listing_options *options);

void graph_listing_deinit(struct graph_listing *listing);

enum graph_role { GRAPH_PARENT, GRAPH_SELF, GRAPH_CHILD, GRAPH_MEMBER };

struct graph_line {
	enum graph_role role;
	uint32_t node;		/* CALLGRAPH_NONE: no parent, it was the root */
	struct weight weight;	/* of a parent or child: of the calls from the one to the other */
	uint64_t of_hits;	/* of the function called as a whole; of a member: of its cycle */
	uint64_t recursive_hits; /* of the function itself: stacks in which it calls itself */
};

/** The lines of an entry. */
struct graph_entry {
	/* parents, the most time last; itself; the others, most first */
	struct graph_line *line;
	size_t nr, max;
	size_t at;			/* of itself */
	uint32_t nr_small_parents, nr_small_children;	/* left out */
};

/**
 * graph_entry_fill() - for @node. All zero before the first time; used again for the next. -ENOMEM.
 */
int graph_entry_fill(struct graph_entry *entry, const struct graph_listing *listing, uint32_t node);

void graph_entry_deinit(struct graph_entry *entry);

#endif
