/* SPDX-License-Identifier: GPL-2.0-only */
/* The call graph as a listing: the nodes that have an entry, and the lines of each entry. Pure. */
#ifndef GRAPH_ENTRY_H
#define GRAPH_ENTRY_H

#include "report/callgraph.h"

/** Selection of entries and lines. */
struct graph_listing_options {
	double min_share;	/* share of the base; smaller entries and lines are left out */
	u64 max_depth;		/* calls from the root; 0: any */
	u64 max_entries;	/* 0: all */
};

struct graph_listing {
	const struct callgraph *graph;
	double min_share;
	u32 *index;		/* by node: number of its entry, from 1; 0: none */
	u32 *cycle_number;	/* by node: number of its cycle, from 1; 0: none */
	u32 *entry;		/* nodes in the order of their index */
	u32 nr;
	u32 nr_small;		/* nodes too small, or after max_entries */
	u32 nr_deep;		/* nodes too deep */
};

/** graph_listing_init() - select and number the entries. @graph must outlive them. -ENOMEM. */
int graph_listing_init(struct graph_listing *listing, const struct callgraph *graph,
		       const struct graph_listing_options *options);

void graph_listing_deinit(struct graph_listing *listing);

enum graph_role { GRAPH_PARENT, GRAPH_SELF, GRAPH_CHILD, GRAPH_MEMBER };

struct graph_line {
	enum graph_role role;
	u32 node;		/* CALLGRAPH_NONE: no parent, as the function was the root */
	struct weight weight;	/* parent or child: stacks with this call */
	u64 of_hits;		/* hits of the called function; for a member: of its cycle */
	u64 recursive_hits; /* entry's own line: stacks with recursion */
	bool is_omitted;	/* parent or child: left out of the search for cycles */
	/* Counted calls; all 0 unless is_counted. */
	bool is_counted;
	/*
	 * Parent or child: of this call. Own line: by other functions. Member: by other members.
	 */
	u64 calls;
	u64 inner_calls;	/* own line: by itself, or of a cycle among its members */
	u64 of_calls;	/* parent or child: of the called function, or of its cycle from outside */
	u64 time_calls;		/* calls that took the time of the weight */
	bool is_inner;		/* parent or child: a call within a cycle */
};

/** The lines of an entry. */
struct graph_entry {
	/* parents, most time last; the function; all others, most time first */
	struct graph_line *line;
	size_t nr, max;
	size_t at;			/* position of the function's own line */
	u32 nr_small_parents, nr_small_children;	/* left out */
	u64 small_parent_calls, small_child_calls;	/* calls in these */
};

/**
 * graph_entry_fill() - make the lines of @node. An entry begins as zeros, may be reused. -ENOMEM.
 */
int graph_entry_fill(struct graph_entry *entry, const struct graph_listing *listing, u32 node);

void graph_entry_deinit(struct graph_entry *entry);

#endif
