// SPDX-License-Identifier: GPL-2.0-only
/* Columns of a comparison of runs with calls: see call_diff_view.h. */
#include <math.h>

#include "base/share.h"
#include "calls/call_diff_view.h"
#include "calls/call_view.h"

static const struct call_diff_row *get_call_diff_row(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_row_name(const struct column_cell *cell, char *text, size_t len)
{
	return get_call_diff_row(cell)->name;
}

static const char *get_row_object(const struct column_cell *cell, char *text, size_t len)
{
	const char *module = get_call_diff_row(cell)->module;

	return module[0] ? module : "kernel";
}

static bool wants_row_object(const struct column *column, const void *view)
{
	const struct call_diff *diff = view;
	u32 i;

	for (i = 0; i < diff->nr; i++)
		if (diff->row[i].module[0])
			return true;
	return false;
}

/* The tag of a column about one run is the index of the run. */
static double get_row_presence(const struct column_cell *cell)
{
	return get_call_diff_row(cell)->is_in[cell->column->tag];
}

static double get_row_calls(const struct column_cell *cell)
{
	const struct call_diff_row *row = get_call_diff_row(cell);

	return row->is_in[cell->column->tag] ? row->calls[cell->column->tag] : NAN;
}

static double get_row_rate(const struct column_cell *cell)
{
	const struct call_diff_row *row = get_call_diff_row(cell);

	return row->is_in[cell->column->tag] ? row->calls_s[cell->column->tag] : NAN;
}

/* Rare calls need a decimal. */
static const char *get_rate_text(const struct column_cell *cell, char *text, size_t len)
{
	double rate = cell->column->value(cell);

	snprintf(text, len, "%.*f", rate < 9.95 ? 1 : 0, rate);
	return text;
}

static struct share get_side_time(const struct column_cell *cell, const struct call_change *change)
{
	const struct call_diff *diff = cell->view;
	const struct call_diff_row *row = get_call_diff_row(cell);
	int side = cell->column->tag;

	return share_of_hits(change->side[side].hits, diff->samples[side], diff->excess[side],
			     CI_WILSON, row->calls[side] ? diff->samples_ns[side] / row->calls[side] : NAN);
}

static struct share get_row_total(const struct column_cell *cell)
{
	return get_side_time(cell, &get_call_diff_row(cell)->total);
}

static struct share get_row_self(const struct column_cell *cell)
{
	return get_side_time(cell, &get_call_diff_row(cell)->self);
}

static struct share get_total_ratio(const struct column_cell *cell)
{
	const struct stat_ratio *found = &get_call_diff_row(cell)->total.ratio;

	return share_of(found->ratio, found->interval, 1);
}

static struct share get_self_ratio(const struct column_cell *cell)
{
	const struct stat_ratio *found = &get_call_diff_row(cell)->self.ratio;

	return share_of(found->ratio, found->interval, 1);
}

/* Three digits are enough for a ratio. */
static const char *get_ratio_text(const struct column_cell *cell, char *text, size_t len)
{
	double ratio = share_column_value(cell);

	if (!isfinite(ratio))
		return NULL;
	snprintf(text, len, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
	return text;
}

static double get_total_p(const struct column_cell *cell)
{
	return get_call_diff_row(cell)->total.p;
}

static double get_self_p(const struct column_cell *cell)
{
	return get_call_diff_row(cell)->self.p;
}

static const char *get_p_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell->column->value(cell) < 0.001 ? "<0.001" : NULL;
}

static double get_by_time(const struct column_cell *cell)
{
	return get_call_diff_row(cell)->by_time * 100;
}

static double get_by_calls(const struct column_cell *cell)
{
	return get_call_diff_row(cell)->by_calls * 100;
}

static const char *get_effect_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%+.*f", cell->column->digits, cell->column->value(cell));
	return text;
}

static const char *get_total_word(const struct column_cell *cell, char *text, size_t len)
{
	return call_diff_time_word(&get_call_diff_row(cell)->total);
}

static const char *get_self_word(const struct column_cell *cell, char *text, size_t len)
{
	return call_diff_time_word(&get_call_diff_row(cell)->self);
}

static const char *get_calls_word(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const only[] = { "only in A", "only in B" };
	int side = call_diff_only_in(get_call_diff_row(cell));

	return side < 0 ? call_diff_calls_word(get_call_diff_row(cell)) : only[side];
}

/* Both words: "slower, more" for "slower, more calls", which is too long for a line. */
static const char *get_words(const struct column_cell *cell, char *text, size_t len)
{
	const char *time = get_total_word(cell, text, len), *calls = get_calls_word(cell, text, len);

	if (!time[0])
		return calls;
	if (!calls[0])
		return time;
	snprintf(text, len, "%s, %s", time, calls[0] == 'm' ? "more" : "fewer");
	return text;
}

#define SIDE_TIME(of_row) \
	.unit = COLUMN_NS, .share = of_row, .value = share_column_value, .text = call_time_text, \
	.unknown = "-", .cols = 7
#define RATIO(of_row) \
	.unit = COLUMN_RATIO, .share = of_row, .value = share_column_value, \
	.text = get_ratio_text, .unknown = "-", .cols = 4
#define OF_CPU		.unit = COLUMN_PERCENT, .digits = 2, .cols = 7, .text = get_effect_text

static const struct column columns[] = {
	{ .key = "name", .title = "Function", .help = "function", .cols = 13, .text = get_row_name },
	{ .key = "object", .title = "Object", .help = "kernel, or its module", .cols = 6,
	  .text = get_row_object, .is_wanted = wants_row_object },
	{ .key = "in_a", .title = "In A", .help = "whether run A counted its calls",
	  .unit = COLUMN_YES_NO, .tag = 0, .value = get_row_presence },
	{ .key = "in_b", .title = "In B", .help = "whether run B counted its calls",
	  .unit = COLUMN_YES_NO, .tag = 1, .value = get_row_presence },
	{ .key = "a_calls", .title = "A calls", .help = "calls in run A", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 0, .value = get_row_calls, .unknown = "-" },
	{ .key = "b_calls", .title = "B calls", .help = "calls in run B", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 1, .value = get_row_calls, .unknown = "-" },
	{ .key = "a_calls_s", .title = "A", .pair_title = "Calls/s A, B",
	  .help = "calls per second in run A", .unit = COLUMN_COUNT, .cols = 6, .rank = 2, .tag = 0,
	  .value = get_row_rate, .text = get_rate_text, .unknown = "-" },
	{ .key = "b_calls_s", .title = "B", .help = "calls per second in run B",
	  .unit = COLUMN_COUNT, .cols = 6, .rank = 2, .tag = 1, .value = get_row_rate,
	  .text = get_rate_text, .unknown = "-" },
	{ .key = "a_total_ns", .title = "A", .pair_title = "Time/call A, B",
	  .help = "time of a call in run A, with all that it called", .rank = 3, .tag = 0,
	  SIDE_TIME(get_row_total) },
	{ .key = "b_total_ns", .title = "B", .rank = 3, .tag = 1,
	  .help = "time of a call in run B, with all that it called", SIDE_TIME(get_row_total) },
	{ .key = "ratio", .title = "B/A", .help = "ratio of these times, B / A", .rank = 4,
	  RATIO(get_total_ratio) },
	{ .key = "ratio_lo", .title = "Low", .pair_title = "95% interval", .rank = 1,
	  .help = "lower end of that ratio's 95% interval", .end = COLUMN_LO,
	  RATIO(get_total_ratio) },
	{ .key = "ratio_hi", .title = "High", .rank = 1,
	  .help = "upper end of that ratio's 95% interval", .end = COLUMN_HI,
	  RATIO(get_total_ratio) },
	{ .key = "p", .title = "p",
	  .help = "p-value of the difference of these times, corrected for the number of tests",
	  .unit = COLUMN_PROBABILITY, .cols = 6, .digits = 3, .value = get_total_p,
	  .text = get_p_text, .unknown = "-" },
	{ .key = "change", .title = "Change", .rank = 6,
	  .help = "slower or faster: time of a call; more or fewer calls; or only in one run",
	  .cols = 12, .text = get_words },
	{ .key = "time_change", .title = "Time",
	  .help = "slower or faster, if p is below 0.05", .text = get_total_word },
	{ .key = "calls_change", .title = "Calls",
	  .help = "more or fewer calls, if calls per second differ by 10% or more; or only in one run",
	  .text = get_calls_word },
	{ .key = "by_time", .title = "By time",
	  .help = "change of the function's CPU time that longer or shorter calls explain, in "
	  "percent of a CPU", .value = get_by_time, OF_CPU },
	{ .key = "by_calls", .title = "By calls",
	  .help = "change that more or fewer calls explain; both changes add up",
	  .value = get_by_calls, OF_CPU },
	{ .key = "a_self_ns", .title = "A", .pair_title = "Self/call A, B",
	  .help = "time of a call in run A, in the function itself", .tag = 0,
	  SIDE_TIME(get_row_self) },
	{ .key = "b_self_ns", .title = "B", .tag = 1,
	  .help = "time of a call in run B, in the function itself", SIDE_TIME(get_row_self) },
	{ .key = "self_ratio", .title = "Self", .help = "ratio of the self times, B / A",
	  RATIO(get_self_ratio) },
	{ .key = "self_ratio_lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of that ratio's 95% interval", .end = COLUMN_LO, RATIO(get_self_ratio) },
	{ .key = "self_ratio_hi", .title = "High",
	  .help = "upper end of that ratio's 95% interval", .end = COLUMN_HI, RATIO(get_self_ratio) },
	{ .key = "self_p", .title = "Self p", .help = "p-value of the difference of the self times",
	  .unit = COLUMN_PROBABILITY, .cols = 6, .digits = 3, .value = get_self_p,
	  .text = get_p_text, .unknown = "-" },
	{ .key = "self_change", .title = "Self",
	  .help = "slower or faster in the function itself", .text = get_self_word },
};

const struct column_list call_diff_column_list = {
	.name = "runs with calls",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "name,object,a_calls_s,b_calls_s,a_total_ns,b_total_ns,ratio,ratio_lo,"
			"ratio_hi,change",
		[FORMAT_TSV] = "-change",
		[FORMAT_JSON] = "-change",
	},
};
