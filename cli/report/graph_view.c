// SPDX-License-Identifier: GPL-2.0-only
/* The call graph's listing, in the layout of gprof: see graph_view.h. */
#include "report/graph_columns.h"

typedef void (*entry_visit)(FILE *out, struct graph_table *table, const struct graph_entry *entry);

/* Calls @visit for each entry of the listing. -ENOMEM. */
static int visit_entries(FILE *out, struct graph_table *table, entry_visit visit)
{
	struct graph_entry entry = { .line = NULL };
	int error = 0;
	u32 i;

	for (i = 0; !error && i < table->listing->nr; i++) {
		error = graph_entry_fill(&entry, table->listing, table->listing->entry[i]);
		table->entry = i + 1;
		if (!error)
			visit(out, table, &entry);
	}
	graph_entry_deinit(&entry);
	return error;
}

static void measure_entry(FILE *out, struct graph_table *table, const struct graph_entry *entry)
{
	size_t i;

	for (i = 0; i < entry->nr; i++)
		columns_measure(&table->columns, &entry->line[i]);
}

static void print_small_note(FILE *out, const struct graph_table *table, u32 nr, u64 calls)
{
	double min_percent = table->view->options->min_percent;
	char note[96];

	if (calls)
		snprintf(note, sizeof(note), "  (%u below %g%%, %llu calls)", nr, min_percent,
			 calls);
	else
		snprintf(note, sizeof(note), "  (%u below %g%%)", nr, min_percent);
	if (nr)
		columns_print_note(out, &table->columns, "name", note);
}

static void print_text_entry(FILE *out, struct graph_table *table, const struct graph_entry *entry)
{
	size_t i;

	print_small_note(out, table, entry->nr_small_parents, entry->small_parent_calls);
	for (i = 0; i < entry->nr; i++)
		columns_print_row(out, &table->columns, &entry->line[i]);
	print_small_note(out, table, entry->nr_small_children, entry->small_child_calls);
	for (i = 0; i < (size_t)output_cols(&table->view->options->output); i++)
		fputc('-', out);
	fputc('\n', out);
}

static void print_omitted(FILE *out, const struct graph_table *table)
{
	const struct graph_omits *omits = table->view->omits;
	char text[LABEL_LEN + 128];
	u32 i;

	for (i = 0; omits && i < omits->nr; i++) {
		const struct graph_omit *omit = &omits->omit[i];

		snprintf(text, sizeof(text), "Left out of the search for cycles: %.*s (%llu "
			 "sample%s).", LABEL_LEN, omit->text, omit->hits,
			 omit->hits == 1 ? "" : "s");
		/* The limit may have cut a character in half. */
		text_clean(text);
		text_plain(text);
		if (omit->is_found)
			text_wrap(out, text, output_cols(&table->view->options->output));
	}
}

static void print_json_omitted(FILE *out, const struct graph_omits *omits)
{
	bool has_some = false;
	u32 i;

	for (i = 0; omits && i < omits->nr; i++) {
		if (!omits->omit[i].is_found)
			continue;
		fputs(has_some ? ", {\"call\": " : "  \"omitted\": [{\"call\": ", out);
		text_json(out, omits->omit[i].text);
		fprintf(out, ", \"samples\": %llu}", omits->omit[i].hits);
		has_some = true;
	}
	fputs(has_some ? "],\n" : "", out);
}

static void print_calls_legend(FILE *out, const struct graph_table *table)
{
	const struct call_totals *totals = table->view->totals;
	int cols = output_cols(&table->view->options->output);
	char text[512];

	text_wrap(out, "Times are of one call, from whole stacks. Called: of a function (with an "
		  "index), calls by others + by itself; of a cycle, from outside + among its members; "
		  "of a caller (above) or callee (below), in this call / all calls of the called "
		  "function, or of its cycle from outside. 0/N: in the code, but never taken. -: not "
		  "counted.", cols);
	if (table->view->no_code) {
		snprintf(text, sizeof(text), "Calls that were never taken are left out: %s.",
			 table->view->no_code);
		text_wrap(out, text, cols);
	}
	if (totals->lost) {
		snprintf(text, sizeof(text), "%llu calls were lost: the others are lower bounds.",
			 totals->lost);
		text_wrap(out, text, cols);
	}
}

static void print_listing_legend(FILE *out, const struct graph_table *table)
{
	const bool has_events = table->view->paths->profile->counts_events;
	int cols = output_cols(&table->view->options->output);
	char text[512];

	if (table->listing->nr_small || table->listing->nr_deep)
		fprintf(out, "Not listed: %u smaller, %u deeper.\n", table->listing->nr_small,
			table->listing->nr_deep);
	print_omitted(out, table);
	if (table->view->calls) {
		print_calls_legend(out, table);
		return;
	}
	snprintf(text, sizeof(text), "%s of whole stacks; each stack counts once "
		 "per function and once per call. Samples of a function (with an index): without "
		 "+ with recursion; of a caller (above) or callee (below): in this call / of the "
		 "called function; of a member: in the member / in its cycle.",
		 table->view->executions ? has_events ?
		 "Total and self are events of one execution, from those" :
		 "Total and self are times of one execution, from those" :
		 has_events ? "Self and descendants are events" : "Self and descendants are seconds");
	text_wrap(out, text, cols);
}

/* Prints the listing. Columns fit the numbers of all stacks, whichever entries are listed. */
static int print_graph_text(FILE *out, struct graph_table *table)
{
	const struct weight *base = &table->view->paths->base;
	const struct graph_line all = { .role = GRAPH_PARENT, .node = CALLGRAPH_NONE,
					.weight = *base, .of_hits = base->hits };
	int error;

	columns_measure(&table->columns, &all);
	error = visit_entries(out, table, measure_entry);
	if (error)
		return error;
	graph_table_begin(out, table, "Call graph");
	error = visit_entries(out, table, print_text_entry);
	print_listing_legend(out, table);
	graph_view_tail(out, table->view);
	return error;
}

static void print_tsv_entry(FILE *out, struct graph_table *table, const struct graph_entry *entry)
{
	size_t i;

	for (i = 0; i < entry->nr; i++)
		columns_print_tsv(out, &table->columns, &entry->line[i]);
}

/* Some lines of an entry as a list. */
static void print_json_list(FILE *out, const struct graph_table *table, const char *key,
			    const struct graph_line *line, size_t nr)
{
	size_t i;

	fprintf(out, ",\n      \"%s\": [", key);
	for (i = 0; i < nr; i++) {
		fputs(i ? ",\n        " : "\n        ", out);
		columns_print_json(out, &table->columns, &line[i]);
	}
	fputs("]", out);
}

static void print_json_entry(FILE *out, struct graph_table *table, const struct graph_entry *entry)
{
	const struct graph_line *self = &entry->line[entry->at];
	bool is_cycle = callgraph_is_cycle(table->listing->graph, self->node);

	fputs(table->entry > 1 ? ",\n    {" : "\n    {", out);
	columns_print_members(out, &table->columns, self);
	print_json_list(out, table, "parents", entry->line, entry->at);
	print_json_list(out, table, is_cycle ? "members" : "children", self + 1,
			entry->nr - entry->at - 1);
	fputc('}', out);
}

static int print_graph_json(FILE *out, struct graph_table *table)
{
	int error;

	graph_view_json_head(out, table->view, "graph");
	print_json_omitted(out, table->view->omits);
	if (table->view->calls)
		fprintf(out, "  \"counted_ns\": %llu,\n  \"lost_calls\": %llu,\n"
			"  \"has_never_taken\": %s,\n", table->view->totals->counted_ns,
			table->view->totals->lost, table->view->no_code ? "false" : "true");
	fprintf(out, "  \"smaller\": %u,\n  \"deeper\": %u,\n  \"entries\": [",
		table->listing->nr_small, table->listing->nr_deep);
	error = visit_entries(out, table, print_json_entry);
	fputs("\n  ]", out);
	graph_view_json_tail(out, table->view);
	return error;
}

static int print_listing(FILE *out, struct graph_table *table)
{
	switch (table->view->options->output.format) {
	case FORMAT_JSON:
		return print_graph_json(out, table);
	case FORMAT_TSV:
		columns_print_keys(out, &table->columns);
		return visit_entries(out, table, print_tsv_entry);
	default:
		return print_graph_text(out, table);
	}
}

static int show_graph_listing(FILE *out, const struct graph_view *view,
			      const struct callgraph *graph)
{
	const struct graph_options *options = view->options;
	const struct graph_listing_options asked = {
		options->min_percent / 100, options->depth, options->nr_rows
	};
	struct graph_listing listing;
	struct graph_table table = { .view = view, .listing = &listing };
	int error = graph_listing_init(&listing, graph, &asked);

	if (error)
		return error;
	error = graph_table_init(&table);
	if (!error)
		error = print_listing(out, &table);
	columns_deinit(&table.columns);
	graph_listing_deinit(&listing);
	return error;
}

int graph_view_show(FILE *out, const struct graph_view *view)
{
	struct callgraph graph;
	int error = callgraph_init(&graph, view->paths, view->calls, view->omits, view->labels);

	if (error)
		return error;
	error = show_graph_listing(out, view, &graph);
	callgraph_deinit(&graph);
	return error;
}
