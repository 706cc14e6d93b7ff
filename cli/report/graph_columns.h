/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns of the call graph's listing, whose rows are struct graph_line, and of the call tree,
 * whose rows are struct tree_row. The view of columns_choose() is a struct graph_table.
 */
#ifndef GRAPH_COLUMNS_H
#define GRAPH_COLUMNS_H

#include "base/execution.h"
#include "report/graph_entry.h"
#include "report/graph_view.h"
#include "report/tree.h"

/** A listing or a tree being written. */
struct graph_table {
	const struct graph_view *view;
	const struct graph_listing *listing;	/* NULL: a tree */
	u32 entry;				/* number of the entry being written, from 1 */
	struct columns columns;
	int name_cols;				/* width of the name column; 0: that of a line */
	double each;	/* time of the base per execution, in .unit; NAN: unknown */
	const struct execution_unit *unit;	/* for text; ns for data */
};

/** graph_table_of(), graph_line_of(), graph_row_of() - view of a cell, and its row in either. */
static inline const struct graph_table *graph_table_of(const struct column_cell *cell)
{
	return cell->view;
}

static inline const struct graph_line *graph_line_of(const struct column_cell *cell)
{
	return cell->row;
}

static inline const struct tree_row *graph_row_of(const struct column_cell *cell)
{
	return cell->row;
}

/** graph_node() - get a row's node, as used for labels. False: neither function nor program. */
bool graph_node(const struct column_cell *cell, u32 *node_ret);

/**
 * graph_name() - get a row's name for its column; in text, indented and cut to the column's width.
 * graph_tail() - get the end that is not cut off: the cycle, the number of its entry, and whether the
 * call is omitted.
 */
const char *graph_name(const struct column_cell *cell, char *text, size_t len);
const char *graph_tail(const struct column_cell *cell, char *text, size_t len);

/**
 * graph_table_init() - choose the columns as -o says, and the unit of times per execution. All other
 * members must be set. -ENOMEM.
 */
int graph_table_init(struct graph_table *table);

/** graph_table_begin() - print head and titles of a text, after all rows were measured. */
void graph_table_begin(FILE *out, struct graph_table *table, const char *title);

#endif
