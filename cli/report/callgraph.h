/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call graph of whole stacks. A function's time is that of the stacks it is in, an edge's that
 * of the stacks in which the one calls the other: each stack once, however often they occur in it.
 * So nothing is shared out by the number of calls, and each number is a count of samples.
 *
 * Functions that call each other in a circle are also a node as a whole: a cycle. Its time is that
 * of the stacks in which any member is, its edges are those that lead into it from outside.
 * Self is, of a cycle, the time in which a member itself ran; of an edge, the time in which the
 * function called itself ran. Pure.
 */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include "profile/paths.h"

#define CALLGRAPH_NONE	UINT32_MAX

struct callgraph_node {
	struct weight weight;	/* no hits: in no stack */
	uint32_t cycle;		/* the node of the cycle it is a member of, or CALLGRAPH_NONE */
	uint32_t depth;		/* calls from the root to it, where they are fewest */
	uint32_t last_path;	/* plus one, that was added: for callgraph.c */
};

struct callgraph_edge {
	uint32_t parent;	/* CALLGRAPH_NONE: the child was the root of the stack */
	uint32_t child;		/* the parent: recursion; of a cycle: among its members */
	struct weight weight;
	uint32_t last_path;	/* as above */
};

/** For each node a list of positions. */
struct callgraph_lists {
	/* nr_nodes + 1 positions in list: where a node's begins, and ends */
	uint32_t *first;
	uint32_t *list;
};

struct callgraph {
	const struct paths *paths;
	struct callgraph_node *node;	/* functions as in the profile, then cycles */
	uint32_t nr_functions, nr_nodes;
	struct callgraph_edge *edge;
	uint32_t nr_edges;
	uint32_t *order;		/* nodes that have hits, the most time first */
	uint32_t nr_order;
	struct callgraph_lists parents;	/* of edges that lead to a node, the most time first */
	struct callgraph_lists children; /* of edges that leave it, likewise; none leaves a cycle */
	struct callgraph_lists members;	/* of nodes, likewise */

	struct intern edge_index;	/* for callgraph.c */
};

/** callgraph_init() - of @paths, which are not inverted, by no process, and outlive it. -ENOMEM. */
int callgraph_init(struct callgraph *graph, const struct paths *paths);

/** callgraph_is_cycle() - whether a node is a cycle as a whole. */
static inline bool callgraph_is_cycle(const struct callgraph *graph, uint32_t node)
{
	return node >= graph->nr_functions;
}

/** callgraph_recursion() - the edge from a node to itself, or NULL. */
const struct callgraph_edge *callgraph_recursion(const struct callgraph *graph, uint32_t node);

void callgraph_deinit(struct callgraph *graph);

#endif
