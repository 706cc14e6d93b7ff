// SPDX-License-Identifier: GPL-2.0-only
/* The report of a trace beside its samples: see trace_beside_view.h. */
#include <errno.h>

#include "trace/trace_beside_view.h"

/* How much of the table was judged, and whether both looked at the same time. */
static void print_receipt(FILE *out, const struct beside_rows *beside, const struct trace_rows *rows,
			  int cols)
{
	const struct trace_beside_totals *totals = &beside->beside->totals;
	char line[500];

	snprintf(line, sizeof(line),
		 "%u of %u functions with %u samples or more have a traced share in the interval of the sampled "
		 "one. Sampled %.6f s of CPU time at %.0f Hz, traced %.6f s (difference %+.3f%%); %llu samples, "
		 "%llu periods missed, %llu stacks lost.", beside->nr_within, beside->nr_judged,
		 TRACE_BESIDE_LEAST,
		 totals->sampled_ns / 1e9, totals->period_ns ? 1e9 / totals->period_ns : 0,
		 rows->run_ns / 1e9, rows->run_ns > 0 ? 100 * (totals->sampled_ns / rows->run_ns - 1) : 0,
		 totals->taken, totals->missed, totals->lost);
	fputc('\n', out);
	text_wrap(out, line, cols);
	if (!beside->hidden_frac)
		return;
	snprintf(line, sizeof(line), "Samples found %.0f%% of the cost of tracing in the hooks, which keep interrupts off. "
		 "The rest of it is in the traced shares, too.", 100 * (1 - beside->hidden_frac));
	text_wrap(out, line, cols);
}

static void print_json(FILE *out, const struct beside_rows *beside, const struct trace_rows *rows,
		       const struct columns *columns, struct row_array array)
{
	const struct trace_beside_totals *totals = &beside->beside->totals;

	fprintf(out, "{ \"judged\": %u, \"within\": %u, \"sampled_ns\": %llu, \"traced_ns\": %.0f,\n"
		"  \"period_ns\": %llu, \"samples\": %llu, \"missed\": %llu, \"lost\": %llu,\n"
		"  \"hidden_cost\": %.4f, \"rows\": [",
		beside->nr_judged, beside->nr_within, totals->sampled_ns, rows->run_ns, totals->period_ns,
		totals->taken, totals->missed, totals->lost, beside->hidden_frac);
	columns_print_json_rows(out, columns, array);
	fprintf(out, "\n  ] }\n");
}

static int print_rows(FILE *out, const struct beside_rows *beside, const struct trace_rows *rows,
		      const struct output_options *output, struct text_error *error_ret)
{
	const struct row_array array = { beside->row, sizeof(*beside->row), beside->nr };
	struct columns columns;
	int error = columns_choose(&columns, &trace_beside_columns, output->format, output->columns, beside,
				   error_ret);

	if (!error && output->format == FORMAT_JSON) {
		print_json(out, beside, rows, &columns, array);
	} else if (!error && output->format == FORMAT_TSV) {
		columns_print_keys(out, &columns);
		columns_print_tsv_rows(out, &columns, array);
	} else if (!error) {
		fprintf(out, "Trace and Samples\n(percent of all time of the CPUs)\n\n");
		columns_print_rows(out, &columns, array, output_cols(output));
		print_receipt(out, beside, rows, output_cols(output));
	}
	columns_deinit(&columns);
	return error;
}

int trace_beside_show(FILE *out, const struct trace_account *account, const struct trace_view *view,
		      struct text_error *error_ret)
{
	struct beside_rows beside;
	struct trace_rows rows;
	int error;

	if (!account->sums.trace->beside) {
		text_fail(error_ret, 0, "compare with samples: the trace has none");
		text_hint(error_ret, "record it with -beside");
		return -ENODATA;
	}
	if (trace_rows_init(&rows, account, view->sort, NULL))
		return text_fail(error_ret, -ENOMEM, "out of memory");
	error = beside_rows_init(&beside, &rows);
	if (error) {
		text_fail(error_ret, error, "out of memory");
	} else {
		error = print_rows(out, &beside, &rows, &view->output, error_ret);
		beside_rows_deinit(&beside);
	}
	trace_rows_deinit(&rows);
	return error;
}
