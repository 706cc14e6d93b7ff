/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of callgraph.c, which is in several files. */
#ifndef CALLGRAPH_PARTS_H
#define CALLGRAPH_PARTS_H

#include "report/callgraph.h"

/**
 * callgraph_get_edge() - find the edge between two nodes, or add it. NULL: out of memory. Other
 * edges may move.
 */
struct callgraph_edge *callgraph_get_edge(struct callgraph *graph, u32 parent, u32 child);

/** callgraph_add_calls() - add the calls of .calls, if any, to nodes and edges. -ENOMEM. */
int callgraph_add_calls(struct callgraph *graph);

/** callgraph_add_cycle_calls() - add the calls of cycles, whose nodes must exist. -ENOMEM. */
int callgraph_add_cycle_calls(struct callgraph *graph);

#endif
