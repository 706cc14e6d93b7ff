/* SPDX-License-Identifier: GPL-2.0-only */
/* The call graph's listing and the call tree as text, TSV and JSON. */
#ifndef GRAPH_VIEW_H
#define GRAPH_VIEW_H

#include <stdio.h>

#include "base/columns.h"
#include "base/output.h"
#include "calls/call_graph.h"
#include "profile/paths.h"
#include "report/graph_omit.h"
#include "run/receipt.h"

extern const struct column_list graph_column_list, tree_column_list;

/** Options of the reports of a call graph. */
struct graph_options {
	struct output_options output;
	struct paths_options paths;
	bool is_tree;		/* -tree or -callers */
	bool has_calls;		/* -calls */
	double min_percent;
	u64 depth;		/* 0: any */
	struct graph_omits omits;	/* for the listing */
	u64 nr_rows;		/* entries of the listing, or rows per parent in the tree; 0: all */
};

/** A report being written. */
struct graph_view {
	const struct graph_options *options;
	const struct labels *labels;
	const struct paths *paths;
	const struct receipt *receipt;	/* printed at the end; NULL: none */
	const struct event *event;	/* that was sampled; a part of a run has no receipt. NULL: unknown */
	u64 executions;			/* during the run; 0: unknown */
	struct graph_omits *omits;	/* notes what was found; NULL: none */
	/* With counted calls, else NULL. The paths are of their profile. The tree ignores them. */
	const struct call_graph *calls;
	const struct call_totals *totals;	/* of the counts */
	const char *no_code;	/* why calls never taken are unknown; NULL: they are in the graph */
};

/**
 * graph_view_show() - print the listing: each function between its callers and its callees.
 * tree_view_show() - print the tree.
 * The columns of .output must have passed columns_check(). -ENOMEM.
 */
int graph_view_show(FILE *out, const struct graph_view *view);
int tree_view_show(FILE *out, const struct graph_view *view);

/* Parts of both reports. */

/** graph_view_json_head() - open the JSON object and write what is 100%; ends with a comma. */
void graph_view_json_head(FILE *out, const struct graph_view *view, const char *report);

/**
 * graph_view_json_tail() - write the receipt and the end of the JSON object. The member before must
 * have no comma after its value.
 */
void graph_view_json_tail(FILE *out, const struct graph_view *view);

/** graph_view_tail() - print the end of a text report: an empty line and the receipt. */
void graph_view_tail(FILE *out, const struct graph_view *view);

#endif
