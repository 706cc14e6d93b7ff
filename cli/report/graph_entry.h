/* SPDX-License-Identifier: GPL-2.0-only */
/* The call graph as a listing: the nodes that have an entry, and the lines of each entry. Pure. */
#ifndef GRAPH_ENTRY_H
#define GRAPH_ENTRY_H

#include "report/callgraph.h"

/** Selection of entries and lines. */
struct graph_listing_options {
	double min_share;	/* share of the base; smaller entries and lines are left out */
	uint64_t max_depth;	/* calls from the root; 0: any */
	uint64_t max_entries;	/* 0: all */
};

struct graph_listing {
	const struct callgraph *graph;
	double min_share;
	uint32_t *index;	/* by node: number of its entry, from 1; 0: none */
	uint32_t *cycle_number;	/* by node: number of its cycle, from 1; 0: none */
	uint32_t *entry;	/* nodes in the order of their index */
	uint32_t nr;
	uint32_t nr_small;	/* nodes too small, or after max_entries */
	uint32_t nr_deep;	/* nodes too deep */
};

/** graph_listing_init() - select and number the entries. @graph must outlive them. -ENOMEM. */
int graph_listing_init(struct graph_listing *listing, const struct callgraph *graph,
		       const struct graph_listing_options *options);

void graph_listing_deinit(struct graph_listing *listing);

enum graph_role { GRAPH_PARENT, GRAPH_SELF, GRAPH_CHILD, GRAPH_MEMBER };

struct graph_line {
	enum graph_role role;
	uint32_t node;		/* CALLGRAPH_NONE: no parent, as the function was the root */
	struct weight weight;	/* of a parent or child: stacks with this call */
	uint64_t of_hits;	/* hits of the called function; for a member: of its cycle */
	uint64_t recursive_hits; /* of the entry's own line: stacks with recursion */
};

/** The lines of an entry. */
struct graph_entry {
	/* parents, most time last; the function; all others, most time first */
	struct graph_line *line;
	size_t nr, max;
	size_t at;			/* position of the function's own line */
	uint32_t nr_small_parents, nr_small_children;	/* left out */
};

/**
 * graph_entry_fill() - make the lines of @node. An entry begins as zeros, may be reused. -ENOMEM.
 */
int graph_entry_fill(struct graph_entry *entry, const struct graph_listing *listing, uint32_t node);

void graph_entry_deinit(struct graph_entry *entry);

#endif
