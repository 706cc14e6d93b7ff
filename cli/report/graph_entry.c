// SPDX-License-Identifier: GPL-2.0-only
/* Entries of the call graph's listing: see graph_entry.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/graph_entry.h"

static bool is_small(const struct graph_listing *listing, const struct weight *weight)
{
	/* With calls a node without samples may be of interest: the least share decides. */
	return (!weight->hits && !listing->graph->calls) ||
		weight_share(weight, &listing->graph->paths->base) < listing->min_share;
}

/* With calls, an edge is small if it is a small part of the called function's calls too. */
static bool is_small_edge(const struct graph_listing *listing, const struct callgraph_edge *edge,
			  enum graph_role role)
{
	const struct callgraph_node *child = &listing->graph->node[edge->child];

	if (!is_small(listing, &edge->weight))
		return false;
	if (!listing->graph->calls || !child->is_counted)
		return true;
	/* Calls never taken say something about the caller. */
	if (!edge->calls)
		return role == GRAPH_PARENT;
	return edge->calls < listing->min_share * child->calls;
}

/* Numbers cycles and entries, both in the order of their time. */
static void number_entries(struct graph_listing *listing,
			   const struct graph_listing_options *options)
{
	const struct callgraph *graph = listing->graph;
	u32 nr_cycles = 0, i, node;

	for (i = 0; i < graph->nr_order; i++) {
		node = graph->order[i];
		if (callgraph_is_cycle(graph, node))
			listing->cycle_number[node] = ++nr_cycles;
		if (is_small(listing, &graph->node[node].weight)) {
			listing->nr_small++;
		} else if (options->max_depth && graph->node[node].depth >= options->max_depth) {
			listing->nr_deep++;
		} else if (options->max_entries && listing->nr == options->max_entries) {
			listing->nr_small++;
		} else {
			listing->entry[listing->nr] = node;
			listing->index[node] = ++listing->nr;
		}
	}
	for (node = 0; node < graph->nr_functions; node++)
		if (graph->node[node].cycle != CALLGRAPH_NONE)
			listing->cycle_number[node] =
				listing->cycle_number[graph->node[node].cycle];
}

int graph_listing_init(struct graph_listing *listing, const struct callgraph *graph,
		       const struct graph_listing_options *options)
{
	size_t nr = (size_t)graph->nr_nodes + 1;

	*listing = (struct graph_listing){ .graph = graph, .min_share = options->min_share };
	listing->index = calloc(nr, sizeof(*listing->index));
	listing->cycle_number = calloc(nr, sizeof(*listing->cycle_number));
	listing->entry = calloc(nr, sizeof(*listing->entry));
	if (!listing->index || !listing->cycle_number || !listing->entry) {
		graph_listing_deinit(listing);
		return -ENOMEM;
	}
	number_entries(listing, options);
	return 0;
}

void graph_listing_deinit(struct graph_listing *listing)
{
	free(listing->index);
	free(listing->cycle_number);
	free(listing->entry);
	*listing = (struct graph_listing){ .graph = NULL };
}

static u32 count_listed(const struct callgraph_lists *lists, u32 node)
{
	return lists->first[node + 1] - lists->first[node];
}

static int make_line_room(struct graph_entry *entry, size_t nr)
{
	struct graph_line *more;

	if (nr <= entry->max)
		return 0;
	more = reallocarray(entry->line, nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	entry->line = more;
	entry->max = nr;
	return 0;
}

/* Calls into a cycle are a part of all those from outside; calls within it have no total. */
static void set_edge_calls(struct graph_line *line, const struct callgraph *graph,
			   const struct callgraph_edge *edge)
{
	const struct callgraph_node *child = &graph->node[edge->child];
	u32 cycle = child->cycle;

	line->is_counted = graph->calls && child->is_counted && edge->parent != CALLGRAPH_NONE;
	if (!line->is_counted)
		return;
	line->calls = line->time_calls = edge->calls;
	line->of_calls = child->calls;
	if (cycle == CALLGRAPH_NONE)
		return;
	line->is_inner = graph->node[edge->parent].cycle == cycle;
	if (!line->is_inner && graph->node[cycle].is_counted)
		line->of_calls = graph->node[cycle].calls;
}

static void add_edge(struct graph_entry *entry, const struct graph_listing *listing,
		     const struct callgraph_edge *edge, enum graph_role role)
{
	struct graph_line *line;

	if (edge->parent == edge->child)
		return;
	if (is_small_edge(listing, edge, role)) {
		*(role == GRAPH_PARENT ? &entry->nr_small_parents : &entry->nr_small_children) += 1;
		*(role == GRAPH_PARENT ? &entry->small_parent_calls : &entry->small_child_calls) +=
			edge->calls;
		return;
	}
	line = &entry->line[entry->nr++];
	*line = (struct graph_line){
		.role = role, .node = role == GRAPH_PARENT ? edge->parent : edge->child,
		.weight = edge->weight,
		.of_hits = listing->graph->node[edge->child].weight.hits,
		.is_omitted = edge->is_omitted,
	};
	set_edge_calls(line, listing->graph, edge);
}

/* A cycle's time is that of the calls from outside; a function's, of all its calls. */
static void set_node_calls(struct graph_line *line, const struct callgraph *graph, u32 at)
{
	const struct callgraph_node *node = &graph->node[at];

	line->is_counted = graph->calls && node->is_counted;
	if (!line->is_counted)
		return;
	line->calls = line->role == GRAPH_MEMBER ? node->cycle_calls : node->calls;
	line->inner_calls = line->role == GRAPH_MEMBER ? 0 : node->inner_calls;
	line->time_calls = callgraph_is_cycle(graph, at) ? node->calls :
		node->calls + node->inner_calls;
}

static void add_self(struct graph_entry *entry, const struct callgraph *graph, u32 node)
{
	const struct callgraph_edge *recursion = callgraph_recursion(graph, node);

	entry->at = entry->nr;
	entry->line[entry->nr++] = (struct graph_line){
		.role = GRAPH_SELF, .node = node, .weight = graph->node[node].weight,
		.of_hits = graph->node[node].weight.hits,
		.recursive_hits = recursion ? recursion->weight.hits : 0,
	};
	set_node_calls(&entry->line[entry->at], graph, node);
}

static void add_members(struct graph_entry *entry, const struct graph_listing *listing, u32 cycle)
{
	const struct callgraph *graph = listing->graph;
	u32 i;

	for (i = graph->members.first[cycle]; i < graph->members.first[cycle + 1]; i++) {
		const struct callgraph_node *member = &graph->node[graph->members.list[i]];

		if (is_small(listing, &member->weight)) {
			entry->nr_small_children++;
			entry->small_child_calls += member->cycle_calls;
			continue;
		}
		entry->line[entry->nr++] = (struct graph_line){
			.role = GRAPH_MEMBER, .node = graph->members.list[i],
			.weight = member->weight, .of_hits = graph->node[cycle].weight.hits,
		};
		set_node_calls(&entry->line[entry->nr - 1], graph, graph->members.list[i]);
	}
}

int graph_entry_fill(struct graph_entry *entry, const struct graph_listing *listing, u32 node)
{
	const struct callgraph *graph = listing->graph;
	const struct callgraph_lists *parents = &graph->parents, *children = &graph->children;
	u32 i;

	if (make_line_room(entry, 1 + (size_t)count_listed(parents, node) +
			   count_listed(children, node) + count_listed(&graph->members, node)))
		return -ENOMEM;
	entry->nr = entry->nr_small_parents = entry->nr_small_children = 0;
	entry->small_parent_calls = entry->small_child_calls = 0;
	for (i = parents->first[node + 1]; i > parents->first[node]; i--)
		add_edge(entry, listing, &graph->edge[parents->list[i - 1]], GRAPH_PARENT);
	add_self(entry, graph, node);
	for (i = children->first[node]; i < children->first[node + 1]; i++)
		add_edge(entry, listing, &graph->edge[children->list[i]], GRAPH_CHILD);
	add_members(entry, listing, node);
	return 0;
}

void graph_entry_deinit(struct graph_entry *entry)
{
	free(entry->line);
	*entry = (struct graph_entry){ .line = NULL };
}
