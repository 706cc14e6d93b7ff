// SPDX-License-Identifier: GPL-2.0-only
/* Report of a comparison of runs with calls: see call_diff_view.h. */
#include "base/text.h"
#include "calls/call_diff_view.h"

/** A comparison being written. */
struct call_diff_view {
	FILE *out;
	const struct call_diff *diff;
	const struct call_run *runs;
	const char *const *paths;
	const struct output_options *options;
};

static void print_runs(const struct call_diff_view *view)
{
	const struct call_diff *diff = view->diff;
	char line[640];
	size_t used = 0;
	int side;

	for (side = 0; side < 2 && used < sizeof(line); side++) {
		const struct call_counts *counts = view->runs[side].counts;

		used += snprintf(line + used, sizeof(line) - used,
				 "%s%c: %.200s, %llu calls in %.1f s, %llu samples, %llu block%s",
				 side ? ". " : "", 'A' + side, view->paths[side],
				 call_counts_sum(counts), counts->totals.counted_ns / 1e9,
				 diff->samples[side], diff->nr_blocks[side],
				 diff->nr_blocks[side] == 1 ? "" : "s");
	}
	if (used < sizeof(line))
		snprintf(line + used, sizeof(line) - used, ".");
	text_wrap(view->out, line, output_cols(view->options));
}

static void print_legend(const struct call_diff_view *view)
{
	char line[512];

	snprintf(line, sizeof(line), "Times are of one call, with all that it called. slower, faster: "
		 "p is below 0.05 by %s, corrected for the number of tests (Holm); these rows come "
		 "first. more, fewer: calls per second differ by 10%% or more; calls are exact.",
		 view->diff->is_sampling_only ? "the score test of the samples, without the "
		 "workload's own variation" : "Welch's test of the variation from second to second");
	fputc('\n', view->out);
	text_wrap(view->out, line, output_cols(view->options));
}

static struct row_array get_rows(const struct call_diff_view *view, u64 nr)
{
	return (struct row_array){ view->diff->row, sizeof(*view->diff->row), nr };
}

static void print_text(const struct call_diff_view *view, struct columns *columns, u64 nr_rows)
{
	u64 nr = view->diff->nr < nr_rows ? view->diff->nr : nr_rows;

	print_runs(view);
	fputc('\n', view->out);
	columns_print_rows(view->out, columns, get_rows(view, nr), output_cols(view->options));
	if (view->diff->nr > nr)
		fprintf(view->out, "(%llu more)\n", view->diff->nr - nr);
	print_legend(view);
}

static void print_tsv(const struct call_diff_view *view, const struct columns *columns)
{
	columns_print_keys(view->out, columns);
	columns_print_tsv_rows(view->out, columns, get_rows(view, view->diff->nr));
}

static void print_json_run(const struct call_diff_view *view, int side)
{
	const struct call_counts *counts = view->runs[side].counts;
	char run = 'a' + side;

	fprintf(view->out, "  \"%c\": ", run);
	text_json(view->out, view->paths[side]);
	fprintf(view->out, ",\n  \"%c_calls\": %llu,\n  \"%c_counted_ns\": %llu,\n"
		"  \"%c_samples\": %llu,\n  \"%c_blocks\": %llu,\n", run, call_counts_sum(counts), run,
		counts->totals.counted_ns, run, view->diff->samples[side], run,
		view->diff->nr_blocks[side]);
}

static void print_json(const struct call_diff_view *view, const struct columns *columns)
{
	fputs("{\n  \"report\": \"diff of calls\",\n", view->out);
	print_json_run(view, 0);
	print_json_run(view, 1);
	fprintf(view->out, "  \"sampling_only\": %s,\n  \"rows\": [",
		view->diff->is_sampling_only ? "true" : "false");
	columns_print_json_rows(view->out, columns, get_rows(view, view->diff->nr));
	fputs("\n  ]\n}\n", view->out);
}

int call_diff_view_show(FILE *out, const struct call_diff *diff, const struct call_run runs[2],
			const char *const paths[2], u64 nr_rows,
			const struct output_options *options, struct text_error *error_ret)
{
	const struct call_diff_view view = { out, diff, runs, paths, options };
	struct columns columns;
	int error = columns_choose(&columns, &call_diff_column_list, options->format,
				   options->columns, diff, error_ret);

	if (!error && options->format == FORMAT_JSON)
		print_json(&view, &columns);
	else if (!error && options->format == FORMAT_TSV)
		print_tsv(&view, &columns);
	else if (!error)
		print_text(&view, &columns, nr_rows ? nr_rows : CALL_DIFF_ROWS);
	columns_deinit(&columns);
	return error;
}
