/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of the call graph's listing, whose rows are struct graph_line, and of the call tree,
 * whose rows are struct tree_row. The view of columns_choose() is a struct graph_table.
 */
#ifndef GRAPH_COLUMNS_H
#define GRAPH_COLUMNS_H

#include "report/graph_entry.h"
#include "report/graph_view.h"
#include "report/tree.h"

/** A listing or a tree as it is being written. */
struct graph_table {
	const struct graph_view *view;
	const struct graph_listing *listing;	/* NULL: a tree */
	uint32_t entry;				/* number of the one that a line is in, from 1 */
	struct columns columns;
	int name_cols;				/* room for a name; 0: that of a line */
};

/** graph_node() - what a row is of, as labels have it; false: neither a function nor a program. */
bool graph_node(const struct column_cell *cell, uint32_t *node_ret);

/**
 * graph_name() - of a row, as a column has it: for people indented, and cut to its room.
 * graph_tail() - what is not cut off it: its cycle, and the number of its entry.
 */
const char *graph_name(const struct column_cell *cell, char *text, size_t len);
const char *graph_tail(const struct column_cell *cell, char *text, size_t len);

/** graph_table_init() - with the columns that -o asks for, once the others are there. -ENOMEM. */
int graph_table_init(struct graph_table *table);

/** graph_table_begin() - of text, once all rows are measured: the head and the titles. */
void graph_table_begin(FILE *out, struct graph_table *table, const char *title);

#endif
