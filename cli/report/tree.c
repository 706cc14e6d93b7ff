// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of paths: see tree.h. Paths are sorted by their nodes, so that paths with the same
 * beginning are adjacent: a row is a range of paths, and its child rows are the parts of this range
 * with the same next node. Ranges that are not visited yet are on a stack, the next one on top.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/tree.h"

struct tree_range {
	struct tree_row row;
	u32 from, to;		/* in sorted; equal: no rows below */
};

struct tree_walk {
	const struct paths *paths;
	const struct tree_options *options;
	u32 *sorted;		/* positions of paths */
	struct tree_range *range;
	size_t nr, max;
};

static int compare_paths(const void *a_at, const void *b_at, void *context)
{
	const struct paths *paths = context;
	u32 a = *(const u32 *)a_at, b = *(const u32 *)b_at, at;
	const struct path *path_a = &paths->path[a], *path_b = &paths->path[b];
	u32 len_a = paths_len(paths, path_a), len_b = paths_len(paths, path_b);

	for (at = 0; at < len_a && at < len_b; at++) {
		u32 node_a = paths_node(paths, path_a, at), node_b = paths_node(paths, path_b, at);

		if (node_a != node_b)
			return node_a < node_b ? -1 : 1;
	}
	if (len_a != len_b)
		return len_a < len_b ? -1 : 1;
	return (a > b) - (a < b);
}

static int push_range(struct tree_walk *walk, const struct tree_range *range)
{
	struct tree_range *more;

	if (walk->nr == walk->max) {
		walk->max = walk->max ? 2 * walk->max : 64;
		more = reallocarray(walk->range, walk->max, sizeof(*more));
		if (!more)
			return -ENOMEM;
		walk->range = more;
	}
	walk->range[walk->nr++] = *range;
	return 0;
}

/* Least time first: the stack is visited from its end. */
static int compare_range_times(const void *a_at, const void *b_at)
{
	const struct tree_range *a = a_at, *b = b_at;

	if (a->row.weight.ns != b->row.weight.ns)
		return a->row.weight.ns > b->row.weight.ns ? 1 : -1;
	return (a->row.node < b->row.node) - (a->row.node > b->row.node);
}

static void add_folded_weight(struct weight *sum, const struct weight *more)
{
	sum->hits += more->hits;
	sum->ns += more->ns;
	sum->self_hits += more->self_hits;
	sum->self_ns += more->self_ns;
}

/* Folds all but the large ones of the ranges from @start on, which are siblings, into one. */
static void fold_small_ranges(struct tree_walk *walk, size_t start)
{
	const struct tree_options *options = walk->options;
	size_t nr = walk->nr - start, nr_small = 0, i;
	struct tree_range *sibling = walk->range + start;
	struct tree_range others = { .row = { .node = TREE_OTHERS } };

	while (nr_small < nr &&
	       ((options->max_rows && nr - nr_small > options->max_rows) ||
		weight_share(&sibling[nr_small].row.weight,
			     &walk->paths->base) < options->min_share))
		nr_small++;
	if (!nr_small)
		return;
	others.row.level = sibling->row.level;
	others.row.nr_others = nr_small;
	for (i = 0; i < nr_small; i++)
		add_folded_weight(&others.row.weight, &sibling[i].row.weight);
	memmove(sibling + 1, sibling + nr_small, (nr - nr_small) * sizeof(*sibling));
	sibling[0] = others;
	walk->nr = start + 1 + nr - nr_small;
}

/* Pushes the child ranges of a range of paths that are equal above @level. */
static int push_child_ranges(struct tree_walk *walk, u32 from, u32 to, u32 level)
{
	const struct paths *paths = walk->paths;
	struct tree_range range = { .row = { .node = TREE_OTHERS } };
	size_t start = walk->nr;

	for (; from < to; from++) {
		const struct path *path = &paths->path[walk->sorted[from]];
		u32 node;

		/* Paths that end above @level come first. */
		if (paths_len(paths, path) <= level)
			continue;
		node = paths_node(paths, path, level);
		if (node != range.row.node) {
			if (range.row.node != TREE_OTHERS && push_range(walk, &range))
				return -ENOMEM;
			range = (struct tree_range){ .row = { .node = node, .level = level },
						     .from = from };
		}
		range.to = from + 1;
		weight_add(&range.row.weight, &paths->profile->stacks[path->stack],
			   paths_is_self(paths, path, level));
	}
	if (range.row.node != TREE_OTHERS && push_range(walk, &range))
		return -ENOMEM;
	if (walk->nr > start)
		qsort(walk->range + start, walk->nr - start, sizeof(range), compare_range_times);
	fold_small_ranges(walk, start);
	return 0;
}

int tree_walk(const struct paths *paths, const struct tree_options *options, tree_visit visit,
	      void *context)
{
	struct tree_walk walk = { .paths = paths, .options = options };
	int error = -ENOMEM;
	u32 i;

	walk.sorted = calloc((size_t)paths->nr + 1, sizeof(*walk.sorted));
	if (walk.sorted) {
		for (i = 0; i < paths->nr; i++)
			walk.sorted[i] = i;
		qsort_r(walk.sorted, paths->nr, sizeof(*walk.sorted), compare_paths, (void *)paths);
		error = push_child_ranges(&walk, 0, paths->nr, 0);
	}
	while (!error && walk.nr) {
		struct tree_range range = walk.range[--walk.nr];

		visit(context, &range.row);
		if (!options->max_levels || range.row.level + 1 < options->max_levels)
			error = push_child_ranges(&walk, range.from, range.to, range.row.level + 1);
	}
	free(walk.sorted);
	free(walk.range);
	return error;
}
