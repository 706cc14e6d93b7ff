// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of paths: see tree.h. Paths in the order of their nodes lie together when they begin
 * alike: a row is a range of them, the rows below it are the parts of that range that go on
 * alike. Ranges that wait to become rows are on a stack, the next one on top.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/tree.h"

struct range {
	struct tree_row row;
	uint32_t from, to;	/* in sorted; the same: nothing to go into */
};

struct builder {
	const struct paths *paths;
	const struct tree_options *options;
	struct tree *tree;
	uint32_t *sorted;	/* positions of paths */
	struct range *range;
	size_t nr, max;
};

static int compare_paths(const void *a_at, const void *b_at, void *context)
{
	const struct paths *paths = context;
	uint32_t a = *(const uint32_t *)a_at, b = *(const uint32_t *)b_at, at;
	const struct path *path_a = &paths->path[a], *path_b = &paths->path[b];
	uint32_t len_a = paths_len(paths, path_a), len_b = paths_len(paths, path_b);

	for (at = 0; at < len_a && at < len_b; at++) {
		uint32_t node_a = paths_node(paths, path_a, at), node_b = paths_node(paths, path_b, at);

		if (node_a != node_b)
			return node_a < node_b ? -1 : 1;
	}
	if (len_a != len_b)
		return len_a < len_b ? -1 : 1;
	return (a > b) - (a < b);
}

/* Room for one more in an array that doubles. */
static int make_room(void *array_at, size_t nr, size_t *max, size_t entry_len)
{
	void **array = array_at, *more;

	if (nr < *max)
		return 0;
	more = reallocarray(*array, *max ? 2 * *max : 64, entry_len);
	if (!more)
		return -ENOMEM;
	*array = more;
	*max = *max ? 2 * *max : 64;
	return 0;
}

static int push(struct builder *builder, const struct range *range)
{
	if (make_room(&builder->range, builder->nr, &builder->max, sizeof(*range)))
		return -ENOMEM;
	builder->range[builder->nr++] = *range;
	return 0;
}

/* The least time first: it is wanted last. */
static int compare_ranges(const void *a_at, const void *b_at)
{
	const struct range *a = a_at, *b = b_at;

	if (a->row.weight.ns != b->row.weight.ns)
		return a->row.weight.ns > b->row.weight.ns ? 1 : -1;
	return (a->row.node < b->row.node) - (a->row.node > b->row.node);
}

static void fold(struct weight *sum, const struct weight *more)
{
	sum->hits += more->hits;
	sum->ns += more->ns;
	sum->self_hits += more->self_hits;
	sum->self_ns += more->self_ns;
}

/* Of the ranges from @start on, which are siblings: all but the large ones become one. */
static void fold_small(struct builder *builder, size_t start)
{
	const struct tree_options *options = builder->options;
	size_t nr = builder->nr - start, nr_small = 0, i;
	struct range *sibling = builder->range + start;
	struct range others = { .row = { .node = TREE_OTHERS } };

	while (nr_small < nr &&
	       ((options->max_rows && nr - nr_small > options->max_rows) ||
		weight_share(&sibling[nr_small].row.weight, &builder->paths->base) < options->min_share))
		nr_small++;
	if (!nr_small)
		return;
	others.row.level = sibling->row.level;
	others.row.nr_others = nr_small;
	for (i = 0; i < nr_small; i++)
		fold(&others.row.weight, &sibling[i].row.weight);
	memmove(sibling + 1, sibling + nr_small, (nr - nr_small) * sizeof(*sibling));
	sibling[0] = others;
	builder->nr = start + 1 + nr - nr_small;
}

/* The ranges right below one: paths that are alike up to @level, by their nodes there. */
static int go_into(struct builder *builder, uint32_t from, uint32_t to, uint32_t level)
{
	const struct paths *paths = builder->paths;
	struct range range = { .row = { .node = TREE_OTHERS } };
	size_t start = builder->nr;

	for (; from < to; from++) {
		const struct path *path = &paths->path[builder->sorted[from]];
		uint32_t node;

		/* Those that end above come first. */
		if (paths_len(paths, path) <= level)
			continue;
		node = paths_node(paths, path, level);
		if (node != range.row.node) {
			if (range.row.node != TREE_OTHERS && push(builder, &range))
				return -ENOMEM;
			range = (struct range){ .row = { .node = node, .level = level }, .from = from };
		}
		range.to = from + 1;
		weight_add(&range.row.weight, &paths->profile->stacks[path->stack],
			   paths_is_self(paths, path, level));
	}
	if (range.row.node != TREE_OTHERS && push(builder, &range))
		return -ENOMEM;
	if (builder->nr > start)
		qsort(builder->range + start, builder->nr - start, sizeof(range), compare_ranges);
	fold_small(builder, start);
	return 0;
}

static int build(struct builder *builder)
{
	struct tree *tree = builder->tree;
	uint32_t max_levels = builder->options->max_levels;
	int error = go_into(builder, 0, builder->paths->nr, 0);

	while (!error && builder->nr) {
		struct range range = builder->range[--builder->nr];

		error = make_room(&tree->row, tree->nr, &tree->max, sizeof(*tree->row));
		if (error)
			break;
		tree->row[tree->nr++] = range.row;
		if (!max_levels || range.row.level + 1 < max_levels)
			error = go_into(builder, range.from, range.to, range.row.level + 1);
	}
	return error;
}

int tree_init(struct tree *tree, const struct paths *paths, const struct tree_options *options)
{
	struct builder builder = { .paths = paths, .options = options, .tree = tree };
	int error = -ENOMEM;
	uint32_t i;

	*tree = (struct tree){ .row = NULL };
	builder.sorted = calloc((size_t)paths->nr + 1, sizeof(*builder.sorted));
	if (builder.sorted) {
		for (i = 0; i < paths->nr; i++)
			builder.sorted[i] = i;
		qsort_r(builder.sorted, paths->nr, sizeof(*builder.sorted), compare_paths, (void *)paths);
		error = build(&builder);
	}
	free(builder.sorted);
	free(builder.range);
	if (error)
		tree_deinit(tree);
	return error;
}

void tree_deinit(struct tree *tree)
{
	free(tree->row);
	*tree = (struct tree){ .row = NULL };
}
