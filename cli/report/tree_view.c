// SPDX-License-Identifier: GPL-2.0-only
/* The call tree, or the tree of a function's callers: see graph_view.h. */
#include "report/graph_columns.h"

/** A tree being written. */
struct tree_view {
	struct graph_table table;
	FILE *out;
	bool has_rows;			/* a row was written */
};

static int visit_rows(struct tree_view *view, tree_visit visit)
{
	const struct graph_options *options = view->table.view->options;
	const struct tree_options asked = {
		.min_share = options->min_percent / 100,
		.max_levels = options->depth < UINT32_MAX ? options->depth : 0,
		.max_rows = options->nr_rows < UINT32_MAX ? options->nr_rows : 0,
	};

	return tree_walk(view->table.view->paths, &asked, visit, view);
}

static void measure_row(void *context, const struct tree_row *row)
{
	struct tree_view *view = context;

	columns_measure(&view->table.columns, row);
}

static void print_text_row(void *context, const struct tree_row *row)
{
	struct tree_view *view = context;

	columns_print_row(view->out, &view->table.columns, row);
}

/* Columns are wide enough for the numbers of all stacks, whatever is shown. */
static int print_tree_text(struct tree_view *view)
{
	const struct paths *paths = view->table.view->paths;
	const struct tree_row all = { .node = TREE_OTHERS, .weight = paths->base };
	int error;

	columns_measure(&view->table.columns, &all);
	error = visit_rows(view, measure_row);
	if (error)
		return error;
	graph_table_begin(view->out, &view->table, "Call tree");
	error = visit_rows(view, print_text_row);
	if (paths->is_inverted) {
		fputc('\n', view->out);
		text_wrap(view->out, "Below each function are its callers. % self: the requested "
			  "function itself ran.", output_cols(&view->table.view->options->output));
	}
	graph_view_tail(view->out, view->table.view);
	return error;
}

static void print_tsv_row(void *context, const struct tree_row *row)
{
	struct tree_view *view = context;

	columns_print_tsv(view->out, &view->table.columns, row);
}

static void print_json_row(void *context, const struct tree_row *row)
{
	struct tree_view *view = context;

	fputs(view->has_rows ? ",\n    " : "\n    ", view->out);
	columns_print_json(view->out, &view->table.columns, row);
	view->has_rows = true;
}

static int print_tree_json(struct tree_view *view)
{
	int error;

	graph_view_json_head(view->out, view->table.view, "tree");
	fputs("  \"rows\": [", view->out);
	error = visit_rows(view, print_json_row);
	fputs("\n  ]", view->out);
	graph_view_json_tail(view->out, view->table.view);
	return error;
}

static int print_tree(struct tree_view *view)
{
	switch (view->table.view->options->output.format) {
	case FORMAT_JSON:
		return print_tree_json(view);
	case FORMAT_TSV:
		columns_print_keys(view->out, &view->table.columns);
		return visit_rows(view, print_tsv_row);
	default:
		return print_tree_text(view);
	}
}

int tree_view_show(FILE *out, const struct graph_view *view)
{
	struct tree_view tree = { .table.view = view, .out = out };
	int error = graph_table_init(&tree.table);

	if (!error)
		error = print_tree(&tree);
	columns_deinit(&tree.table.columns);
	return error;
}
