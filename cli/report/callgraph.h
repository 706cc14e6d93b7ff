/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call graph of whole stacks. A function has the time of all stacks that contain the function;
 * an edge has the time of all stacks that contain this call. Each stack counts once, even with
 * several such calls. Time is not divided by the number of calls: each number counts samples.
 *
 * Functions that call each other in a cycle are also a node together. The node has the time of all
 * stacks that contain a member; its edges are calls from outside. Self time of a cycle is time in
 * which a member itself ran; self time of an edge is time in which the called function itself ran.
 *
 * With counted calls, the graph also has the functions and the edges that have calls and no samples,
 * and the edges that are in the code and were never taken. The calls of all edges to a node, without
 * those from itself, add up to the node's. Calls are exact, and nothing follows from them for times.
 * Pure.
 */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include "calls/call_graph.h"
#include "profile/paths.h"
#include "report/graph_omit.h"

#define CALLGRAPH_NONE	UINT32_MAX

struct callgraph_node {
	struct weight weight;	/* no hits: in no stack */
	u32 cycle;		/* node of the cycle it is a member of, or CALLGRAPH_NONE */
	u32 depth;		/* least number of calls from the root */
	u32 last_path;		/* position + 1 of the last path counted; for callgraph.c */
	bool is_counted;	/* whether the calls were counted; of a cycle: of all members */
	u64 calls;		/* by other functions; of a cycle: from outside */
	u64 inner_calls;	/* by itself; of a cycle: of members by other members */
	u64 cycle_calls;	/* part of calls by other members of the cycle */
};

struct callgraph_edge {
	u32 parent;		/* CALLGRAPH_NONE: the child was the root of the stack */
	u32 child;		/* equal to parent: recursion; in a cycle: among members */
	struct weight weight;
	u64 calls;		/* neither calls nor hits: in the code, never taken */
	u32 last_path;		/* as in struct callgraph_node */
	bool is_omitted;	/* left out of the search for cycles */
};

/** A list of positions for each node. */
struct callgraph_lists {
	/* nr_nodes + 1 positions in list: where each node's list begins; the last is the end */
	u32 *first;
	u32 *list;
};

struct callgraph {
	const struct paths *paths;
	const struct call_graph *calls;	/* NULL: not counted */
	struct callgraph_node *node;	/* functions as in the profile, then cycles */
	u32 nr_functions, nr_nodes;
	struct callgraph_edge *edge;
	u32 nr_edges;
	u32 *order;			/* nodes with hits or calls, most time first */
	u32 nr_order;
	struct callgraph_lists parents;	/* edges to a node, most time first */
	struct callgraph_lists children; /* edges from a node, most time first; no cycle has any */
	struct callgraph_lists members;	/* nodes of a cycle, most time first */

	struct intern edge_index;	/* for callgraph.c */
};

/**
 * callgraph_init() - build from @paths, which outlive it: not inverted, not by process. -ENOMEM.
 * @calls: counted calls, whose profile is that of the paths; NULL: none. They outlive it too.
 * @omits: calls that the search for cycles leaves out; notes those that were found. Their edges stay, and
 *	are marked. NULL: none
 * @labels: names of functions; NULL: allowed if there are no @omits
 */
int callgraph_init(struct callgraph *graph, const struct paths *paths, const struct call_graph *calls,
		   struct graph_omits *omits, const struct labels *labels);

/** callgraph_is_cycle() - whether a node is a cycle as a whole. */
static inline bool callgraph_is_cycle(const struct callgraph *graph, u32 node)
{
	return node >= graph->nr_functions;
}

/** callgraph_recursion() - get the edge from a node to itself. NULL: none. */
const struct callgraph_edge *callgraph_recursion(const struct callgraph *graph, u32 node);

void callgraph_deinit(struct callgraph *graph);

#endif
