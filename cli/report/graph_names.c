// SPDX-License-Identifier: GPL-2.0-only
/* Names of the rows of listing and tree: see graph_columns.h. */
#include <string.h>

#include "report/graph_columns.h"

static const struct graph_table *table_of(const struct column_cell *cell)
{
	return cell->view;
}

static const struct graph_line *line_of(const struct column_cell *cell)
{
	return cell->row;
}

static const struct tree_row *row_of(const struct column_cell *cell)
{
	return cell->row;
}

static bool is_text(const struct column_cell *cell)
{
	return table_of(cell)->view->options->output.format == FORMAT_TEXT;
}

bool graph_node(const struct column_cell *cell, uint32_t *node_ret)
{
	const struct graph_listing *listing = table_of(cell)->listing;

	*node_ret = listing ? line_of(cell)->node : row_of(cell)->node;
	return listing ? *node_ret != CALLGRAPH_NONE &&
			 !callgraph_is_cycle(listing->graph, *node_ret) :
		*node_ret != TREE_OTHERS;
}

/* Names a row without a label. Text has more details than data. */
static void put_special(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_listing *listing = table_of(cell)->listing;

	text[0] = '\0';
	if (!listing && is_text(cell))
		snprintf(text, len, "(%u smaller)", row_of(cell)->nr_others);
	else if (listing && line_of(cell)->node == CALLGRAPH_NONE)
		snprintf(text, len, "<spontaneous>");
	else if (listing)
		snprintf(text, len, is_text(cell) ? "<cycle %u as a whole>" : "<cycle %u>",
			 listing->cycle_number[line_of(cell)->node]);
}

const char *graph_tail(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_listing *listing = table_of(cell)->listing;
	uint32_t node = listing ? line_of(cell)->node : CALLGRAPH_NONE;
	size_t used = 0;

	if (node == CALLGRAPH_NONE)
		return "";
	text[0] = '\0';
	if (listing->cycle_number[node] && !callgraph_is_cycle(listing->graph, node))
		used = snprintf(text, len, " <cycle %u>", listing->cycle_number[node]);
	if (listing->index[node])
		snprintf(text + used, len - used, " [%u]", listing->index[node]);
	return text;
}

/*
 * Each level of a tree is indented by two columns, up to half the width. The column "level" shows
 * deeper levels.
 */
static int indent_cols(const struct column_cell *cell, int name_cols)
{
	if (table_of(cell)->listing)
		return line_of(cell)->role == GRAPH_SELF ? 0 : 2;
	return row_of(cell)->level < (uint32_t)name_cols / 4 ? 2 * (int)row_of(cell)->level :
		name_cols / 2;
}

/* Returns a row's name for text, cut to its width. */
static const char *name_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_table *table = table_of(cell);
	int cols = table->name_cols ?: output_cols(&table->view->options->output), indent;
	char label[LABEL_LEN], tail[64];
	uint32_t node;

	if (graph_node(cell, &node))
		labels_text(table->view->labels, node, label, sizeof(label));
	else
		put_special(cell, label, sizeof(label));
	text_plain(label);
	indent = indent_cols(cell, cols);
	cols -= strlen(graph_tail(cell, tail, sizeof(tail)));
	if (indent > cols - 1)
		indent = cols > 1 ? cols - 1 : 0;
	text_cut(label, cols - indent);
	snprintf(text, len, "%*s%s", indent, "", label);
	return text;
}

const char *graph_name(const struct column_cell *cell, char *text, size_t len)
{
	uint32_t node;

	if (is_text(cell))
		return name_text(cell, text, len);
	if (graph_node(cell, &node))
		return labels_name(table_of(cell)->view->labels, node);
	put_special(cell, text, len);
	return text;
}
