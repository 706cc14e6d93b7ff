// SPDX-License-Identifier: GPL-2.0-only
/* The listing of the call graph, the layout that gprof gave it: see graph_view.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/graph_listing.h"

#define NAME_COLS_MIN	14
#define GAP_COLS	2
#define SHARE_COLS	6
#define ERROR_COLS	5
#define NR_OPTIONAL	3	/* columns that may have no room */

static int digits_of(uint64_t number)
{
	return snprintf(NULL, 0, "%llu", (unsigned long long)number);
}

static int at_least(int least, int cols)
{
	return cols < least ? least : cols;
}

/* A column that may have no room, and the blanks before it. */
static void print_cell(FILE *out, int cols, const char *text)
{
	if (cols)
		fprintf(out, "%*s%*s", GAP_COLS, "", cols, text);
}

static int cols_before_name(const struct listing_view *view)
{
	const int optional[NR_OPTIONAL] = { view->self_cols, view->descend_cols,
					    view->samples_cols };
	int cols = view->index_cols + GAP_COLS + SHARE_COLS + GAP_COLS + ERROR_COLS + GAP_COLS;
	size_t i;

	for (i = 0; i < NR_OPTIONAL; i++)
		cols += optional[i] ? GAP_COLS + optional[i] : 0;
	return cols;
}

static void find_widths(struct listing_view *view)
{
	const struct graph_view *options = view->view;

	int *const optional[NR_OPTIONAL] = { &view->descend_cols, &view->self_cols,
					     &view->samples_cols };
	size_t i;

	view->index_cols = at_least(5, digits_of(view->listing->nr) + 2);
	view->self_cols = at_least(8, snprintf(NULL, 0, "%.3f", view->base->ns / 1e9));
	view->descend_cols = view->self_cols;
	view->samples_cols = at_least(7, 2 * digits_of(view->base->hits) + 1);
	view->name_cols = output_cols(&options->options->output) - cols_before_name(view);
	for (i = 0; i < NR_OPTIONAL && view->name_cols < NAME_COLS_MIN; i++) {
		view->name_cols += GAP_COLS + *optional[i];
		*optional[i] = 0;
	}
	view->name_cols = at_least(NAME_COLS_MIN, view->name_cols);
}

/* A name with what must not be cut off it: its cycle, and the number of its entry. */
static void print_name(FILE *out, const struct listing_view *view, uint32_t node, int indent)
{
	const struct graph_listing *listing = view->listing;
	char label[LABEL_LEN], suffix[64] = "";

	if (node == CALLGRAPH_NONE) {
		fprintf(out, "%*s<spontaneous>", indent, "");
		return;
	}
	if (callgraph_is_cycle(listing->graph, node)) {
		snprintf(label, sizeof(label), "<cycle %u as a whole>",
			 listing->cycle_number[node]);
	} else {
		labels_text(view->view->labels, node, label, sizeof(label));
		if (listing->cycle_number[node])
			snprintf(suffix, sizeof(suffix), " <cycle %u>",
				 listing->cycle_number[node]);
	}
	if (listing->index[node])
		snprintf(suffix + strlen(suffix), sizeof(suffix) - strlen(suffix), " [%u]",
			 listing->index[node]);
	text_plain(label);
	text_cut(label, at_least(1, view->name_cols - indent - (int)strlen(suffix)));
	fprintf(out, "%*s", indent, "");
	text_put(out, label);
	fputs(suffix, out);
}

static void print_line(FILE *out, const struct listing_view *view, const struct graph_line *line)
{
	const struct weight *weight = &line->weight;
	char index[16] = "", samples[48], seconds[32];

	if (line->role == GRAPH_SELF)
		snprintf(index, sizeof(index), "[%u]", view->listing->index[line->node]);
	if (line->role != GRAPH_SELF)
		snprintf(samples, sizeof(samples), "%llu/%llu", (unsigned long long)weight->hits,
			 (unsigned long long)line->of_hits);
	else if (line->recursive_hits)
		snprintf(samples, sizeof(samples), "%llu+%llu",
			 (unsigned long long)(weight->hits - line->recursive_hits),
			 (unsigned long long)line->recursive_hits);
	else
		snprintf(samples, sizeof(samples), "%llu", (unsigned long long)weight->hits);
	fprintf(out, "%-*s", view->index_cols, index);
	print_cell(out, SHARE_COLS, weight_percent(weight, view->base).text);
	print_cell(out, ERROR_COLS, weight_error(weight, view->base).text);
	snprintf(seconds, sizeof(seconds), "%.3f", weight->self_ns / 1e9);
	print_cell(out, view->self_cols, seconds);
	snprintf(seconds, sizeof(seconds), "%.3f", (weight->ns - weight->self_ns) / 1e9);
	print_cell(out, view->descend_cols, seconds);
	print_cell(out, view->samples_cols, samples);
	fprintf(out, "%*s", GAP_COLS, "");
	print_name(out, view, line->node, line->role == GRAPH_SELF ? 0 : 2);
	fputc('\n', out);
}

static void print_small(FILE *out, const struct listing_view *view, uint32_t nr)
{
	if (nr)
		fprintf(out, "%*s(%u below %g%%)\n", cols_before_name(view) + 2, "", nr,
			view->view->options->min_percent);
}

static void print_entry(FILE *out, const struct listing_view *view, const struct graph_entry *entry)
{
	size_t i;

	print_small(out, view, entry->nr_small_parents);
	for (i = 0; i < entry->nr; i++)
		print_line(out, view, &entry->line[i]);
	print_small(out, view, entry->nr_small_children);
	graph_view_rule(out, '-', output_cols(&view->view->options->output));
	fputc('\n', out);
}

static void print_titles(FILE *out, const struct listing_view *view)
{
	const int cols[] = { SHARE_COLS, ERROR_COLS, view->self_cols, view->descend_cols,
			     view->samples_cols, view->name_cols };
	static const char *const titles[] = { "% time", "+-", "Self", "Descend.", "Samples" };
	size_t i;

	fprintf(out, "%-*s", view->index_cols, "Index");
	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		print_cell(out, cols[i], titles[i]);
	fprintf(out, "%*sName\n", GAP_COLS, "");
	graph_view_rule(out, '=', view->index_cols);
	for (i = 0; i < sizeof(cols) / sizeof(cols[0]); i++) {
		fprintf(out, "%*s", cols[i] ? GAP_COLS : 0, "");
		graph_view_rule(out, '=', cols[i]);
	}
	fputc('\n', out);
}

static void print_legend(FILE *out, const struct listing_view *view)
{
	int cols = output_cols(&view->view->options->output);

	if (view->listing->nr_small || view->listing->nr_deep)
		fprintf(out, "Not listed: %u smaller, %u deeper.\n", view->listing->nr_small,
			view->listing->nr_deep);
	text_wrap(out, "Self and descendants: seconds of whole stacks, each counted once for a "
		  "function and once for a call. Samples of a function (with an index): without "
		  "+ with calls of itself. Of a caller (above it) or of what it calls (below it): "
		  "in this call / of the function called; of a member: in it / of the cycle.",
		  cols);
}

static void begin_text(FILE *out, const struct listing_view *view)
{
	graph_view_head(out, view->view, "Call graph");
	if (!view->descend_cols)
		graph_view_narrow(out, view->view);
	print_titles(out, view);
}

static void end_text(FILE *out, const struct listing_view *view)
{
	print_legend(out, view);
	graph_view_tail(out, view->view);
}

static const struct form {
	void (*begin)(FILE *out, const struct listing_view *view);
	void (*entry)(FILE *out, const struct listing_view *view, const struct graph_entry *entry);
	void (*end)(FILE *out, const struct listing_view *view);
} forms[] = {
	[FORMAT_TEXT] = { begin_text, print_entry, end_text },
	[FORMAT_TSV] = { listing_tsv_begin, listing_tsv_entry, listing_tsv_end },
	[FORMAT_JSON] = { listing_json_begin, listing_json_entry, listing_json_end },
};

static int print_entries(FILE *out, struct listing_view *view)
{
	const struct form *form = &forms[view->view->options->output.format];
	struct graph_entry entry = { .line = NULL };
	int error = 0;
	uint32_t i;

	find_widths(view);
	form->begin(out, view);
	for (i = 0; !error && i < view->listing->nr; i++) {
		error = graph_entry_fill(&entry, view->listing, view->listing->entry[i]);
		if (!error)
			form->entry(out, view, &entry);
	}
	form->end(out, view);
	graph_entry_deinit(&entry);
	return error;
}

int graph_view_show(FILE *out, const struct graph_view *view)
{
	const struct graph_options *options = view->options;
	const struct graph_listing_options asked = {
		options->min_percent / 100, options->depth, options->nr_rows
	};
	struct listing_view listing_view = { .view = view, .base = &view->paths->base };
	struct graph_listing listing;
	struct callgraph graph;
	int error = callgraph_init(&graph, view->paths);

	if (error)
		return error;
	error = graph_listing_init(&listing, &graph, &asked);
	if (!error) {
		listing_view.listing = &listing;
		error = print_entries(out, &listing_view);
		graph_listing_deinit(&listing);
	}
	callgraph_deinit(&graph);
	return error;
}
