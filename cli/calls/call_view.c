// SPDX-License-Identifier: GPL-2.0-only
/* The report of `probe calls`: see call_view.h. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "calls/call_view.h"

#define FREQUENT	5	/* functions named when the budget was passed */

static const char *const sorts[] = { "total", "self", "calls", "name", NULL };

#define VIEW(field)	offsetof(struct call_view, field)

const struct option_spec call_view_specs[] = {
	{ "arcs", NULL, "a row for each caller of each function", option_flag, VIEW(by_arc) },
	{ "never", NULL, "the functions that were not called, instead of those that were",
	  option_flag, VIEW(never) },
	{ "sort", "KEY", "column to sort by: total, self, calls or name (default total)",
	  option_choice, VIEW(sort), sorts },
	{ "n", "ROWS", "show the first ROWS only", option_count, VIEW(nr_rows) },
	{ NULL }
};

int call_view_check(const struct call_view *view, struct text_error *error_ret)
{
	if (view->never && view->by_arc)
		return text_fail(error_ret, -EINVAL, "-never cannot be combined with -arcs");
	return 0;
}

static u32 nr_in_state(const struct call_counts *counts, enum call_state state)
{
	u32 i, nr = 0;

	for (i = 0; i < counts->nr_functions; i++)
		nr += counts->functions[i].state == state;
	return nr;
}

static void print_head(FILE *out, const struct call_rows *rows, const struct call_view *view,
		       u32 nr_shown)
{
	const struct call_totals *totals = &rows->counts->totals;
	u32 nr_hooked = nr_in_state(rows->counts, CALL_HOOKED);
	u64 calls = call_counts_sum(rows->counts);
	char line[256], lost[48] = "none lost";

	if (totals->lost)
		snprintf(lost, sizeof(lost), "%llu lost", totals->lost);
	snprintf(line, sizeof(line), "(%u function%s, %llu call%s in %.*f s, %s; %llu samples are 100%%)",
		 nr_hooked, nr_hooked == 1 ? "" : "s", calls, calls == 1 ? "" : "s",
		 call_counts_decimals(rows->counts), totals->counted_ns / 1e9, lost, rows->samples);
	fprintf(out, view->never ? "Kernel Functions Never Called\n" : "Calls of Kernel Functions\n");
	text_wrap(out, line, output_cols(&view->output));
	if (view->never && totals->lost)
		fprintf(out, "Calls were lost: these may have been among them.\n");
	if (nr_shown < rows->nr)
		fprintf(out, "(the first %u of %u rows)\n", nr_shown, rows->nr);
	fputc('\n', out);
}

/* Prints the cost of counting, and how many calls were left out. */
static void print_cost(FILE *out, const struct call_counts *counts, int cols)
{
	const struct call_totals *totals = &counts->totals;
	double calls = call_counts_sum(counts) + totals->lost + totals->others;
	double time_ns = (double)totals->counted_ns * totals->nr_cpus;
	char line[256];
	size_t used;

	used = snprintf(line, sizeof(line), "Counting cost about %.0f ns a call, %.2f%% of all CPUs "
			"(budget %.2f%% of each)", totals->cost_ps / 1e3,
			time_ns > 0 ? calls * totals->cost_ps / 10 / time_ns : 0,
			totals->budget_ppm / 1e4);
	if (totals->others)
		snprintf(line + used, sizeof(line) - used, "; %llu calls by other tasks not counted",
			 totals->others);
	fputc('\n', out);
	text_wrap(out, line, cols);
}

static struct row_array get_rows(const struct call_rows *rows, u32 nr)
{
	return (struct row_array){ rows->row, sizeof(*rows->row), nr };
}

static void print_text(FILE *out, const struct call_rows *rows, u32 nr_shown,
		       const struct call_report *report, const struct call_view *view,
		       struct columns *columns)
{
	int cols = output_cols(&view->output);

	print_head(out, rows, view, nr_shown);
	columns_print_rows(out, columns, get_rows(rows, nr_shown), cols);
	print_cost(out, rows->counts, cols);
	if (report->receipt)
		receipt_print(out, report->receipt, cols);
}

static void print_tsv(FILE *out, const struct call_rows *rows, u32 nr_shown,
		      const struct call_report *report, const struct call_view *view,
		      struct columns *columns)
{
	columns_print_keys(out, columns);
	columns_print_tsv_rows(out, columns, get_rows(rows, nr_shown));
	if (report->receipt)
		receipt_finish(report->receipt, &view->output);
}

static void print_json(FILE *out, const struct call_rows *rows, u32 nr_shown,
		       const struct call_report *report, struct columns *columns)
{
	const struct call_totals *totals = &rows->counts->totals;

	fprintf(out, "{ \"calls\": %llu, \"lost\": %llu, \"others\": %llu, \"counted_ns\": %llu,\n"
		"  \"cost_ps\": %u, \"is_over\": %s, \"samples\": %llu,\n  \"rows\": [",
		call_counts_sum(rows->counts), totals->lost, totals->others, totals->counted_ns,
		totals->cost_ps, totals->is_over ? "true" : "false", rows->samples);
	columns_print_json_rows(out, columns, get_rows(rows, nr_shown));
	fprintf(out, "\n  ]");
	if (report->receipt) {
		fprintf(out, ",\n");
		receipt_json(out, report->receipt);
	}
	fprintf(out, " }\n");
}

static int show_rows(FILE *out, const struct call_rows *rows, const struct call_report *report,
		     const struct call_view *view, struct text_error *error_ret)
{
	u32 nr_shown = view->nr_rows && view->nr_rows < rows->nr ? view->nr_rows : rows->nr;
	struct columns columns;
	bool only_names = view->never && view->output.format == FORMAT_TEXT && !view->output.columns;
	/* Functions that were not called have no numbers to show. */
	int error = columns_choose(&columns, &call_column_list, view->output.format,
				   only_names ? "function,object" : view->output.columns, rows,
				   error_ret);

	if (!error && view->output.format == FORMAT_JSON)
		print_json(out, rows, nr_shown, report, &columns);
	else if (!error && view->output.format == FORMAT_TSV)
		print_tsv(out, rows, nr_shown, report, view, &columns);
	else if (!error)
		print_text(out, rows, nr_shown, report, view, &columns);
	columns_deinit(&columns);
	return error;
}

int call_view_show(FILE *out, const struct call_report *report, const struct call_view *view,
		   struct text_error *error_ret)
{
	struct call_rows rows;
	int error = call_rows_init(&rows, report->counts, report->profile,
				   report->elapsed_seconds * 1e9,
				   report->receipt ? report->receipt->cost_ns : 0, view->by_arc,
				   view->never);

	if (error)
		return text_fail(error_ret, error, "out of memory");
	call_rows_sort(&rows, view->never ? CALLS_BY_NAME : view->sort);
	error = show_rows(out, &rows, report, view, error_ret);
	call_rows_deinit(&rows);
	return error;
}

/* Names the functions with most calls: "a, b". */
static void name_frequent(const struct call_counts *counts, char *text, size_t len)
{
	static const struct profile none;
	struct call_rows rows;
	size_t used = 0;
	u32 i;

	text[0] = '\0';
	if (call_rows_init(&rows, counts, &none, 0, 0, false, false))
		return;
	call_rows_sort(&rows, CALLS_BY_CALLS);
	for (i = 0; i < rows.nr && i < FREQUENT && used < len; i++)
		used += snprintf(text + used, len - used, "%s%s", i ? ", " : "",
				 call_counts_name(counts, rows.row[i].function));
	call_rows_deinit(&rows);
}

void call_view_warn_switched_off(const struct call_totals *totals)
{
	if (totals->is_switched_off)
		fprintf(stderr, "probe: calls are missing: all kprobes of the kernel were switched off during the run\n"
			"hint: write 1 to /sys/kernel/debug/kprobes/enabled, and run again\n");
}

void call_view_warn(const struct call_counts *counts)
{
	const struct call_totals *totals = &counts->totals;
	char names[400];

	if (totals->is_over) {
		name_frequent(counts, names, sizeof(names));
		fprintf(stderr, "probe: counting ended after %.3f s, because calls took more than %.2f%% of "
			"a CPU\nhint: leave out functions with -fn '!NAME'; the most frequent were %s; "
			"or allow more with -budget\n", totals->counted_ns / 1e9,
			totals->budget_ppm / 1e4, names);
	}
	if (totals->lost)
		fprintf(stderr, "probe: %llu calls found no room in the tables and are not counted\n"
			"hint: use a larger -memory, or fewer functions\n", totals->lost);
}
