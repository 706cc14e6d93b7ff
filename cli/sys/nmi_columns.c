// SPDX-License-Identifier: GPL-2.0-only
/* Columns of code that keeps interrupts off, as NMIs see it: see late_columns.h. */
#include "base/share.h"
#include "sys/late_columns.h"

static const struct late_place *get_nmi_place(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_nmi_function(const struct column_cell *cell, char *text, size_t len)
{
	return get_nmi_place(cell)->landed;
}

static const char *get_nmi_caller(const struct column_cell *cell, char *text, size_t len)
{
	return get_nmi_place(cell)->caller;
}

static const char *get_nmi_place_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%s%s%s", get_nmi_place(cell)->landed,
		 get_nmi_place(cell)->caller[0] ? " < " : "", get_nmi_place(cell)->caller);
	return text;
}

static double get_nmi_samples(const struct column_cell *cell)
{
	return get_nmi_place(cell)->counts.hits;
}

static struct share compute_share(u64 ns, const struct late_report *report)
{
	double fraction = report->sampled_ns ? (double)ns / report->sampled_ns : 0;

	return share_of(fraction, stat_wilson_share(fraction, report->expected, STAT_INDEPENDENT), 100);
}

static struct share get_nmi_share(const struct column_cell *cell)
{
	return compute_share(get_nmi_place(cell)->counts.off_ns, cell->view);
}

static struct share get_inferred_share(const struct column_cell *cell)
{
	const struct late_report *report = cell->view;

	return compute_share(get_nmi_place(cell)->inferred_ns, report->inferred);
}

static const struct column columns[] = {
	{ .key = "function", .title = "Function", .help = "function that ran with interrupts off",
	  .cols = 14, .text = get_nmi_function },
	{ .key = "caller", .title = "Called from",
	  .help = "caller, if the function is part of a lock", .cols = 14, .text = get_nmi_caller },
	{ .key = "place", .title = "Function < called from",
	  .help = "function and caller in one column", .cols = 14, .text = get_nmi_place_text },
	{ .key = "samples", .title = "Samples", .help = "samples with interrupts off there",
	  .unit = COLUMN_COUNT, .cols = 7, .value = get_nmi_samples },
	{ .key = "share", .title = "Share", .help = "share of time in the function with interrupts off",
	  .cols = 6, .digits = 2, SHARE_COLUMN(get_nmi_share) },
	SHARE_ERROR_COLUMN("", "the share", get_nmi_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", get_nmi_share, .cols = 6),
	{ .key = "late", .title = "Late", .help = "share of time in which samples of a timer waited for the function",
	  .cols = 6, .digits = 2, SHARE_COLUMN(get_inferred_share) },
	SHARE_ERROR_COLUMN("late_", "the share by lateness", get_inferred_share, .cols = 5),
	SHARE_INTERVAL_COLUMNS("late_", "L.low", "L.high", "the share by lateness's", get_inferred_share, .cols = 6),
};

const struct column_list nmi_column_list = {
	.name = "late -nmi",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "samples,share,error,late,late_error,place",
		[FORMAT_TSV] = "-place,-error,-late_error",
		[FORMAT_JSON] = "-place,-error,-late_error",
	},
};
