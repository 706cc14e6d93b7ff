// SPDX-License-Identifier: GPL-2.0-only
/* The call tree, or that of a function's callers: see graph_view.h. */
#include <string.h>

#include "profile/graph_view.h"
#include "profile/tree.h"

#define NAME_COLS_MIN	14
#define LEVEL_COLS	5

/** The tree as it is being written. */
struct tree_view {
	const struct graph_view *view;
	FILE *out;
	int samples_cols, level_cols, name_cols;	/* of text; 0: no room */
	bool has_rows;			/* one has been written */
};

static void find_widths(struct tree_view *view)
{
	const struct weight *base = &view->view->paths->base;

	view->samples_cols = snprintf(NULL, 0, "%llu", (unsigned long long)base->hits);
	view->samples_cols = view->samples_cols < 7 ? 7 : view->samples_cols;
	view->level_cols = LEVEL_COLS;
	view->name_cols = output_cols(&view->view->options->output) - view->samples_cols -
		LEVEL_COLS - 27;
	/* The level can be seen, too, unless it is deep. */
	if (view->name_cols < NAME_COLS_MIN) {
		view->name_cols += LEVEL_COLS + 2;
		view->level_cols = 0;
	}
	if (view->name_cols < NAME_COLS_MIN) {
		view->name_cols += view->samples_cols + 2;
		view->samples_cols = 0;
	}
	view->name_cols = view->name_cols < NAME_COLS_MIN ? NAME_COLS_MIN : view->name_cols;
}

/* Two columns further in for each level, until half the room is used: the level is told besides. */
static void print_name(FILE *out, const struct tree_view *view, const struct tree_row *row)
{
	int indent = row->level < (uint32_t)view->name_cols / 4 ? 2 * (int)row->level :
		view->name_cols / 2;
	char label[LABEL_LEN];

	if (row->node == TREE_OTHERS)
		snprintf(label, sizeof(label), "(%u smaller)", row->nr_others);
	else
		labels_text(view->view->labels, row->node, label, sizeof(label));
	text_plain(label);
	text_cut(label, view->name_cols - indent);
	fprintf(out, "%*s", indent, "");
	text_put(out, label);
	fputc('\n', out);
}

static void print_cell(FILE *out, int cols, const char *text)
{
	if (cols)
		fprintf(out, "  %*s", cols, text);
}

static void print_titles(FILE *out, const struct tree_view *view)
{
	const int cols[] = { 6, 5, 6, view->samples_cols, view->level_cols, view->name_cols };
	size_t i;

	fprintf(out, "%6s  %5s  %6s", "% time", "+-", "% self");
	print_cell(out, view->samples_cols, "Samples");
	print_cell(out, view->level_cols, "Level");
	fputs("  Name\n", out);
	for (i = 0; i < sizeof(cols) / sizeof(cols[0]); i++) {
		fputs(i && cols[i] ? "  " : "", out);
		graph_view_rule(out, '=', cols[i]);
	}
	fputc('\n', out);
}

static void begin_text(struct tree_view *view)
{
	find_widths(view);
	graph_view_head(view->out, view->view, "Call tree");
	if (!view->level_cols)
		graph_view_narrow(view->out, view->view);
	print_titles(view->out, view);
}

static void print_text(struct tree_view *view, const struct tree_row *row)
{
	const struct weight *base = &view->view->paths->base;
	char number[24];

	fprintf(view->out, "%6s  %5s  %6s", weight_percent(&row->weight, base).text,
		weight_error(&row->weight, base).text,
		weight_self_percent(&row->weight, base).text);
	snprintf(number, sizeof(number), "%llu", (unsigned long long)row->weight.hits);
	print_cell(view->out, view->samples_cols, number);
	snprintf(number, sizeof(number), "%u", row->level);
	print_cell(view->out, view->level_cols, number);
	fputs("  ", view->out);
	print_name(view->out, view, row);
}

static void end_text(struct tree_view *view)
{
	if (view->view->paths->is_inverted) {
		fputc('\n', view->out);
		text_wrap(view->out, "Below each function stand its callers. % self: the function "
			  "asked for itself ran.", output_cols(&view->view->options->output));
	}
	graph_view_tail(view->out, view->view);
}

static const char *name_of(const struct tree_view *view, const struct tree_row *row)
{
	return row->node == TREE_OTHERS ? "" : labels_name(view->view->labels, row->node);
}

static const char *object_of(const struct tree_view *view, const struct tree_row *row)
{
	return row->node == TREE_OTHERS ? "" : labels_object(view->view->labels, row->node);
}

static unsigned long long addr_of(const struct tree_view *view, const struct tree_row *row)
{
	return row->node == TREE_OTHERS ? 0 : labels_addr(view->view->labels, row->node);
}

static const char *kind_of(const struct tree_view *view, const struct tree_row *row)
{
	if (row->node == TREE_OTHERS)
		return "others";
	return row->node < view->view->paths->profile->nr_functions ? "function" : "program";
}

static void begin_tsv(struct tree_view *view)
{
	fputs("level\tkind\tname\tobject\taddress\tothers", view->out);
	weight_tsv_titles(view->out);
	fputc('\n', view->out);
}

static void print_tsv(struct tree_view *view, const struct tree_row *row)
{
	fprintf(view->out, "%u\t%s\t%s\t%s\t0x%llx\t%u", row->level, kind_of(view, row),
		name_of(view, row), object_of(view, row), addr_of(view, row), row->nr_others);
	weight_tsv(view->out, &row->weight, &view->view->paths->base);
	fputc('\n', view->out);
}

static void end_tsv(struct tree_view *view)
{
	(void)view;
}

static void begin_json(struct tree_view *view)
{
	graph_view_json_head(view->out, view->view, "tree");
	fputs("  \"rows\": [", view->out);
}

static void print_json(struct tree_view *view, const struct tree_row *row)
{
	FILE *out = view->out;

	fprintf(out, "%s\n    {\"level\": %u, \"kind\": \"%s\", \"name\": ",
		view->has_rows ? "," : "", row->level, kind_of(view, row));
	text_json(out, name_of(view, row));
	fputs(", \"object\": ", out);
	text_json(out, object_of(view, row));
	fprintf(out, ", \"address\": \"0x%llx\", \"others\": %u", addr_of(view, row),
		row->nr_others);
	weight_json(out, &row->weight, &view->view->paths->base);
	fputc('}', out);
}

static void end_json(struct tree_view *view)
{
	fputs("\n  ]", view->out);
	graph_view_json_tail(view->out, view->view);
}

static const struct form {
	void (*begin)(struct tree_view *view);
	void (*row)(struct tree_view *view, const struct tree_row *row);
	void (*end)(struct tree_view *view);
} forms[] = {
	[FORMAT_TEXT] = { begin_text, print_text, end_text },
	[FORMAT_TSV] = { begin_tsv, print_tsv, end_tsv },
	[FORMAT_JSON] = { begin_json, print_json, end_json },
};

static void visit(void *context, const struct tree_row *row)
{
	struct tree_view *view = context;

	forms[view->view->options->output.format].row(view, row);
	view->has_rows = true;
}

int tree_view_show(FILE *out, const struct graph_view *view)
{
	const struct graph_options *options = view->options;
	const struct form *form = &forms[options->output.format];
	const struct tree_options asked = {
		.min_share = options->min_percent / 100,
		.max_levels = options->depth < UINT32_MAX ? options->depth : 0,
		.max_rows = options->nr_rows < UINT32_MAX ? options->nr_rows : 0,
	};
	struct tree_view tree_view = { .view = view, .out = out };
	int error;

	form->begin(&tree_view);
	error = tree_walk(view->paths, &asked, visit, &tree_view);
	form->end(&tree_view);
	return error;
}
