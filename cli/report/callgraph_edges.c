// SPDX-License-Identifier: GPL-2.0-only
/* Edges of a call graph: see callgraph.h. */
#include "base/array.h"
#include "report/callgraph_parts.h"

static bool matches_edge(const void *owner, u32 position, const void *key_at)
{
	const struct callgraph_edge *edge = &((const struct callgraph *)owner)->edge[position];
	const u32 *key = key_at;

	return edge->parent == key[0] && edge->child == key[1];
}

struct callgraph_edge *callgraph_get_edge(struct callgraph *graph, u32 parent, u32 child)
{
	const u32 key[2] = { parent, child };
	u64 hash = intern_hash(0, key, sizeof(key));
	u32 at = intern_find(&graph->edge_index, hash, matches_edge, graph, key),
	    nr = graph->nr_edges;

	if (at != INTERN_NONE)
		return &graph->edge[at];
	if (!array_has_room(&graph->edge, nr, sizeof(*graph->edge)))
		return NULL;
	if (intern_add(&graph->edge_index, hash, nr))
		return NULL;
	graph->edge[nr] = (struct callgraph_edge){ .parent = parent, .child = child };
	graph->nr_edges++;
	return &graph->edge[nr];
}

const struct callgraph_edge *callgraph_recursion(const struct callgraph *graph, u32 node)
{
	const u32 key[2] = { node, node };
	u32 at = intern_find(&graph->edge_index, intern_hash(0, key, sizeof(key)), matches_edge,
			     graph, key);

	return at == INTERN_NONE ? NULL : &graph->edge[at];
}
