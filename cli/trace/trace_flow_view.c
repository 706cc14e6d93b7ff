// SPDX-License-Identifier: GPL-2.0-only
/* Printing the code path of a trace: see trace_flow.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "trace/trace_flow.h"

#define INDENT		2	/* columns for each open call */
#define LINE_COLS	30	/* columns for the rest, at least */
#define TASK_COLS	16

int trace_flow_time(const struct option_spec *spec, const char *text, void *at, struct text_error *error_ret)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
	char *end;
	double value = strtod(text, &end);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end == text || strcmp(end, units[i].name) || !(value >= 0) ||
		    !(value * units[i].ns < 1e17))
			continue;
		*(u64 *)at = value * units[i].ns + 0.5;
		return 0;
	}
	return text_fail(error_ret, -EINVAL, "'%s' is not a time such as 0.5, 20ms or 100us", text);
}

#define FLOW(field)	offsetof(struct trace_flow_options, field)

const struct option_spec trace_flow_specs[] = {
	{ "flow", NULL, "the code path: every call, switch, interrupt and mark in order", option_flag,
	  FLOW(is_wanted) },
	{ "from", "TIME", "with -flow: from this time of the trace on, such as 0.5 or 20ms", trace_flow_time,
	  FLOW(from_ns) },
	{ "to", "TIME", "with -flow: until this time of the trace", trace_flow_time, FLOW(to_ns) },
	{ "depth", "N", "with -flow or -longest: at most N levels of calls", option_range, FLOW(depth), .min = 1,
	  .max = 1000 },
	{ "over", "TIME", "with -flow or -longest: only calls that took so long, such as 100us", trace_flow_time,
	  FLOW(over_ns) },
	{ "longest", "GLOB", "the code path of the slowest call of these functions", option_text,
	  FLOW(longest) },
	{ NULL }
};

static void print_line(FILE *out, const struct trace_flow *flow, const struct trace_flow_item *item, int cols)
{
	char line[2048], task[64];
	u64 us = item->ns / 1000;
	int used = fprintf(out, "%3llu:%03llu %03llu.%03llu ", us / 1000000, us / 1000 % 1000, us % 1000,
			   item->ns % 1000);
	int indent = 0;

	if (flow->trace->nr_cpus > 1)
		used += fprintf(out, "%3u ", item->cpu);
	if (!flow->has_one_task) {
		int put = text_put_cut(out, trace_flow_task(flow, item->tid, task, sizeof(task)), TASK_COLS);

		used += put + fprintf(out, "%*s", TASK_COLS + 1 - put, "");
	}
	if (item->kind != FLOW_SWITCH && item->depth > flow->least_depth)
		indent = (item->depth - flow->least_depth) * INDENT;
	/* Deep calls keep room for their names. */
	if (indent > cols - used - LINE_COLS)
		indent = cols - used > LINE_COLS ? cols - used - LINE_COLS : 0;
	fprintf(out, "%*s", indent, "");
	text_wrap_at(out, trace_flow_line(flow, item, line, sizeof(line)), used + indent, cols);
}

static void print_text(FILE *out, const struct trace_flow *flow, int cols)
{
	u32 i;

	fprintf(out, "Code Path\n");
	text_wrap(out, flow->has_one_task ? "(s:ms us.ns; -> function (net, total), <- return, == mark)" :
		  "(s:ms us.ns, thread; -> function (net, total), <- return, == mark)", cols);
	fputc('\n', out);
	for (i = 0; i < flow->nr_items; i++)
		if (flow->items[i].flags & FLOW_SHOWN)
			print_line(out, flow, &flow->items[i], cols);
	if (!flow->nr_shown)
		fprintf(out, "(nothing)\n");
}

/* The items that are shown, one after the other; free it. NULL: out of memory. */
static struct trace_flow_item *copy_shown(const struct trace_flow *flow)
{
	struct trace_flow_item *shown = calloc(flow->nr_shown + 1, sizeof(*shown));
	u32 i, nr = 0;

	for (i = 0; shown && i < flow->nr_items; i++)
		if (flow->items[i].flags & FLOW_SHOWN)
			shown[nr++] = flow->items[i];
	return shown;
}

static int print_data(FILE *out, const struct trace_flow *flow, struct columns *columns,
		      enum output_format format,
		      struct text_error *error_ret)
{
	struct trace_flow_item *shown = copy_shown(flow);
	const struct row_array rows = { shown, sizeof(*shown), flow->nr_shown };

	if (!shown)
		return text_fail(error_ret, -ENOMEM, "out of memory");
	if (format == FORMAT_TSV) {
		columns_print_keys(out, columns);
		columns_print_tsv_rows(out, columns, rows);
	} else {
		fprintf(out, "{ \"rows\": [");
		columns_print_json_rows(out, columns, rows);
		fprintf(out, "\n  ] }\n");
	}
	free(shown);
	return 0;
}

int trace_flow_show(FILE *out, const struct trace_flow *flow, const struct output_options *output,
		    struct text_error *error_ret)
{
	struct columns columns;
	int error;

	if (output->format == FORMAT_TEXT) {
		print_text(out, flow, output_cols(output));
		return 0;
	}
	error = columns_choose(&columns, &trace_flow_columns, output->format, output->columns, flow,
			       error_ret);
	if (!error)
		error = print_data(out, flow, &columns, output->format, error_ret);
	columns_deinit(&columns);
	return error;
}
