// SPDX-License-Identifier: GPL-2.0-only
/* The report of timed calls: see time_view.h. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "calls/call_view.h"
#include "times/time_view.h"

#define NAMED_MAX	5	/* functions named in a warning */

/* Columns of text if -o does not name any: what was timed, and whether processes are told apart. */
static const struct {
	u32 flags;
	const char *columns;
} defaults[] = {
	{ CPUPROBE_CALLS_PATHS | CPUPROBE_CALLS_PROCESSES,
	  "pid,process,tree,calls,avg_ns,avg_on_ns,avg_net_ns" },
	{ CPUPROBE_CALLS_PATHS, "tree,calls,avg_ns,avg_on_ns,avg_net_ns,cpu" },
	{ CPUPROBE_CALLS_SYSCALLS | CPUPROBE_CALLS_PROCESSES,
	  "pid,process,function,calls,errors,avg_ns,max_ns" },
	{ CPUPROBE_CALLS_SYSCALLS, "function,calls,errors,avg_ns,min_ns,max_ns,avg_on_ns" },
	{ CPUPROBE_CALLS_PROCESSES, "pid,process,function,calls,avg_ns,max_ns,avg_net_ns" },
	{ 0, "function,calls,avg_ns,min_ns,max_ns,avg_on_ns,avg_net_ns" },
};

static const char *default_columns(const struct time_counts *counts)
{
	u32 i = 0;

	while ((counts->totals.flags & defaults[i].flags) != defaults[i].flags)
		i++;
	return defaults[i].columns;
}

static u64 sum_of_calls(const struct time_counts *counts)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++)
		sum += counts->nodes[i].sums.calls;
	return sum;
}

static u64 sum_of_open(const struct time_counts *counts)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++)
		sum += counts->nodes[i].sums.calls - counts->nodes[i].sums.ended;
	return sum;
}

static void print_head(FILE *out, const struct time_rows *rows, u32 nr_shown, int cols)
{
	const struct time_counts *counts = rows->counts;
	const char *title = "Times of Kernel Functions";
	u64 calls = sum_of_calls(counts);
	char line[256];

	if (counts->totals.flags & CPUPROBE_CALLS_PATHS)
		title = "Paths of Calls";
	else if (counts->totals.flags & CPUPROBE_CALLS_SYSCALLS)
		title = "System Calls";
	snprintf(line, sizeof(line), "(%llu call%s in %.*f s, timed from begin to end; %llu had not ended)",
		 calls, calls == 1 ? "" : "s", call_counts_decimals(counts->calls),
		 counts->calls->totals.counted_ns / 1e9, sum_of_open(counts));
	fprintf(out, "%s\n", title);
	text_wrap(out, line, cols);
	if (nr_shown < rows->nr)
		fprintf(out, "(the first %u of %u rows)\n", nr_shown, rows->nr);
	fputc('\n', out);
}

static void print_cost(FILE *out, const struct time_counts *counts, int cols)
{
	const struct call_totals *totals = &counts->calls->totals;
	double time_ns = (double)totals->counted_ns * totals->nr_cpus;
	char line[300];
	size_t used;

	used = snprintf(line, sizeof(line), "Timing cost %.0f ns a call, which the times do not contain, "
			"%.2f%% of all CPUs (budget %.2f%% of each)", counts->totals.cost_ps / 1e3,
			time_ns > 0 ? (double)sum_of_calls(counts) * counts->totals.cost_ps / 10 / time_ns :
			0, totals->budget_ppm / 1e4);
	if (totals->others)
		snprintf(line + used, sizeof(line) - used, "; %llu calls by other tasks not timed",
			 totals->others);
	fputc('\n', out);
	text_wrap(out, line, cols);
}

static struct row_array get_rows(const struct time_rows *rows, u32 nr)
{
	return (struct row_array){ rows->row, sizeof(*rows->row), nr };
}

static void print_text(FILE *out, const struct time_rows *rows, u32 nr_shown,
		       const struct time_view *view, struct columns *columns)
{
	int cols = output_cols(view->output);
	u32 i;

	print_head(out, rows, nr_shown, cols);
	columns_print_rows(out, columns, get_rows(rows, nr_shown), cols);
	for (i = 0; i < nr_shown && view->has_hist; i++)
		if (time_outermost(rows->row[i].node))
			time_hist_print(out, rows->counts, rows->row[i].node, cols);
	print_cost(out, rows->counts, cols);
}

static void print_tsv(FILE *out, const struct time_rows *rows, u32 nr_shown, struct columns *columns)
{
	columns_print_keys(out, columns);
	columns_print_tsv_rows(out, columns, get_rows(rows, nr_shown));
}

void time_bins_json(FILE *out, const struct time_sums *sums)
{
	u32 nr = CPUPROBE_TIME_BINS, i;

	while (nr && !sums->bins[nr - 1])
		nr--;
	fputc('[', out);
	for (i = 0; i < nr; i++)
		fprintf(out, i ? ", %llu" : "%llu", sums->bins[i]);
	fputc(']', out);
}

static void print_json(FILE *out, const struct time_rows *rows, u32 nr_shown, struct columns *columns)
{
	const struct call_totals *totals = &rows->counts->calls->totals;
	const struct time_totals *times = &rows->counts->totals;
	u32 i;

	fprintf(out, "{ \"calls\": %llu, \"others\": %llu, \"counted_ns\": %llu, \"is_over\": %s,\n"
		"  \"is_switched_off\": %s, \"cost_ps\": %u, \"own_ps\": %u, \"seen_ps\": %u,\n  \"rows\": [",
		sum_of_calls(rows->counts), totals->others, totals->counted_ns,
		totals->is_over ? "true" : "false",
		totals->is_switched_off ? "true" : "false", times->cost_ps, times->own_ps, times->seen_ps);
	columns_print_json_rows(out, columns, get_rows(rows, nr_shown));
	fprintf(out, "\n  ],\n  \"bins\": [");
	for (i = 0; i < nr_shown; i++) {
		fprintf(out, i ? ",\n    " : "\n    ");
		time_bins_json(out, &rows->row[i].node->sums);
	}
	fprintf(out, "\n  ] }\n");
}

static int show_rows(FILE *out, const struct time_rows *rows, const struct time_view *view,
		     struct text_error *error_ret)
{
	u32 nr_shown = view->nr_rows && view->nr_rows < rows->nr ? view->nr_rows : rows->nr;
	const char *choice = view->output->columns;
	struct columns columns;
	int error;

	if (!choice && view->output->format == FORMAT_TEXT)
		choice = default_columns(rows->counts);
	error = columns_choose(&columns, &time_column_list, view->output->format, choice, rows,
			       error_ret);
	if (!error && view->output->format == FORMAT_JSON)
		print_json(out, rows, nr_shown, &columns);
	else if (!error && view->output->format == FORMAT_TSV)
		print_tsv(out, rows, nr_shown, &columns);
	else if (!error)
		print_text(out, rows, nr_shown, view, &columns);
	columns_deinit(&columns);
	return error;
}

int time_view_show(FILE *out, const struct time_counts *counts, const struct time_view *view,
		   struct text_error *error_ret)
{
	struct time_rows rows;
	int error = time_rows_init(&rows, counts, view->sort);

	if (error)
		return text_fail(error_ret, error, "out of memory");
	error = show_rows(out, &rows, view, error_ret);
	time_rows_deinit(&rows);
	return error;
}

static void warn_of_end(const struct time_counts *counts)
{
	const struct call_totals *totals = &counts->calls->totals;
	struct time_rows rows;
	char names[400] = "";
	size_t used = 0;
	u32 i;

	if (time_rows_init(&rows, counts, CALLS_BY_CALLS))
		return;
	for (i = 0; i < rows.nr && i < NAMED_MAX && used < sizeof(names); i++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
				 time_counts_name(counts, rows.row[i].node));
	time_rows_deinit(&rows);
	fprintf(stderr, "probe: timing ended after %.3f s, because calls took more than %.2f%% of a CPU\n"
		"hint: leave out functions with -fn '!NAME'; the first were %s; or allow more with "
		"-budget\n", totals->counted_ns / 1e9, totals->budget_ppm / 1e4, names);
}

static void warn_of_missed(const struct time_counts *counts)
{
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++) {
		const struct time_node *node = &counts->nodes[i];

		if (node->sums.missed)
			fprintf(stderr, "probe: %llu calls of %s could not be timed: too many at a time, or "
				"one inside another's hook\n", node->sums.missed,
				time_counts_name(counts, node));
	}
}

static void warn_of_room(const struct time_counts *counts)
{
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++)
		if (counts->nodes[i].type == CPUPROBE_NODE_NO_ROOM && counts->nodes[i].sums.calls)
			fprintf(stderr, "probe: %llu calls found no room in the table for a row of their own\n"
				"hint: use a larger -memory, or fewer functions\n",
				counts->nodes[i].sums.calls);
}

void time_view_warn(const struct time_counts *counts)
{
	if (counts->calls->totals.is_over)
		warn_of_end(counts);
	call_view_warn_switched_off(&counts->calls->totals);
	warn_of_missed(counts);
	warn_of_room(counts);
}
