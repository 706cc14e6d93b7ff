// SPDX-License-Identifier: GPL-2.0-only
/* Rows of timed calls: see time_rows.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times/time_rows.h"

/** A node while rows are sorted. */
struct sorting {
	const struct time_counts *counts;
	u32 position;
	u32 parent;		/* plus one; 0: none */
	double key;
};

/* Larger keys come first. A process has no calls of its own: those that it contains count. */
static double key_of(const struct time_counts *counts, const struct time_node *node, enum call_sort by)
{
	switch (by) {
	case CALLS_BY_TOTAL:
		return time_on_ns(counts, node);
	case CALLS_BY_SELF:
		return time_net_ns(counts, node);
	case CALLS_BY_CALLS:
		return node->sums.calls;
	case CALLS_BY_NAME:
		break;
	}
	return 0;
}

/* By parent first: siblings are next to each other. */
static int compare(const void *a, const void *b)
{
	const struct sorting *x = a, *y = b;
	const struct time_counts *counts = x->counts;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return strcmp(time_counts_name(counts, &counts->nodes[x->position]),
		      time_counts_name(counts, &counts->nodes[y->position])) ?:
		(x->position > y->position) - (x->position < y->position);
}

/* Parents come first, so going backwards each node is complete before it is added. */
static void add_keys_to_roots(struct sorting *sorting, const struct time_counts *counts)
{
	u32 i = counts->nr_nodes;

	while (i--) {
		const struct time_node *node = &counts->nodes[i];

		if (node->parent != CALLS_NONE && time_is_root(&counts->nodes[node->parent]))
			sorting[node->parent].key += sorting[i].key;
	}
}

static struct sorting *sort_nodes(const struct time_counts *counts, enum call_sort by)
{
	struct sorting *sorting = calloc(counts->nr_nodes + 1, sizeof(*sorting));
	u32 i;

	if (!sorting)
		return NULL;
	for (i = 0; i < counts->nr_nodes; i++)
		sorting[i] = (struct sorting){
			counts, i, counts->nodes[i].parent + 1, key_of(counts, &counts->nodes[i], by),
		};
	add_keys_to_roots(sorting, counts);
	qsort(sorting, counts->nr_nodes, sizeof(*sorting), compare);
	return sorting;
}

/* Position in sorted order of the first node with each parent; by parent plus one. */
static u32 *find_children(const struct sorting *sorting, u32 nr)
{
	u32 *first = calloc(nr + 2, sizeof(*first)), i, parent = 0;

	if (!first)
		return NULL;
	for (i = 0; i < nr; i++)
		while (parent < sorting[i].parent)
			first[++parent] = i;
	while (parent < nr + 1)
		first[++parent] = nr;
	return first;
}

static bool is_shown(const struct time_node *node)
{
	return node->sums.calls || node->sums.ended || node->sums.missed;
}

/* Appends the rows of a tree without recursion: @next holds the next sibling of each level. */
static int append_rows(struct time_rows *rows, const struct sorting *sorting, const u32 *first)
{
	const struct time_counts *counts = rows->counts;
	u32 nr = counts->nr_nodes, level = 0;
	u32 *next = calloc(nr + 2, sizeof(*next)), *end = calloc(nr + 2, sizeof(*end));
	u32 *depth = calloc(nr + 2, sizeof(*depth));
	int error = next && end && depth ? 0 : -ENOMEM;

	if (!error)
		end[0] = nr ? first[1] : 0;
	while (!error) {
		u32 position;
		const struct time_node *node;

		if (next[level] == end[level]) {
			if (!level--)
				break;
			continue;
		}
		position = sorting[next[level]++].position;
		node = &counts->nodes[position];
		if (is_shown(node))
			rows->row[rows->nr++] = (struct time_row){ node, depth[level] };
		depth[level + 1] = depth[level] + !time_is_root(node);
		level++;
		next[level] = first[position + 1];
		end[level] = first[position + 2];
	}
	free(next);
	free(end);
	free(depth);
	return error;
}

int time_rows_init(struct time_rows *rows, const struct time_counts *counts, enum call_sort by)
{
	struct sorting *sorting = sort_nodes(counts, by);
	u32 *first = sorting ? find_children(sorting, counts->nr_nodes) : NULL;
	int error = -ENOMEM;

	*rows = (struct time_rows){ .counts = counts };
	rows->row = calloc(counts->nr_nodes + 1, sizeof(*rows->row));
	if (first && rows->row)
		error = append_rows(rows, sorting, first);
	free(first);
	free(sorting);
	if (error)
		time_rows_deinit(rows);
	return error;
}

const struct time_node *time_row_process(const struct time_rows *rows, const struct time_row *row)
{
	const struct time_node *node = row->node;

	while (node->parent != CALLS_NONE)
		node = &rows->counts->nodes[node->parent];
	return time_is_root(node) ? node : NULL;
}

const char *time_row_path(const struct time_rows *rows, const struct time_row *row, char *text,
			  size_t len)
{
	const struct time_node *node = row->node;
	size_t at = len - 1;

	text[at] = '\0';
	for (;;) {
		const char *name = time_counts_name(rows->counts, node);
		size_t name_len = strlen(name);

		if (name_len + 1 > at)
			break;
		at -= name_len;
		memcpy(text + at, name, name_len);
		if (node->parent == CALLS_NONE)
			break;
		text[--at] = ';';
		node = &rows->counts->nodes[node->parent];
	}
	return text + at;
}

void time_rows_deinit(struct time_rows *rows)
{
	free(rows->row);
	rows->row = NULL;
	rows->nr = 0;
}
