// SPDX-License-Identifier: GPL-2.0-only
/* Counted calls of a call graph: see callgraph.h. */
#include <errno.h>

#include "report/callgraph_parts.h"

int callgraph_add_calls(struct callgraph *graph)
{
	const struct call_graph *calls = graph->calls;
	u32 i;

	for (i = 0; calls && i < graph->nr_functions; i++)
		graph->node[i].is_counted = calls->is_counted[i];
	for (i = 0; calls && i < calls->nr_arcs; i++) {
		const struct call_graph_arc *arc = &calls->arc[i];
		struct callgraph_edge *edge = callgraph_get_edge(graph, arc->caller, arc->function);

		if (!edge)
			return -ENOMEM;
		edge->calls += arc->calls;
		if (arc->caller == arc->function)
			graph->node[arc->function].inner_calls += arc->calls;
		else
			graph->node[arc->function].calls += arc->calls;
	}
	return 0;
}

/* Calls of a cycle are counted if those of all its members are. */
static void mark_counted_cycles(struct callgraph *graph)
{
	u32 i;

	for (i = graph->nr_functions; i < graph->nr_nodes; i++)
		graph->node[i].is_counted = true;
	for (i = 0; i < graph->nr_functions; i++)
		if (graph->node[i].cycle != CALLGRAPH_NONE && !graph->node[i].is_counted)
			graph->node[graph->node[i].cycle].is_counted = false;
}

int callgraph_add_cycle_calls(struct callgraph *graph)
{
	u32 nr = graph->nr_edges, i;

	if (!graph->calls)
		return 0;
	mark_counted_cycles(graph);
	for (i = 0; i < nr; i++) {
		struct callgraph_edge edge = graph->edge[i], *whole;
		u32 cycle = graph->node[edge.child].cycle;

		if (!edge.calls || cycle == CALLGRAPH_NONE || edge.parent == edge.child)
			continue;
		if (graph->node[edge.parent].cycle == cycle) {
			graph->node[edge.child].cycle_calls += edge.calls;
			graph->node[cycle].inner_calls += edge.calls;
			continue;
		}
		whole = callgraph_get_edge(graph, edge.parent, cycle);
		if (!whole)
			return -ENOMEM;
		whole->calls += edge.calls;
		graph->node[cycle].calls += edge.calls;
	}
	return 0;
}
