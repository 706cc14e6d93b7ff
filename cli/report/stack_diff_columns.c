// SPDX-License-Identifier: GPL-2.0-only
/* Columns of a comparison of runs with stacks: see stack_diff_view.h. */
#include <math.h>

#include "report/stack_diff_view.h"

static const struct diff_row *get_stack_diff_row(const struct column_cell *cell)
{
	return cell->row;
}

static const struct stack_diff_table *get_stack_diff_table(const struct column_cell *cell)
{
	return cell->view;
}

static const char *get_function_name(const struct column_cell *cell, char *text, size_t len)
{
	return get_stack_diff_row(cell)->name;
}

static const char *get_function_object(const struct column_cell *cell, char *text, size_t len)
{
	return get_stack_diff_row(cell)->object;
}

static const char *get_kind_of_time(const struct column_cell *cell, char *text, size_t len)
{
	return get_stack_diff_row(cell)->is_total ? "total" : "self";
}

/* The tag of a column about one run is the index of the run. */
static double get_function_presence(const struct column_cell *cell)
{
	return get_stack_diff_row(cell)->is_in[cell->column->tag];
}

static double get_function_share(const struct column_cell *cell)
{
	return get_stack_diff_row(cell)->side[cell->column->tag].share * 100;
}

static const char *get_absence_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_stack_diff_row(cell)->is_in[cell->column->tag] ? NULL : "-";
}

static double get_function_hits(const struct column_cell *cell)
{
	return get_stack_diff_row(cell)->side[cell->column->tag].hits;
}

static struct share get_share_difference(const struct column_cell *cell)
{
	const struct stat_difference *found = &get_stack_diff_row(cell)->found;

	return share_of(found->difference, found->interval, 100);
}

/* Unless both runs have executions, a time that one of them has cannot be compared. */
static double get_function_execution(const struct column_cell *cell)
{
	const struct stack_diff_table *table = get_stack_diff_table(cell);
	int side = cell->column->tag;

	if (!(table->diff->execution_ns[side] > 0))
		return NAN;
	return get_stack_diff_row(cell)->side[side].share * table->diff->execution_ns[side] /
		table->unit->ns;
}

/* Decimals tell nothing of many events. */
static const char *get_execution_text(const struct column_cell *cell, char *text, size_t len)
{
	const double value = cell->column->value(cell);

	if (!get_stack_diff_row(cell)->is_in[cell->column->tag] || !get_stack_diff_table(cell)->diff->counts_events ||
	    !(value >= 100))
		return get_absence_text(cell, text, len);
	snprintf(text, len, "%.0f", value);
	return text;
}

static struct share get_execution_difference(const struct column_cell *cell)
{
	const struct stack_diff_table *table = get_stack_diff_table(cell);
	const struct stat_difference *found = &get_stack_diff_row(cell)->execution;

	return share_of(found->difference, found->interval,
			diff_has_executions(table->diff) ? 1 / table->unit->ns : NAN);
}

/* B / A of the times or events per execution. */
static struct share get_execution_ratio(const struct column_cell *cell)
{
	const struct stat_ratio *found = &get_stack_diff_row(cell)->ratio;

	return share_of(found->ratio, found->interval, diff_has_executions(get_stack_diff_table(cell)->diff) ? 1 : NAN);
}

/* Three digits are enough for a ratio. */
static const char *get_ratio_text(const struct column_cell *cell, char *text, size_t len)
{
	const double ratio = share_column_value(cell);

	if (!isfinite(ratio))
		return "-";
	snprintf(text, len, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
	return text;
}

static const char *get_signed_text(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%+.*f", cell->column->digits, cell->column->value(cell));
	return text;
}

static double get_function_p(const struct column_cell *cell)
{
	return get_stack_diff_row(cell)->found.p;
}

static const char *get_function_p_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_stack_diff_row(cell)->found.p < 0.001 ? "<0.001" : NULL;
}

static double get_function_significant(const struct column_cell *cell)
{
	return diff_is_significant(get_stack_diff_row(cell));
}

static const char *get_function_mark(const struct column_cell *cell, char *text, size_t len)
{
	return diff_is_significant(get_stack_diff_row(cell)) ? "*" : "";
}

static bool wants_executions(const struct column *column, const void *view)
{
	return diff_has_executions(((const struct stack_diff_table *)view)->diff);
}

static bool wants_shares(const struct column *column, const void *view)
{
	return !wants_executions(column, view);
}

/* Events are compared by their ratio: what matters is how many times as many there are. */
static bool wants_ratio(const struct column *column, const void *view)
{
	return wants_executions(column, view) && ((const struct stack_diff_table *)view)->diff->counts_events;
}

static bool wants_difference(const struct column *column, const void *view)
{
	return wants_executions(column, view) && !wants_ratio(column, view);
}

#define SHARES	.is_wanted = wants_shares
#define EACH	.unit = COLUMN_EACH_NS, .digits = EXECUTION_DIGITS
#define RATIO	.unit = COLUMN_RATIO, .digits = 2, .cols = 6, .is_wanted = wants_ratio, \
	.share = get_execution_ratio, .value = share_column_value, .text = get_ratio_text

static const struct column columns[] = {
	{ .key = "name", .title = "Function", .help = "function", .cols = 14,
	  .text = get_function_name },
	{ .key = "object", .title = "Object", .help = "program, library or module that contains it",
	  .text = get_function_object },
	{ .key = "time", .title = "Time",
	  .help = "self: in the function itself; total: in it and in those that it called",
	  .text = get_kind_of_time },
	{ .key = "in_a", .title = "In A", .help = "whether run A has it", .unit = COLUMN_YES_NO,
	  .tag = 0, .value = get_function_presence },
	{ .key = "in_b", .title = "In B", .help = "whether run B has it", .unit = COLUMN_YES_NO,
	  .tag = 1, .value = get_function_presence },
	{ .key = "a", .title = "A", .help = "share in run A", .unit = COLUMN_PERCENT, .cols = 6,
	  .digits = 2, .tag = 0, SHARES, .value = get_function_share, .text = get_absence_text },
	{ .key = "b", .title = "B", .help = "share in run B", .unit = COLUMN_PERCENT, .cols = 6,
	  .digits = 2, .tag = 1, SHARES, .value = get_function_share, .text = get_absence_text },
	{ .key = "difference", .title = "B - A", .help = "difference of the shares, B minus A",
	  .cols = 7, .digits = 2, SHARES, SHARE_NUMBER(get_share_difference),
	  .text = get_signed_text },
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the difference's", get_share_difference,
			       .cols = 7, SHARES, .text = get_signed_text),
	{ .key = "a_execution_ns", .title = "A", .help = "time per execution in run A", EACH, .is_wanted = wants_executions,
	  .cols = 6, .tag = 0, .value = get_function_execution, .text = get_execution_text },
	{ .key = "b_execution_ns", .title = "B", .help = "time per execution in run B", EACH, .is_wanted = wants_executions,
	  .cols = 6, .tag = 1, .value = get_function_execution, .text = get_execution_text },
	{ .key = "execution_difference_ns", .title = "B - A", .rank = 5,
	  .help = "difference of the times per execution, B minus A", EACH, .is_wanted = wants_difference, .cols = 7,
	  .share = get_execution_difference, .value = share_column_value,
	  .text = get_signed_text },
	{ .key = "execution_lo_ns", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of that difference's 95% interval", EACH, .is_wanted = wants_difference, .cols = 7,
	  .end = COLUMN_LO, .share = get_execution_difference, .value = share_column_value,
	  .text = get_signed_text },
	{ .key = "execution_hi_ns", .title = "High", .end = COLUMN_HI,
	  .help = "upper end of that difference's 95% interval", EACH, .is_wanted = wants_difference, .cols = 7,
	  .share = get_execution_difference, .value = share_column_value,
	  .text = get_signed_text },
	{ .key = "ratio", .title = "B/A", .rank = 5,
	  .help = "ratio of the times or events per execution, B / A", RATIO },
	{ .key = "ratio_lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of that ratio's 95% interval", .end = COLUMN_LO, RATIO },
	{ .key = "ratio_hi", .title = "High", .help = "upper end of that ratio's 95% interval", .end = COLUMN_HI, RATIO },
	{ .key = "p", .title = "p",
	  .help = "p-value of the difference, corrected for the number of rows",
	  .unit = COLUMN_PROBABILITY, .cols = 6, .digits = 3, .value = get_function_p,
	  .text = get_function_p_text },
	{ .key = "significant", .title = "", .help = "whether p is below 0.05 (a star in text)",
	  .unit = COLUMN_YES_NO, .cols = 1, .value = get_function_significant,
	  .text = get_function_mark },
	{ .key = "a_hits", .title = "A hits", .help = "samples in run A", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 0, .value = get_function_hits },
	{ .key = "b_hits", .title = "B hits", .help = "samples in run B", .unit = COLUMN_COUNT,
	  .cols = 7, .tag = 1, .value = get_function_hits },
};

const struct column_list stack_diff_column_list = {
	.name = "runs with stacks",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "name,object,a,b,difference,lo,hi,a_execution_ns,b_execution_ns,"
			"execution_difference_ns,execution_lo_ns,execution_hi_ns,ratio,ratio_lo,ratio_hi,p,significant",
		[FORMAT_TSV] = "-in_a,-in_b,-significant",
		[FORMAT_JSON] = "-a_hits,-b_hits",
	},
};
