// SPDX-License-Identifier: GPL-2.0-only
/* The columns of lateness: see late_columns.h. */
#include <math.h>

#include "base/stat.h"
#include "sys/late_columns.h"

static const struct late_place *place_of(const struct column_cell *cell)
{
	return cell->row;
}

static const char *landed(const struct column_cell *cell, char *text, size_t len)
{
	return place_of(cell)->landed;
}

static const char *caller(const struct column_cell *cell, char *text, size_t len)
{
	return place_of(cell)->caller;
}

static const char *place(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%s%s%s", place_of(cell)->landed,
		 place_of(cell)->caller[0] ? " < " : "", place_of(cell)->caller);
	return text;
}

static double samples(const struct column_cell *cell)
{
	return place_of(cell)->counts.hits;
}

static double missed(const struct column_cell *cell)
{
	return place_of(cell)->counts.missed;
}

/* Of the time sampled, that in which samples were kept waiting there. */
static double share_frac(const struct column_cell *cell)
{
	const struct late_report *report = cell->view;

	return report->sampled_ns ? (double)place_of(cell)->counts.off_ns / report->sampled_ns : 0;
}

static double share(const struct column_cell *cell)
{
	return share_frac(cell) * 100;
}

static struct stat_interval interval(const struct column_cell *cell)
{
	const struct late_report *report = cell->view;

	return stat_wilson_share(share_frac(cell), report->expected);
}

static double error(const struct column_cell *cell)
{
	return fmax(interval(cell).hi - share_frac(cell),
		    share_frac(cell) - interval(cell).lo) * 100;
}

static double lo(const struct column_cell *cell)
{
	return interval(cell).lo * 100;
}

static double hi(const struct column_cell *cell)
{
	return interval(cell).hi * 100;
}

static double mean_ns(const struct column_cell *cell)
{
	return (double)place_of(cell)->counts.late_ns / place_of(cell)->counts.hits;
}

static double max_ns(const struct column_cell *cell)
{
	return place_of(cell)->counts.late_max_ns;
}

static const char *time_text(const struct column_cell *cell, char *text, size_t len)
{
	return text_ns(cell->column->value(cell), text);
}

static const struct column columns[] = {
	{ .key = "landed", .title = "Landed in", .help = "function that re-enabled interrupts",
	  .cols = 14, .text = landed },
	{ .key = "caller", .title = "Called from",
	  .help = "its caller, if that is another function", .cols = 14, .text = caller },
	{ .key = "place", .title = "Landed in < called from", .help = "function and caller in one",
	  .cols = 14,
	  .text = place },
	{ .key = "samples", .title = "Samples", .help = "samples that were late there",
	  .unit = COLUMN_COUNT, .cols = 7, .value = samples },
	{ .key = "missed", .title = "Missed",
	  .help = "periods that passed without a sample", .unit = COLUMN_COUNT, .cols = 7,
	  .value = missed },
	{ .key = "share", .title = "Share",
	  .help = "share of time for which samples waited there", .unit = COLUMN_PERCENT,
	  .cols = 6, .digits = 2, .value = share },
	{ .key = "error", .title = "+-", .help = "margin of error of the share, at 95%",
	  .unit = COLUMN_PERCENT, .cols = 5, .digits = 2, .value = error },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", .unit = COLUMN_PERCENT,
	  .cols = 6, .digits = 2, .value = lo },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval",
	  .unit = COLUMN_PERCENT, .cols = 6, .digits = 2, .value = hi },
	{ .key = "mean_ns", .title = "Mean", .help = "mean lateness of its samples",
	  .unit = COLUMN_NS, .cols = 8, .value = mean_ns, .text = time_text },
	{ .key = "max_ns", .title = "Max", .help = "largest lateness", .unit = COLUMN_NS,
	  .cols = 8, .value = max_ns, .text = time_text },
};

const struct column_list late_column_list = {
	.name = "late",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "samples,share,error,mean_ns,max_ns,place",
		[FORMAT_TSV] = "-place,-error",
		[FORMAT_JSON] = "-place,-error",
	},
};
