// SPDX-License-Identifier: GPL-2.0-only
/* Tarjan's algorithm without recursion: see cycles.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "profile/cycles.h"

/** State of a node. */
struct visit {
	u32 number;		/* in order of discovery, from 1; 0: not found yet */
	u32 low;		/* least known number of an open node reachable from it */
	u32 next;		/* position of the edge to follow next */
	bool is_open;		/* its component is not complete */
};

struct cycle_search {
	const u32 *first, *to;
	struct visit *visit;
	u32 *path, path_len;		/* nodes being visited, each found from the previous one */
	u32 *open, nr_open;		/* nodes of incomplete components */
	u32 *cycle, nr_cycles;
	u32 nr_found;
};

static void enter_node(struct cycle_search *search, u32 node)
{
	search->nr_found++;
	search->visit[node] = (struct visit){ search->nr_found, search->nr_found,
					      search->first[node], true };
	search->path[search->path_len++] = node;
	search->open[search->nr_open++] = node;
}

/* No older open node can be reached from @node, so its component is complete. */
static void close_component(struct cycle_search *search, u32 node)
{
	bool is_cycle = search->open[search->nr_open - 1] != node;
	u32 member;

	do {
		member = search->open[--search->nr_open];
		search->visit[member].is_open = false;
		search->cycle[member] = is_cycle ? search->nr_cycles : CYCLES_NONE;
	} while (member != node);
	search->nr_cycles += is_cycle;
}

static void lower_reach(struct visit *visit, u32 low)
{
	visit->low = low < visit->low ? low : visit->low;
}

static void leave_node(struct cycle_search *search)
{
	u32 node = search->path[--search->path_len];
	const struct visit *visit = &search->visit[node];

	if (search->path_len)
		lower_reach(&search->visit[search->path[search->path_len - 1]], visit->low);
	if (visit->low == visit->number)
		close_component(search, node);
}

static void visit_from(struct cycle_search *search, u32 root)
{
	enter_node(search, root);
	while (search->path_len) {
		u32 node = search->path[search->path_len - 1], child;
		struct visit *visit = &search->visit[node];

		if (visit->next == search->first[node + 1]) {
			leave_node(search);
			continue;
		}
		child = search->to[visit->next++];
		if (!search->visit[child].number)
			enter_node(search, child);
		else if (search->visit[child].is_open)
			lower_reach(visit, search->visit[child].number);
	}
}

int cycles_find(u32 nr, const u32 *first, const u32 *to, u32 *cycle_ret, u32 *nr_cycles_ret)
{
	struct cycle_search search = { .first = first, .to = to, .cycle = cycle_ret };
	u32 node;
	int error = -ENOMEM;

	search.visit = calloc((size_t)nr + 1, sizeof(*search.visit));
	search.path = calloc((size_t)nr + 1, sizeof(*search.path));
	search.open = calloc((size_t)nr + 1, sizeof(*search.open));
	if (search.visit && search.path && search.open) {
		for (node = 0; node < nr; node++)
			if (!search.visit[node].number)
				visit_from(&search, node);
		*nr_cycles_ret = search.nr_cycles;
		error = 0;
	}
	free(search.visit);
	free(search.path);
	free(search.open);
	return error;
}
