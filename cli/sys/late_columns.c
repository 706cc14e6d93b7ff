// SPDX-License-Identifier: GPL-2.0-only
/* Columns of lateness: see late_columns.h. */
#include "base/share.h"
#include "sys/late_columns.h"

static const struct late_place *get_late_place(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_late_landed(const struct column_cell *cell, char *text, size_t len)
{
	return get_late_place(cell)->landed;
}

static const char *get_late_caller(const struct column_cell *cell, char *text, size_t len)
{
	return get_late_place(cell)->caller;
}

static const char *get_late_place_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%s%s%s", get_late_place(cell)->landed,
		 get_late_place(cell)->caller[0] ? " < " : "", get_late_place(cell)->caller);
	return text;
}

static double get_late_samples(const struct column_cell *cell)
{
	return get_late_place(cell)->counts.hits;
}

static double get_late_missed(const struct column_cell *cell)
{
	return get_late_place(cell)->counts.missed;
}

/* Share of the sampled time in which samples waited for this place. */
static struct share get_late_share(const struct column_cell *cell)
{
	const struct late_report *report = cell->view;
	double fraction = report->sampled_ns ?
		(double)get_late_place(cell)->counts.off_ns / report->sampled_ns : 0;

	return share_of(fraction, stat_wilson_share(fraction, report->expected,
						    STAT_INDEPENDENT), 100);
}

static double get_late_mean_ns(const struct column_cell *cell)
{
	return (double)get_late_place(cell)->counts.late_ns / get_late_place(cell)->counts.hits;
}

static double get_late_max_ns(const struct column_cell *cell)
{
	return get_late_place(cell)->counts.late_max_ns;
}

static const char *get_late_time_text(const struct column_cell *cell, char *text, size_t len)
{
	return text_ns(cell->column->value(cell), text);
}

static const struct column columns[] = {
	{ .key = "landed", .title = "Landed in", .help = "function that re-enabled interrupts",
	  .cols = 14, .text = get_late_landed },
	{ .key = "caller", .title = "Called from",
	  .help = "caller, if different from the function", .cols = 14, .text = get_late_caller },
	{ .key = "place", .title = "Landed in < called from",
	  .help = "function and caller in one column", .cols = 14, .text = get_late_place_text },
	{ .key = "samples", .title = "Samples", .help = "late samples at the place",
	  .unit = COLUMN_COUNT, .cols = 7, .value = get_late_samples },
	{ .key = "missed", .title = "Missed",
	  .help = "periods that passed without a sample", .unit = COLUMN_COUNT, .cols = 7,
	  .value = get_late_missed },
	{ .key = "share", .title = "Share",
	  .help = "share of time in which samples waited for the place", .cols = 6, .digits = 2,
	  SHARE_COLUMN(get_late_share) },
	SHARE_ERROR_COLUMN("", "the share", get_late_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", get_late_share, .cols = 6),
	{ .key = "mean_ns", .title = "Mean", .help = "mean lateness of the samples",
	  .unit = COLUMN_NS, .cols = 8, .value = get_late_mean_ns, .text = get_late_time_text },
	{ .key = "max_ns", .title = "Max", .help = "largest lateness", .unit = COLUMN_NS,
	  .cols = 8, .value = get_late_max_ns, .text = get_late_time_text },
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
