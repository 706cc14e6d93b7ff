// SPDX-License-Identifier: GPL-2.0-only
/* Report of a comparison of runs with stacks: see stack_diff_view.h. */
#include <math.h>

#include "base/text.h"
#include "report/stack_diff.h"
#include "report/stack_diff_view.h"
#include "sys/diff_view.h"

/** A comparison being written. */
struct stack_diff_view {
	FILE *out;
	const struct diff *diff;
	const char *const *paths;
	const u64 *executions;
	const struct output_options *options;
	struct stack_diff_table table;
	u64 nr_rows;			/* of a table in text */
};

static int choose_columns(const struct stack_diff_view *view, struct columns *columns)
{
	return columns_choose(columns, &stack_diff_column_list, view->options->format,
			      view->options->columns, &view->table, NULL);
}

static void print_runs(const struct stack_diff_view *view)
{
	const struct diff *diff = view->diff;
	char line[640];
	size_t used = 0;
	int side;

	if (diff->nr_hosts[0]) {
		diff_view_hosts(view->out, diff, output_cols(view->options));
		return;
	}
	for (side = 0; side < 2 && used < sizeof(line); side++) {
		used += snprintf(line + used, sizeof(line) - used,
				 "%s%c: %.200s, %llu samples, %llu block%s", side ? ". " : "",
				 'A' + side, view->paths[side], diff->taken[side],
				 diff->nr_blocks[side], diff->nr_blocks[side] == 1 ? "" : "s");
		if (view->executions[side] && used < sizeof(line))
			used += snprintf(line + used, sizeof(line) - used, ", %llu execution%s",
					 view->executions[side],
					 view->executions[side] == 1 ? "" : "s");
	}
	if (used < sizeof(line))
		snprintf(line + used, sizeof(line) - used, ".");
	text_wrap(view->out, line, output_cols(view->options));
	diff_view_whole(view->out, diff, output_cols(view->options));
}

/* Prints the table of the rows of self or of total time. */
static int print_stack_table(const struct stack_diff_view *view, bool is_total)
{
	struct columns columns;
	const struct diff_row *row = view->diff->row, *end = view->diff->nr ? row + view->diff->nr : row;
	int error = choose_columns(view, &columns);
	u64 nr = 0, left = view->nr_rows;

	if (error) {
		columns_deinit(&columns);
		return error;
	}
	fputc('\n', view->out);
	text_wrap(view->out, view->diff->counts_events ? is_total ?
		  "All events, in a function and in those that it called" : "Own events, in a function itself" :
		  is_total ? "Total time, in a function and in those that it called" :
		  "Self time, in a function itself", output_cols(view->options));
	fputc('\n', view->out);
	for (; row < end; row++)
		if (row->is_total == is_total && nr++ < view->nr_rows)
			columns_measure(&columns, row);
	execution_titles(&columns, view->table.unit);
	columns_fit(&columns, output_cols(view->options));
	columns_print_titles(view->out, &columns);
	for (row = view->diff->row; row < end && left; row++)
		if (row->is_total == is_total) {
			columns_print_row(view->out, &columns, row);
			left--;
		}
	if (nr > view->nr_rows)
		fprintf(view->out, "(%llu more)\n", nr - view->nr_rows);
	columns_deinit(&columns);
	return 0;
}

/* Rows of both tables of the text. */
static u64 count_shown(const struct stack_diff_view *view)
{
	u64 nr[2] = { 0, 0 };
	u32 i;

	for (i = 0; i < view->diff->nr; i++)
		if (nr[view->diff->row[i].is_total] < view->nr_rows)
			nr[view->diff->row[i].is_total]++;
	return nr[0] + nr[1];
}

static void print_stack_legend(const struct stack_diff_view *view)
{
	const struct diff *diff = view->diff;
	char line[512];

	fputc('\n', view->out);
	if (diff->nr_dropped) {
		snprintf(line, sizeof(line), "Not compared: %u row%s with fewer than %d samples in "
			 "both %s together.", diff->nr_dropped, diff->nr_dropped == 1 ? "" : "s",
			 STACK_DIFF_LEAST_HITS, diff->nr_hosts[0] ? "sets" : "runs");
		text_wrap(view->out, line, output_cols(view->options));
	}
	if (diff->nr_hosts[0])
		diff_view_chance(view->out, count_shown(view), output_cols(view->options));
	snprintf(line, sizeof(line), "%s. p: %s, corrected for the number of rows (Holm). *: p is "
		 "below 0.05; these rows come first.",
		 diff_has_executions(diff) && diff->counts_events ? "Events are of one execution" :
		 diff_has_executions(diff) ? "Times are of one execution" :
		 "Shares are of all samples taken",
		 diff->nr_hosts[0] ? diff_view_test(diff) :
		 !diff->is_sampling_only ? "Welch's test of the variation from second to second" :
		 diff_has_executions(diff) ? "score test of the counts, without the workload's own "
		 "variation between runs" : "exact test of the counts, without the workload's own "
		 "variation between runs");
	text_wrap(view->out, line, output_cols(view->options));
}

static int print_stack_text(const struct stack_diff_view *view)
{
	int error;

	print_runs(view);
	error = print_stack_table(view, false);
	if (!error)
		error = print_stack_table(view, true);
	if (!error)
		print_stack_legend(view);
	return error;
}

static void print_json_run(const struct stack_diff_view *view, int side)
{
	char run = 'a' + side;

	fprintf(view->out, "  \"%c\": ", run);
	text_json(view->out, view->paths[side]);
	fprintf(view->out, ",\n  \"%c_samples\": %llu,\n  \"%c_blocks\": %llu,\n", run,
		view->diff->taken[side], run, view->diff->nr_blocks[side]);
	if (view->executions[side])
		fprintf(view->out, "  \"%c_executions\": %llu,\n", run, view->executions[side]);
}

static int print_stack_data(const struct stack_diff_view *view)
{
	bool is_json = view->options->format == FORMAT_JSON;
	struct columns columns;
	int error = choose_columns(view, &columns);
	u32 i;

	execution_titles(&columns, view->table.unit);
	if (!error && is_json) {
		fputs("{\n  \"report\": \"diff of stacks\",\n", view->out);
		print_json_run(view, 0);
		print_json_run(view, 1);
		if (view->diff->nr_hosts[0])
			fprintf(view->out, "  \"a_hosts\": %u,\n  \"b_hosts\": %u,\n  \"paired\": %s,\n",
				view->diff->nr_hosts[0], view->diff->nr_hosts[1],
				view->diff->is_paired ? "true" : "false");
		diff_view_json_whole(view->out, view->diff);
		fprintf(view->out, "  \"sampling_only\": %s,\n  \"per_execution\": %s,\n"
			"  \"not_compared\": %u,\n  \"rows\": [",
			view->diff->is_sampling_only ? "true" : "false",
			diff_has_executions(view->diff) ? "true" : "false", view->diff->nr_dropped);
	} else if (!error) {
		columns_print_keys(view->out, &columns);
	}
	for (i = 0; !error && i < view->diff->nr; i++) {
		fputs(!is_json ? "" : i ? ",\n    " : "\n    ", view->out);
		(is_json ? columns_print_json : columns_print_tsv)(view->out, &columns,
								    &view->diff->row[i]);
	}
	if (!error && is_json)
		fputs("\n  ]\n}\n", view->out);
	columns_deinit(&columns);
	return error;
}

int stack_diff_view_show(FILE *out, const struct diff *diff, const char *const paths[2],
			 const u64 executions[2], u64 nr_rows,
			 const struct output_options *options)
{
	bool is_text = options->format == FORMAT_TEXT;
	struct stack_diff_view view = {
		.out = out, .diff = diff, .paths = paths, .executions = executions,
		.options = options, .nr_rows = nr_rows ? nr_rows : STACK_DIFF_ROWS,
		.table = { .diff = diff },
	};
	double largest = 0;
	int error;
	u32 i;

	/* The largest time of code chooses the unit. */
	for (i = 0; i < diff->nr; i++)
		if (!diff->row[i].is_pseudo)
			largest = fmax(largest, fmax(
				diff->row[i].side[0].share * diff->execution_ns[0],
				diff->row[i].side[1].share * diff->execution_ns[1]));
	view.table.unit = diff->counts_events ? execution_events() : execution_unit(is_text ? largest : 1);
	error = is_text ? print_stack_text(&view) : print_stack_data(&view);
	if (error)
		fprintf(stderr, "probe: show the differences: out of memory\n");
	return error;
}
