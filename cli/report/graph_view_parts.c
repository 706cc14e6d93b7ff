// SPDX-License-Identifier: GPL-2.0-only
/* Heads and ends of the listing and the tree: see graph_view.h. */
#include <math.h>

#include "report/graph_columns.h"
#include "report/run_execution.h"

static const char *const base_names[] = {
	[PATHS_TARGET] = "target", [PATHS_MACHINE] = "machine", [PATHS_KERNEL] = "kernel",
};

static const char *const base_texts[] = {
	[PATHS_TARGET] = "the target", [PATHS_MACHINE] = "the machine",
	[PATHS_KERNEL] = "the kernel without idle time",
};

/* Print the lines above a text report, including the meaning of 100%. */
static void print_graph_head(FILE *out, const struct graph_view *view, const char *title)
{
	const struct paths_options *paths = &view->options->paths;
	const struct weight *base = &view->paths->base;
	const struct profile *profile = view->paths->profile;
	int cols = output_cols(&view->options->output);
	char text[LABEL_LEN + 64], amount[48];

	if (paths->callers)
		snprintf(text, sizeof(text), "Callers of %s", paths->callers);
	else if (paths->focus)
		snprintf(text, sizeof(text), "%s from %s down", title, paths->focus);
	else
		snprintf(text, sizeof(text), "%s", title);
	text_plain(text);
	text_cut(text, cols);
	text_put(out, text);
	fputc('\n', out);
	if (view->event && event_is_sampled(view->event))
		text_wrap(out, event_heading(view->event, text, sizeof(text)), cols);
	snprintf(amount, sizeof(amount), profile->counts_events ? "%.0f events" : "%.3f s",
		 profile->counts_events ? base->ns : base->ns / 1e9);
	snprintf(text, sizeof(text),
		 "(100%% = %llu samples, %s, of %s; %llu lost, %llu of other processes)",
		 base->hits, amount, base_texts[paths->base], profile->lost,
		 profile->other);
	text_wrap(out, text, cols);
	run_execution_print(out, profile, view->executions, cols);
	fputc('\n', out);
}

static void print_json_name(FILE *out, const char *key, const char *name)
{
	fprintf(out, "  \"%s\": ", key);
	if (name)
		text_json(out, name);
	else
		fputs("null", out);
	fputs(",\n", out);
}

void graph_view_json_head(FILE *out, const struct graph_view *view, const char *report)
{
	const struct weight *base = &view->paths->base;
	const struct profile *profile = view->paths->profile;

	fprintf(out, "{\n  \"report\": \"%s\",\n", report);
	if (view->event)
		event_json(out, view->event);
	fprintf(out, "  \"base\": \"%s\",\n  \"base_samples\": %llu,\n"
		"  \"base_%s\": %.6f,\n  \"taken\": %llu,\n  \"lost\": %llu,\n  \"other\": %llu,\n",
		base_names[view->options->paths.base], base->hits, profile->counts_events ? "events" : "s",
		profile->counts_events ? base->ns : base->ns / 1e9,
		profile->taken, profile->lost, profile->other);
	run_execution_json(out, profile, view->executions);
	print_json_name(out, "focus", view->options->paths.focus);
	print_json_name(out, "callers", view->options->paths.callers);
}

void graph_view_json_tail(FILE *out, const struct graph_view *view)
{
	if (view->receipt) {
		fputs(",\n", out);
		receipt_json(out, view->receipt);
	}
	fputs("\n}\n", out);
}

void graph_view_tail(FILE *out, const struct graph_view *view)
{
	if (!view->receipt)
		return;
	fputc('\n', out);
	receipt_print(out, view->receipt, output_cols(&view->options->output));
}

int graph_table_init(struct graph_table *table)
{
	const struct output_options *output = &table->view->options->output;
	const struct graph_view *view = table->view;
	double each = view->executions ? view->paths->base.ns / view->executions : NAN;
	int error;

	table->unit = view->paths->profile->counts_events ? execution_events() :
		execution_unit(output->format == FORMAT_TEXT ? each : 1);
	table->each = each / table->unit->ns;
	error = columns_choose(&table->columns,
			       table->listing ? &graph_column_list : &tree_column_list,
			       output->format, output->columns, table, NULL);
	if (!error)
		execution_titles(&table->columns, table->unit);
	return error;
}

void graph_table_begin(FILE *out, struct graph_table *table, const char *title)
{
	const struct shown_column *shown;

	columns_fit(&table->columns, output_cols(&table->view->options->output));
	shown = columns_find(&table->columns, "name");
	table->name_cols = shown ? shown->cols : 0;
	print_graph_head(out, table->view, title);
	columns_print_titles(out, &table->columns);
}
