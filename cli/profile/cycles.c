// SPDX-License-Identifier: GPL-2.0-only
/* Tarjan's algorithm without recursion: see cycles.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "profile/cycles.h"

/** State of a node. */
struct visit {
	uint32_t number;	/* in order of discovery, from 1; 0: not found yet */
	uint32_t low;		/* least known number of an open node reachable from it */
	uint32_t next;		/* position of the edge to follow next */
	bool is_open;		/* its component is not complete */
};

struct cycle_search {
	const uint32_t *first, *to;
	struct visit *visit;
	uint32_t *path, path_len;	/* nodes being visited, each found from the previous one */
	uint32_t *open, nr_open;	/* nodes of incomplete components */
	uint32_t *cycle, nr_cycles;
	uint32_t nr_found;
};

static void enter_node(struct cycle_search *search, uint32_t node)
{
	search->nr_found++;
	search->visit[node] = (struct visit){ search->nr_found, search->nr_found,
					      search->first[node], true };
	search->path[search->path_len++] = node;
	search->open[search->nr_open++] = node;
}

/* No older open node can be reached from @node, so its component is complete. */
static void close_component(struct cycle_search *search, uint32_t node)
{
	bool is_cycle = search->open[search->nr_open - 1] != node;
	uint32_t member;

	do {
		member = search->open[--search->nr_open];
		search->visit[member].is_open = false;
		search->cycle[member] = is_cycle ? search->nr_cycles : CYCLES_NONE;
	} while (member != node);
	search->nr_cycles += is_cycle;
}

static void lower_reach(struct visit *visit, uint32_t low)
{
	visit->low = low < visit->low ? low : visit->low;
}

static void leave_node(struct cycle_search *search)
{
	uint32_t node = search->path[--search->path_len];
	const struct visit *visit = &search->visit[node];

	if (search->path_len)
		lower_reach(&search->visit[search->path[search->path_len - 1]], visit->low);
	if (visit->low == visit->number)
		close_component(search, node);
}

static void visit_from(struct cycle_search *search, uint32_t root)
{
	enter_node(search, root);
	while (search->path_len) {
		uint32_t node = search->path[search->path_len - 1], child;
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

int cycles_find(uint32_t nr, const uint32_t *first, const uint32_t *to, uint32_t *cycle_ret,
		uint32_t *nr_cycles_ret)
{
	struct cycle_search search = { .first = first, .to = to, .cycle = cycle_ret };
	uint32_t node;
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
