// SPDX-License-Identifier: GPL-2.0-only
/* Paths summed by function: see time_merge.h. */
#include <errno.h>
#include <stdlib.h>

#include "times/time_merge.h"

/** A node while nodes are grouped. */
struct member {
	u32 position;
	u32 root;		/* plus one; 0: none */
	u32 type;
	u32 function;
	bool is_nested;		/* a caller has the same function */
};

static void describe(const struct time_counts *counts, u32 position, struct member *member)
{
	const struct time_node *node = &counts->nodes[position];
	u32 parent = node->parent;

	*member = (struct member){ position, 0, node->type, node->function, false };
	for (; parent != CALLS_NONE; parent = counts->nodes[parent].parent) {
		if (time_is_root(&counts->nodes[parent]))
			member->root = parent + 1;
		else if (counts->nodes[parent].function == node->function)
			member->is_nested = true;
	}
}

/* Roots come first and stay in their order, then groups. */
static int compare(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

static bool is_same_group(const struct member *a, const struct member *b)
{
	return a->root == b->root && a->type == b->type && a->function == b->function;
}

static void add_nested(struct time_sums *to, const struct time_sums *from)
{
	to->calls += from->calls;
	to->ended += from->ended;
	to->recursive += from->ended;
	to->missed += from->missed;
	to->errors += from->errors;
	to->net_ns += from->net_ns;
	to->children += from->children;
}

static struct member *sort_members(const struct time_counts *counts)
{
	struct member *members = calloc(counts->nr_nodes + 1, sizeof(*members));
	u32 i;

	if (!members)
		return NULL;
	for (i = 0; i < counts->nr_nodes; i++)
		describe(counts, i, &members[i]);
	qsort(members, counts->nr_nodes, sizeof(*members), compare);
	return members;
}

/* The roots, in their order; @moved: their new positions. Returns how many there are. */
static u32 keep_roots(const struct time_counts *counts, struct time_node *nodes, u32 *moved)
{
	u32 nr = 0, i;

	for (i = 0; i < counts->nr_nodes; i++) {
		if (!time_is_root(&counts->nodes[i]))
			continue;
		moved[i] = nr;
		nodes[nr++] = counts->nodes[i];
	}
	return nr;
}

static u32 add_groups(const struct time_counts *counts, const struct member *members,
		      struct time_node *nodes, u32 nr, const u32 *moved)
{
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++) {
		const struct time_node *from = &counts->nodes[members[i].position];

		if (time_is_root(from))
			continue;
		if (!i || !is_same_group(&members[i - 1], &members[i]))
			nodes[nr++] = (struct time_node){
				.parent = members[i].root ? moved[members[i].root - 1] : CALLS_NONE,
				.type = from->type, .function = from->function,
			};
		if (members[i].is_nested)
			add_nested(&nodes[nr - 1].sums, &from->sums);
		else
			time_sums_add(&nodes[nr - 1].sums, &from->sums);
	}
	return nr;
}

int time_merge(struct time_counts *counts)
{
	struct member *members = sort_members(counts);
	struct time_node *nodes = calloc(counts->nr_nodes + 1, sizeof(*nodes));
	u32 *moved = calloc(counts->nr_nodes + 1, sizeof(*moved));
	bool has_room = members && nodes && moved;

	if (has_room) {
		u32 nr = keep_roots(counts, nodes, moved);

		counts->nr_nodes = add_groups(counts, members, nodes, nr, moved);
		free(counts->nodes);
		counts->nodes = nodes;
		counts->totals.flags &= ~CPUPROBE_CALLS_PATHS;
	} else {
		free(nodes);
	}
	free(members);
	free(moved);
	return has_room ? 0 : -ENOMEM;
}
