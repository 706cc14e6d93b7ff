// SPDX-License-Identifier: GPL-2.0-only
/* The columns of a flat profile: see flat_columns.h. */
#include <math.h>
#include <string.h>

#include "base/execution.h"
#include "report/flat_columns.h"

static const struct flat_row *get_flat_row(const struct column_cell *cell)
{
	return ((const struct flat_line *)cell->row)->row;
}

static const struct unsampled_row *get_unsampled_row(const struct column_cell *cell)
{
	return ((const struct flat_line *)cell->row)->unsampled;
}

static const struct flat_columns *get_flat_view(const struct column_cell *cell)
{
	return cell->view;
}

static const char *get_flat_name(const struct column_cell *cell, char *text, size_t len)
{
	int cols = get_flat_view(cell)->name_cols;

	if (get_unsampled_row(cell))
		return get_unsampled_row(cell)->name;
	flat_name(get_flat_view(cell)->flat, get_flat_row(cell), text, len);
	/* The end of a path with a line matters most. */
	return cols && get_flat_row(cell)->key.file ? text_end(text, cols) : text;
}

static const char *get_flat_kind(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const kinds[] = {
		[FLAT_ROW] = "row", [FLAT_REST] = "others", [FLAT_NO_GROUP] = "no group",
		[FLAT_LOST] = "lost", [FLAT_OTHER] = "other processes",
	};

	return get_unsampled_row(cell) ? "unsampled" : kinds[get_flat_row(cell)->kind];
}

static const char *get_flat_program(const struct column_cell *cell, char *text, size_t len)
{
	return get_unsampled_row(cell) ? "" :
		flat_program(get_flat_view(cell)->flat, get_flat_row(cell));
}

static double get_flat_pid(const struct column_cell *cell)
{
	return get_unsampled_row(cell) ? 0 :
		flat_pid(get_flat_view(cell)->flat, get_flat_row(cell));
}

static const char *get_flat_pid_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_flat_pid(cell) > 0 ? NULL : "";
}

static const char *get_flat_object(const struct column_cell *cell, char *text, size_t len)
{
	return flat_object(get_flat_view(cell)->flat, get_flat_row(cell));
}

static const char *get_flat_object_kind(const struct column_cell *cell, char *text, size_t len)
{
	return flat_kind_name(get_flat_view(cell)->flat, get_flat_row(cell));
}

static const char *get_flat_path(const struct column_cell *cell, char *text, size_t len)
{
	u32 at = get_flat_row(cell)->key.object;

	return at == PROFILE_NONE ? "" : get_flat_view(cell)->flat->profile->objects[at].path;
}

/*
 * The shown shares are rounded so that they add up; the margin of error is that of the exact one.
 * The tag says whether a column is cumulative.
 */
static struct share get_flat_share(const struct column_cell *cell)
{
	const struct flat_row *row = get_flat_row(cell);
	struct share share = cell->column->tag ? share_of(row->all_share, row->all_interval, 100) :
		share_of(row->share, row->interval, 100);

	share.value = (cell->column->tag ? row->all_units : row->units) * 100.0 /
		get_flat_view(cell)->whole;
	return share;
}

/* The time of one execution, from the exact share. */
static struct share get_flat_execution(const struct column_cell *cell)
{
	const struct flat_row *row = get_flat_row(cell);
	double each = get_flat_view(cell)->each;

	return cell->column->tag ? share_of(row->all_share, row->all_interval, each) :
		share_of(row->share, row->interval, each);
}

static double get_flat_hits(const struct column_cell *cell)
{
	return cell->column->tag ? get_flat_row(cell)->all_hits : get_flat_row(cell)->hits;
}

static double get_flat_seconds(const struct column_cell *cell)
{
	return (cell->column->tag ? get_flat_row(cell)->all_ns : get_flat_row(cell)->ns) / 1e9;
}

static double get_flat_events(const struct column_cell *cell)
{
	return cell->column->tag ? get_flat_row(cell)->all_ns : get_flat_row(cell)->ns;
}

static bool has_flat_events(const struct column *column, const void *view)
{
	return ((const struct flat_columns *)view)->flat->profile->counts_events;
}

static bool has_flat_times(const struct column *column, const void *view)
{
	return !has_flat_events(column, view);
}

static enum flat_by get_flat_by(const void *view)
{
	return ((const struct flat_columns *)view)->flat->options.by;
}

static bool wants_program(const struct column *column, const void *view)
{
	return get_flat_by(view) == FLAT_PROGRAM_OBJECT;
}

static bool wants_pid(const struct column *column, const void *view)
{
	return get_flat_by(view) == FLAT_PROCESS;
}

static bool wants_object(const struct column *column, const void *view)
{
	return get_flat_by(view) == FLAT_FUNCTION || get_flat_by(view) == FLAT_LINE;
}

static bool wants_object_kind(const struct column *column, const void *view)
{
	return get_flat_by(view) == FLAT_OBJECT;
}

/* Cumulative counts of whole processes equal their self counts. */
static bool wants_cumulative(const struct column *column, const void *view)
{
	return get_flat_by(view) != FLAT_PROGRAM && get_flat_by(view) != FLAT_PROCESS;
}

/* If the time of one execution is known, text shows it instead of shares and sums. */
static bool wants_execution(const struct column *column, const void *view)
{
	return !isnan(((const struct flat_columns *)view)->each) &&
		(!column->tag || wants_cumulative(column, view));
}

static bool wants_sums(const struct column *column, const void *view)
{
	return isnan(((const struct flat_columns *)view)->each) &&
		(!column->tag || wants_cumulative(column, view));
}

#define SELF	.tag = 0
#define ALL	.tag = 1
#define SUMS	.is_wanted = wants_sums
#define EACH	.unit = COLUMN_EACH_NS, .cols = 7, .digits = EXECUTION_DIGITS, \
	.share = get_flat_execution, .value = share_column_value, .is_wanted = wants_execution

static const struct column columns[] = {
	{ .key = "name", .title = "Name",
	  .help = "function, object, program and so on, as -by says", .cols = 12,
	  .text = get_flat_name },
	{ .key = "kind", .title = "Row",
	  .help = "kind of row: row, others, no group, lost or unsampled", .text = get_flat_kind },
	{ .key = "program", .title = "Program", .help = "program, where rows are by program",
	  .text = get_flat_program, .is_wanted = wants_program },
	{ .key = "pid", .title = "PID", .help = "process id, with -by process",
	  .unit = COLUMN_COUNT, .is_left = true, .value = get_flat_pid, .text = get_flat_pid_text,
	  .is_wanted = wants_pid },
	{ .key = "object", .title = "Object",
	  .help = "program, library, module or kernel that contains it", .text = get_flat_object,
	  .is_wanted = wants_object },
	{ .key = "object_kind", .title = "Kind",
	  .help = "kind of object: kernel, module, file, vdso, jit, anon",
	  .text = get_flat_object_kind, .is_wanted = wants_object_kind },
	{ .key = "path", .title = "Path", .help = "file of the object", .text = get_flat_path },
	{ .key = "share", .title = "%", .help = "share of the samples in it",
	  .cols = 5, .digits = 1, SELF, .adds_up = true, SHARE_COLUMN(get_flat_share) },
	SHARE_ERROR_COLUMN("", "the share", get_flat_share, .cols = 5, SELF, SUMS),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", get_flat_share, .cols = 5, SELF),
	{ .key = "samples", .title = "Samples", .help = "samples in it",
	  .unit = COLUMN_COUNT, .cols = 7, SELF, .adds_up = true, .value = get_flat_hits },
	{ .key = "seconds", .title = "Self s", .help = "time that these samples represent",
	  .unit = COLUMN_SECONDS, .cols = 6, .digits = 3, SELF, SUMS, .adds_up = true,
	  .value = get_flat_seconds, .exists = has_flat_times },
	{ .key = "events", .title = "Events", .help = "events that these samples represent, with -event",
	  .unit = COLUMN_COUNT, .cols = 7, SELF, SUMS, .adds_up = true, .value = get_flat_events,
	  .exists = has_flat_events },
	{ .key = "cumulative", .title = "Cumul",
	  .help = "share of the samples in it or in the functions that it called",
	  .cols = 5, .digits = 1, ALL, SUMS, SHARE_COLUMN(get_flat_share) },
	SHARE_ERROR_COLUMN("cumulative_", "that share", get_flat_share, .cols = 5, ALL, SUMS),
	SHARE_INTERVAL_COLUMNS("cumulative_", "C.low", "C.high", "the", get_flat_share,
			       .cols = 5, ALL),
	{ .key = "cumulative_samples", .title = "C.smpls",
	  .help = "samples in it or in the functions that it called", .unit = COLUMN_COUNT,
	  .cols = 7, ALL,
	  .value = get_flat_hits },
	{ .key = "cumulative_seconds", .title = "Cumul s",
	  .help = "time that these samples represent", .unit = COLUMN_SECONDS, .cols = 6,
	  .digits = 3, ALL, .value = get_flat_seconds, .exists = has_flat_times },
	{ .key = "cumulative_events", .title = "C.events",
	  .help = "events in it or in the functions that it called, with -event", .unit = COLUMN_COUNT,
	  .cols = 7, ALL, .value = get_flat_events, .exists = has_flat_events },
	{ .key = "execution_ns", .title = "Self", .help = "time in it per execution, with -count",
	  EACH, SELF, .adds_up = true },
	{ .key = "execution_error_ns", .title = "+-", .end = COLUMN_ERROR, EACH, SELF,
	  .help = "margin of error of that time, at 95%" },
	{ .key = "execution_lo_ns", .title = "E.low", .end = COLUMN_LO, EACH, SELF,
	  .help = "lower end of its 95% interval" },
	{ .key = "execution_hi_ns", .title = "E.high", .end = COLUMN_HI, EACH, SELF,
	  .help = "upper end of its 95% interval" },
	{ .key = "cumulative_execution_ns", .title = "Cumul", EACH, ALL,
	  .help = "time in it and in the functions that it called, per execution" },
	{ .key = "cumulative_execution_error_ns", .title = "+-", .end = COLUMN_ERROR, EACH, ALL,
	  .help = "margin of error of that time, at 95%" },
	{ .key = "cumulative_execution_lo_ns", .title = "C.E.low", .end = COLUMN_LO, EACH, ALL,
	  .help = "lower end of its 95% interval" },
	{ .key = "cumulative_execution_hi_ns", .title = "C.E.high", .end = COLUMN_HI, EACH, ALL,
	  .help = "upper end of its 95% interval" },
};

const struct column_list flat_column_list = {
	.name = "a run of flat",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] =
			"share,error,samples,seconds,events,execution_ns,execution_error_ns,"
			"cumulative,cumulative_error,"
			"cumulative_execution_ns,cumulative_execution_error_ns,"
			"program,pid,object,object_kind,name",
		[FORMAT_TSV] = "-execution_error_ns,-cumulative_execution_error_ns",
		[FORMAT_JSON] = "-execution_error_ns,-cumulative_execution_error_ns",
	},
};
