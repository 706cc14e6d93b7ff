// SPDX-License-Identifier: GPL-2.0-only
/* Builds the call graph of whole stacks: see callgraph.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/cycles.h"
#include "report/callgraph_parts.h"

/** A node of a path, with the call that leads to it. */
struct step {
	u32 path;
	u32 parent, child;
	u32 depth;
	bool is_self;		/* the child is the path's leaf function */
};

/* Counts a path once per node and once per edge. */
static int add_step(struct callgraph *graph, const struct step *step)
{
	const struct paths *paths = graph->paths;
	const struct profile_stack *stack = &paths->profile->stacks[paths->path[step->path].stack];
	struct callgraph_node *node = &graph->node[step->child];
	struct callgraph_edge *edge = callgraph_get_edge(graph, step->parent, step->child);

	if (!edge)
		return -ENOMEM;
	if (edge->last_path != step->path + 1)
		weight_add(&edge->weight, stack, step->is_self);
	edge->last_path = step->path + 1;
	if (!node->last_path || step->depth < node->depth)
		node->depth = step->depth;
	if (node->last_path != step->path + 1)
		weight_add(&node->weight, stack, step->is_self);
	node->last_path = step->path + 1;
	return 0;
}

static int add_path_functions(struct callgraph *graph, u32 at)
{
	const struct path *path = &graph->paths->path[at];
	u32 leaf = paths_node(graph->paths, path, path->nr - 1);
	struct step step = { .path = at, .parent = CALLGRAPH_NONE };

	for (; step.depth < path->nr; step.depth++) {
		step.child = paths_node(graph->paths, path, step.depth);
		step.is_self = step.child == leaf;
		if (add_step(graph, &step))
			return -ENOMEM;
		step.parent = step.child;
	}
	return 0;
}

/* Counts a path for cycles: members are replaced by their cycle. */
static int add_path_cycles(struct callgraph *graph, u32 at)
{
	const struct path *path = &graph->paths->path[at];
	u32 leaf = paths_node(graph->paths, path, path->nr - 1), node;
	struct step step = { .path = at, .parent = CALLGRAPH_NONE };

	for (; step.depth < path->nr; step.depth++) {
		node = paths_node(graph->paths, path, step.depth);
		step.child = graph->node[node].cycle;
		step.is_self = step.child == graph->node[leaf].cycle;
		if (step.child != CALLGRAPH_NONE && add_step(graph, &step))
			return -ENOMEM;
		/* The parent of a call into a cycle is outside, or the cycle itself. */
		step.parent = node;
		if (step.depth + 1 < path->nr && step.child != CALLGRAPH_NONE &&
		    graph->node[paths_node(graph->paths, path, step.depth + 1)].cycle == step.child)
			step.parent = step.child;
	}
	return 0;
}

static int add_paths(struct callgraph *graph, int (*add)(struct callgraph *graph, u32 at))
{
	u32 at;

	for (at = 0; at < graph->paths->nr; at++)
		if (add(graph, at))
			return -ENOMEM;
	return 0;
}

/* Returns the node that lists an item: an edge's child or parent, or a node's cycle. */
typedef u32 (*lister)(const struct callgraph *graph, u32 i);

static u32 get_listed_parent(const struct callgraph *graph, u32 edge)
{
	/* Edges into a cycle are not listed as children: the parent has edges to the members. */
	return callgraph_is_cycle(graph, graph->edge[edge].child) ? CALLGRAPH_NONE :
		graph->edge[edge].parent;
}

/* Cycles are searched among the calls that were taken and are not omitted. */
static u32 get_searched_parent(const struct callgraph *graph, u32 edge)
{
	const struct callgraph_edge *call = &graph->edge[edge];

	return call->is_omitted || !(call->weight.hits || call->calls) ? CALLGRAPH_NONE :
		get_listed_parent(graph, edge);
}

static u32 get_listed_child(const struct callgraph *graph, u32 edge)
{
	return graph->edge[edge].child;
}

static u32 get_listed_cycle(const struct callgraph *graph, u32 node)
{
	return graph->node[node].cycle;
}

/* Makes a list for each node: those of @nr items for which @at returns the node, in order. */
static int make_lists(const struct callgraph *graph, u32 nr, lister at,
		      struct callgraph_lists *lists)
{
	u32 i, node;

	free(lists->first);
	free(lists->list);
	lists->first = calloc((size_t)graph->nr_nodes + 2, sizeof(*lists->first));
	lists->list = calloc((size_t)nr + 1, sizeof(*lists->list));
	if (!lists->first || !lists->list)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		if (at(graph, i) != CALLGRAPH_NONE)
			lists->first[at(graph, i) + 2]++;
	for (node = 0; node < graph->nr_nodes; node++)
		lists->first[node + 2] += lists->first[node + 1];
	/* Filling a list moves its start to its end, which is the start of the next list. */
	for (i = 0; i < nr; i++)
		if (at(graph, i) != CALLGRAPH_NONE)
			lists->list[lists->first[at(graph, i) + 1]++] = i;
	return 0;
}

static int make_cycle_nodes(struct callgraph *graph, const u32 *cycle, u32 nr_cycles)
{
	struct callgraph_node *node = reallocarray(graph->node,
						   (size_t)graph->nr_nodes + nr_cycles + 1,
						   sizeof(*node));
	u32 i;

	if (!node)
		return -ENOMEM;
	graph->node = node;
	for (i = 0; i < graph->nr_functions; i++)
		if (cycle[i] != CYCLES_NONE)
			node[i].cycle = graph->nr_functions + cycle[i];
	for (i = 0; i < nr_cycles; i++)
		node[graph->nr_functions + i] = (struct callgraph_node){ .cycle = CALLGRAPH_NONE };
	graph->nr_nodes += nr_cycles;
	return 0;
}

static int find_cycles(struct callgraph *graph)
{
	u32 *to = calloc((size_t)graph->nr_edges + 1, sizeof(*to));
	u32 *cycle = calloc((size_t)graph->nr_functions + 1, sizeof(*cycle)), nr_cycles = 0, i;
	int error = to && cycle ?
		make_lists(graph, graph->nr_edges, get_searched_parent, &graph->children) :
		-ENOMEM;

	for (i = 0; !error && i < graph->children.first[graph->nr_functions]; i++)
		to[i] = graph->edge[graph->children.list[i]].child;
	if (!error)
		error = cycles_find(graph->nr_functions, graph->children.first, to, cycle,
				    &nr_cycles);
	if (!error)
		error = make_cycle_nodes(graph, cycle, nr_cycles);
	if (!error && nr_cycles)
		error = add_paths(graph, add_path_cycles) ?: callgraph_add_cycle_calls(graph);
	free(to);
	free(cycle);
	return error;
}

static int compare_node_ids(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* Most time first; then nearest to the root, a cycle before its members; then most calls. */
static int compare_node_times(const void *a_at, const void *b_at, void *context)
{
	const struct callgraph *graph = context;
	u32 a = *(const u32 *)a_at, b = *(const u32 *)b_at;
	const struct callgraph_node *node_a = &graph->node[a], *node_b = &graph->node[b];

	if (node_a->weight.ns != node_b->weight.ns)
		return node_a->weight.ns < node_b->weight.ns ? 1 : -1;
	if (node_a->depth != node_b->depth)
		return compare_node_ids(node_a->depth, node_b->depth);
	if (callgraph_is_cycle(graph, a) != callgraph_is_cycle(graph, b))
		return callgraph_is_cycle(graph, a) ? -1 : 1;
	if (node_a->calls != node_b->calls)
		return node_a->calls < node_b->calls ? 1 : -1;
	return compare_node_ids(a, b);
}

static int compare_edge_times(const void *a_at, const void *b_at, void *context)
{
	const struct callgraph *graph = context;
	u32 a = *(const u32 *)a_at, b = *(const u32 *)b_at;
	const struct callgraph_edge *edge_a = &graph->edge[a], *edge_b = &graph->edge[b];

	if (edge_a->weight.ns != edge_b->weight.ns)
		return edge_a->weight.ns < edge_b->weight.ns ? 1 : -1;
	if (edge_a->calls != edge_b->calls)
		return edge_a->calls < edge_b->calls ? 1 : -1;
	return compare_node_ids(a, b);
}

static void sort_lists(struct callgraph *graph, struct callgraph_lists *lists,
		       int (*order)(const void *, const void *, void *))
{
	u32 node, from;

	for (node = 0; node < graph->nr_nodes; node++) {
		from = lists->first[node];
		qsort_r(lists->list + from, lists->first[node + 1] - from, sizeof(*lists->list),
			order, graph);
	}
}

static int make_order(struct callgraph *graph)
{
	u32 node;

	graph->order = calloc((size_t)graph->nr_nodes + 1, sizeof(*graph->order));
	if (!graph->order ||
	    make_lists(graph, graph->nr_edges, get_listed_child, &graph->parents) ||
	    make_lists(graph, graph->nr_edges, get_listed_parent, &graph->children) ||
	    make_lists(graph, graph->nr_nodes, get_listed_cycle, &graph->members))
		return -ENOMEM;
	for (node = 0; node < graph->nr_nodes; node++) {
		/* The node is in no stack. */
		if (!graph->node[node].weight.hits)
			graph->node[node].depth = UINT32_MAX;
		if (graph->node[node].weight.hits || graph->node[node].calls)
			graph->order[graph->nr_order++] = node;
	}
	qsort_r(graph->order, graph->nr_order, sizeof(*graph->order), compare_node_times, graph);
	sort_lists(graph, &graph->parents, compare_edge_times);
	sort_lists(graph, &graph->children, compare_edge_times);
	sort_lists(graph, &graph->members, compare_node_times);
	return 0;
}

static void mark_omitted_edges(struct callgraph *graph, struct graph_omits *omits,
			       const struct labels *labels)
{
	u32 i;

	for (i = 0; omits && i < graph->nr_edges; i++) {
		struct callgraph_edge *edge = &graph->edge[i];

		edge->is_omitted = edge->parent != CALLGRAPH_NONE &&
			graph_omits_find(omits, labels, edge->parent, edge->child,
					 edge->weight.hits);
	}
}

static int add_functions(struct callgraph *graph, struct graph_omits *omits,
			 const struct labels *labels)
{
	int error = add_paths(graph, add_path_functions) ?: callgraph_add_calls(graph);

	if (!error)
		mark_omitted_edges(graph, omits, labels);
	return error;
}

int callgraph_init(struct callgraph *graph, const struct paths *paths, const struct call_graph *calls,
		   struct graph_omits *omits, const struct labels *labels)
{
	u32 nr = paths->profile->nr_functions, i;

	*graph = (struct callgraph){
		.paths = paths, .calls = calls, .nr_functions = nr, .nr_nodes = nr,
	};
	graph->node = calloc((size_t)nr + 1, sizeof(*graph->node));
	for (i = 0; graph->node && i < nr; i++)
		graph->node[i].cycle = CALLGRAPH_NONE;
	if (graph->node && !add_functions(graph, omits, labels) && !find_cycles(graph) &&
	    !make_order(graph))
		return 0;
	callgraph_deinit(graph);
	return -ENOMEM;
}

static void lists_deinit(struct callgraph_lists *lists)
{
	free(lists->first);
	free(lists->list);
}

void callgraph_deinit(struct callgraph *graph)
{
	lists_deinit(&graph->parents);
	lists_deinit(&graph->children);
	lists_deinit(&graph->members);
	intern_deinit(&graph->edge_index);
	free(graph->node);
	free(graph->edge);
	free(graph->order);
	*graph = (struct callgraph){ .paths = NULL };
}
