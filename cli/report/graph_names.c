// SPDX-License-Identifier: GPL-2.0-only
/* Names of the rows of listing and tree: see graph_columns.h. */
#include <string.h>

#include "report/graph_columns.h"

static bool is_text_format(const struct column_cell *cell)
{
	return graph_table_of(cell)->view->options->output.format == FORMAT_TEXT;
}

bool graph_node(const struct column_cell *cell, u32 *node_ret)
{
	const struct graph_listing *listing = graph_table_of(cell)->listing;

	*node_ret = listing ? graph_line_of(cell)->node : graph_row_of(cell)->node;
	return listing ? *node_ret != CALLGRAPH_NONE &&
			 !callgraph_is_cycle(listing->graph, *node_ret) :
		*node_ret != TREE_OTHERS;
}

/* Names a row without a label. Text has more details than data. */
static void put_pseudo_name(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_listing *listing = graph_table_of(cell)->listing;

	text[0] = '\0';
	if (!listing && is_text_format(cell))
		snprintf(text, len, "(%u smaller)", graph_row_of(cell)->nr_others);
	else if (listing && graph_line_of(cell)->node == CALLGRAPH_NONE)
		snprintf(text, len, "<spontaneous>");
	else if (listing)
		snprintf(text, len, is_text_format(cell) ? "<cycle %u as a whole>" : "<cycle %u>",
			 listing->cycle_number[graph_line_of(cell)->node]);
}

const char *graph_tail(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_listing *listing = graph_table_of(cell)->listing;
	u32 node = listing ? graph_line_of(cell)->node : CALLGRAPH_NONE;
	size_t used = 0;

	if (node == CALLGRAPH_NONE)
		return "";
	text[0] = '\0';
	if (listing->cycle_number[node] && !callgraph_is_cycle(listing->graph, node))
		used = snprintf(text, len, " <cycle %u>", listing->cycle_number[node]);
	if (listing->index[node])
		used += snprintf(text + used, len - used, " [%u]", listing->index[node]);
	if (graph_line_of(cell)->is_omitted)
		snprintf(text + used, len - used, " (omitted)");
	return text;
}

/*
 * Each level of a tree is indented by two columns, up to half the width. The column "level" shows
 * deeper levels.
 */
static int get_indent_cols(const struct column_cell *cell, int name_cols)
{
	if (graph_table_of(cell)->listing)
		return graph_line_of(cell)->role == GRAPH_SELF ? 0 : 2;
	return graph_row_of(cell)->level < (u32)name_cols / 4 ?
		2 * (int)graph_row_of(cell)->level : name_cols / 2;
}

/* Returns a row's name for text, cut to its width. */
static const char *get_indented_name(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_table *table = graph_table_of(cell);
	int cols = table->name_cols ?: output_cols(&table->view->options->output), indent;
	char label[LABEL_LEN], tail[64];
	u32 node;

	if (graph_node(cell, &node))
		labels_text(table->view->labels, node, label, sizeof(label));
	else
		put_pseudo_name(cell, label, sizeof(label));
	text_plain(label);
	indent = get_indent_cols(cell, cols);
	cols -= strlen(graph_tail(cell, tail, sizeof(tail)));
	if (indent > cols - 1)
		indent = cols > 1 ? cols - 1 : 0;
	text_cut(label, cols - indent);
	snprintf(text, len, "%*s%s", indent, "", label);
	return text;
}

const char *graph_name(const struct column_cell *cell, char *text, size_t len)
{
	u32 node;

	if (is_text_format(cell))
		return get_indented_name(cell, text, len);
	if (graph_node(cell, &node))
		return labels_name(graph_table_of(cell)->view->labels, node);
	put_pseudo_name(cell, text, len);
	return text;
}
