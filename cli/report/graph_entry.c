// SPDX-License-Identifier: GPL-2.0-only
/* Entries of the call graph's listing: see graph_entry.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/graph_entry.h"

static bool is_small(const struct graph_listing *listing, const struct weight *weight)
{
	return !weight->hits ||
		weight_share(weight, &listing->graph->paths->base) < listing->min_share;
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

static void add_edge(struct graph_entry *entry, const struct graph_listing *listing,
		     const struct callgraph_edge *edge, enum graph_role role)
{
	if (edge->parent == edge->child)
		return;
	if (is_small(listing, &edge->weight))
		*(role == GRAPH_PARENT ? &entry->nr_small_parents : &entry->nr_small_children) += 1;
	else
		entry->line[entry->nr++] = (struct graph_line){
			.role = role,
			.node = role == GRAPH_PARENT ? edge->parent : edge->child,
			.weight = edge->weight,
			.of_hits = listing->graph->node[edge->child].weight.hits,
			.is_omitted = edge->is_omitted,
		};
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
}

static void add_members(struct graph_entry *entry, const struct graph_listing *listing, u32 cycle)
{
	const struct callgraph *graph = listing->graph;
	u32 i;

	for (i = graph->members.first[cycle]; i < graph->members.first[cycle + 1]; i++) {
		const struct callgraph_node *member = &graph->node[graph->members.list[i]];

		if (is_small(listing, &member->weight))
			entry->nr_small_children++;
		else
			entry->line[entry->nr++] = (struct graph_line){
				.role = GRAPH_MEMBER, .node = graph->members.list[i],
				.weight = member->weight,
				.of_hits = graph->node[cycle].weight.hits,
			};
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
