// SPDX-License-Identifier: GPL-2.0-only
/* Columns of a trace beside its samples: see trace_beside_view.h. */
#include "base/share.h"
#include "trace/trace_beside_view.h"

static const char *const verdicts[] = { "few", "within", "hooks", "differs" };

static const struct beside_row *row_of(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_name(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->name;
}

static const char *get_object(const struct column_cell *cell, char *text, size_t len)
{
	return row_of(cell)->object;
}

static const char *get_verdict(const struct column_cell *cell, char *text, size_t len)
{
	/* Only functions have a net time of their own to compare. */
	return row_of(cell)->object[0] ? verdicts[row_of(cell)->verdict] : "";
}

static double get_calls(const struct column_cell *cell)
{
	return row_of(cell)->calls;
}

static double get_samples(const struct column_cell *cell)
{
	return row_of(cell)->samples;
}

static double get_raw(const struct column_cell *cell)
{
	return 100 * row_of(cell)->raw_frac;
}

static double get_traced(const struct column_cell *cell)
{
	return 100 * row_of(cell)->traced_frac;
}

static struct share get_sampled(const struct column_cell *cell)
{
	return share_of(row_of(cell)->sampled_frac, row_of(cell)->interval, 100);
}

#define KEPT		1	/* omitted from a line too long after the other columns */
#define PERCENT		.unit = COLUMN_PERCENT, .cols = 5, .digits = 2

static const struct column columns[] = {
	{ .key = "raw", .title = "Raw", .help = "net time as measured, in percent of all time of the CPUs",
	  PERCENT, .value = get_raw, .unknown = "-" },
	{ .key = "traced", .title = "Traced",
	  .help = "net time without the cost of tracing that samples can see; of (hooks): this cost",
	  PERCENT, .value = get_traced },
	{ .key = "sampled", .title = "Sampled", .help = "samples in percent of all samples", .cols = 7,
	  .digits = 2, SHARE_NUMBER(get_sampled) },
	SHARE_INTERVAL_COLUMNS("sampled_", "Low", "High", "the sampled share's", get_sampled, .cols = 5),
	{ .key = "samples", .title = "Samples",
	  .help = "samples with this function as the innermost traced one on the stack",
	  .unit = COLUMN_COUNT, .cols = 7, .value = get_samples },
	{ .key = "verdict", .title = "Verdict",
	  .help = "within: traced share in the interval; hooks: a part of the cost explains it; differs; few",
	  .cols = 7, .text = get_verdict },
	{ .key = "calls", .title = "Calls", .help = "calls that began", .unit = COLUMN_COUNT, .cols = 5,
	  .value = get_calls },
	{ .key = "function", .title = "Function", .help = "function, the hooks, or all other code",
	  .cols = 16, .rank = KEPT, .text = get_name, .fills = true },
	{ .key = "object", .title = "Object", .help = "kernel or its module", .cols = 6, .text = get_object },
};

const struct column_list trace_beside_columns = {
	.name = "beside",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "raw,traced,sampled,sampled_lo,sampled_hi,samples,verdict,calls,function",
	},
};
