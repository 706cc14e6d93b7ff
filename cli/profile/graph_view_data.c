// SPDX-License-Identifier: GPL-2.0-only
/* The listing of the call graph for programs: see graph_listing.h. */
#include "profile/graph_listing.h"

static const char *const roles[] = {
	[GRAPH_PARENT] = "parent", [GRAPH_SELF] = "function", [GRAPH_CHILD] = "child",
	[GRAPH_MEMBER] = "member",
};

/* What a node is for programs: its name is whole, and it may be none. */
static const char *name_of(const struct listing_view *view, uint32_t node, char text[32])
{
	if (node == CALLGRAPH_NONE)
		return "<spontaneous>";
	if (!callgraph_is_cycle(view->listing->graph, node))
		return labels_name(view->view->labels, node);
	snprintf(text, 32, "<cycle %u>", view->listing->cycle_number[node]);
	return text;
}

static bool is_function(const struct listing_view *view, uint32_t node)
{
	return node != CALLGRAPH_NONE && !callgraph_is_cycle(view->listing->graph, node);
}

void listing_tsv_begin(FILE *out, const struct listing_view *view)
{
	(void)view;
	fputs("entry\trole\tname\tobject\taddress\tindex\tcycle", out);
	weight_tsv_titles(out);
	fputs("\tof_samples\trecursive_samples\n", out);
}

void listing_tsv_entry(FILE *out, const struct listing_view *view, const struct graph_entry *entry)
{
	const struct graph_listing *listing = view->listing;
	char text[32];
	size_t i;

	for (i = 0; i < entry->nr; i++) {
		const struct graph_line *line = &entry->line[i];
		bool is_node = line->node != CALLGRAPH_NONE,
			is_named = is_function(view, line->node);

		fprintf(out, "%u\t%s\t%s\t%s\t0x%llx\t%u\t%u",
			listing->index[entry->line[entry->at].node], roles[line->role],
			name_of(view, line->node, text),
			is_named ? labels_object(view->view->labels, line->node) : "",
			is_named ? (unsigned long long)labels_addr(view->view->labels, line->node) :
				0, is_node ? listing->index[line->node] : 0,
			is_node ? listing->cycle_number[line->node] : 0);
		weight_tsv(out, &line->weight, view->base);
		fprintf(out, "\t%llu\t%llu\n", (unsigned long long)line->of_hits,
			(unsigned long long)line->recursive_hits);
	}
}

static void print_json_line(FILE *out, const struct listing_view *view,
			    const struct graph_line *line)
{
	const struct graph_listing *listing = view->listing;
	bool is_node = line->node != CALLGRAPH_NONE, is_named = is_function(view, line->node);
	char text[32];

	fputs("\"name\": ", out);
	text_json(out, name_of(view, line->node, text));
	fputs(", \"object\": ", out);
	text_json(out, is_named ? labels_object(view->view->labels, line->node) : "");
	fprintf(out, ", \"address\": \"0x%llx\", \"index\": %u, \"cycle\": %u",
		is_named ? (unsigned long long)labels_addr(view->view->labels, line->node) : 0,
		is_node ? listing->index[line->node] : 0,
		is_node ? listing->cycle_number[line->node] : 0);
	weight_json(out, &line->weight, view->base);
	fprintf(out, ", \"of_samples\": %llu, \"recursive_samples\": %llu",
		(unsigned long long)line->of_hits, (unsigned long long)line->recursive_hits);
}

/* Some lines of an entry as a list. */
static void print_json_list(FILE *out, const struct listing_view *view, const char *key,
			    const struct graph_line *line, size_t nr)
{
	size_t i;

	fprintf(out, ",\n      \"%s\": [", key);
	for (i = 0; i < nr; i++) {
		fprintf(out, "%s\n        {", i ? "," : "");
		print_json_line(out, view, &line[i]);
		fputc('}', out);
	}
	fputs("]", out);
}

void listing_json_begin(FILE *out, const struct listing_view *view)
{
	graph_view_json_head(out, view->view, "graph");
	fprintf(out, "  \"smaller\": %u,\n  \"deeper\": %u,\n  \"entries\": [",
		view->listing->nr_small, view->listing->nr_deep);
}

void listing_json_entry(FILE *out, const struct listing_view *view, const struct graph_entry *entry)
{
	const struct graph_line *self = &entry->line[entry->at];
	bool is_cycle = callgraph_is_cycle(view->listing->graph, self->node);

	fputs(view->listing->index[self->node] > 1 ? ",\n    {" : "\n    {", out);
	print_json_line(out, view, self);
	print_json_list(out, view, "parents", entry->line, entry->at);
	print_json_list(out, view, is_cycle ? "members" : "children", self + 1,
			entry->nr - entry->at - 1);
	fputc('}', out);
}

void listing_json_end(FILE *out, const struct listing_view *view)
{
	fputs("\n  ]", out);
	graph_view_json_tail(out, view->view);
}

void listing_tsv_end(FILE *out, const struct listing_view *view)
{
	(void)out;
	(void)view;
}
