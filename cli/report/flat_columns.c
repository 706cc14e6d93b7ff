// SPDX-License-Identifier: GPL-2.0-only
/* The columns of a flat profile: see flat_columns.h. */
#include <math.h>
#include <string.h>

#include "report/flat_columns.h"

static const struct flat_row *row_of(const struct column_cell *cell)
{
	return ((const struct flat_line *)cell->row)->row;
}

static const struct unsampled_row *unsampled_of(const struct column_cell *cell)
{
	return ((const struct flat_line *)cell->row)->unsampled;
}

static const struct flat_columns *view_of(const struct column_cell *cell)
{
	return cell->view;
}

static const char *name(const struct column_cell *cell, char *text, size_t len)
{
	int cols = view_of(cell)->name_cols;

	if (unsampled_of(cell))
		return unsampled_of(cell)->name;
	flat_name(view_of(cell)->flat, row_of(cell), text, len);
	/* The end of a path with a line matters most. */
	return cols && row_of(cell)->key.file ? text_end(text, cols) : text;
}

static const char *kind(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const kinds[] = {
		[FLAT_ROW] = "row", [FLAT_REST] = "others", [FLAT_NO_GROUP] = "no group",
		[FLAT_LOST] = "lost", [FLAT_OTHER] = "other processes",
	};

	return unsampled_of(cell) ? "unsampled" : kinds[row_of(cell)->kind];
}

static const char *program(const struct column_cell *cell, char *text, size_t len)
{
	return unsampled_of(cell) ? "" : flat_program(view_of(cell)->flat, row_of(cell));
}

static double pid(const struct column_cell *cell)
{
	return unsampled_of(cell) ? 0 : flat_pid(view_of(cell)->flat, row_of(cell));
}

static const char *pid_text(const struct column_cell *cell, char *text, size_t len)
{
	return pid(cell) > 0 ? NULL : "";
}

static const char *object(const struct column_cell *cell, char *text, size_t len)
{
	return flat_object(view_of(cell)->flat, row_of(cell));
}

static const char *object_kind(const struct column_cell *cell, char *text, size_t len)
{
	return flat_kind_name(view_of(cell)->flat, row_of(cell));
}

static const char *path(const struct column_cell *cell, char *text, size_t len)
{
	uint32_t at = row_of(cell)->key.object;

	return at == PROFILE_NONE ? "" : view_of(cell)->flat->profile->objects[at].path;
}

/* The tag says whether a column is cumulative. */
static double share(const struct column_cell *cell)
{
	const struct flat_row *row = row_of(cell);

	return (cell->column->tag ? row->all_units : row->units) * 100.0 / view_of(cell)->whole;
}

static struct stat_interval interval(const struct column_cell *cell)
{
	return cell->column->tag ? row_of(cell)->all_interval : row_of(cell)->interval;
}

static double error(const struct column_cell *cell)
{
	double exact = cell->column->tag ? row_of(cell)->all_share : row_of(cell)->share;

	return fmax(interval(cell).hi - exact, exact - interval(cell).lo) * 100;
}

static double lo(const struct column_cell *cell)
{
	return interval(cell).lo * 100;
}

static double hi(const struct column_cell *cell)
{
	return interval(cell).hi * 100;
}

static double hits(const struct column_cell *cell)
{
	return cell->column->tag ? row_of(cell)->all_hits : row_of(cell)->hits;
}

static double seconds(const struct column_cell *cell)
{
	return (cell->column->tag ? row_of(cell)->all_ns : row_of(cell)->ns) / 1e9;
}

static enum flat_by by_of(const void *view)
{
	return ((const struct flat_columns *)view)->flat->options.by;
}

static bool wants_program(const struct column *column, const void *view)
{
	return by_of(view) == FLAT_PROGRAM_OBJECT;
}

static bool wants_pid(const struct column *column, const void *view)
{
	return by_of(view) == FLAT_PROCESS;
}

static bool wants_object(const struct column *column, const void *view)
{
	return by_of(view) == FLAT_FUNCTION || by_of(view) == FLAT_LINE;
}

static bool wants_object_kind(const struct column *column, const void *view)
{
	return by_of(view) == FLAT_OBJECT;
}

/* Cumulative counts of whole processes equal their self counts. */
static bool wants_cumulative(const struct column *column, const void *view)
{
	return by_of(view) != FLAT_PROGRAM && by_of(view) != FLAT_PROCESS;
}

#define SELF	.tag = 0
#define ALL	.tag = 1, .is_wanted = wants_cumulative
#define PERCENT	.unit = COLUMN_PERCENT, .cols = 5

static const struct column columns[] = {
	{ .key = "name", .title = "Name",
	  .help = "function, object, program and so on, as -by says", .cols = 12, .text = name },
	{ .key = "kind", .title = "Row",
	  .help = "kind of row: row, others, no group, lost or unsampled", .text = kind },
	{ .key = "program", .title = "Program", .help = "program, where rows are by program",
	  .text = program, .is_wanted = wants_program },
	{ .key = "pid", .title = "PID", .help = "process id, with -by process",
	  .unit = COLUMN_COUNT, .is_left = true, .value = pid, .text = pid_text,
	  .is_wanted = wants_pid },
	{ .key = "object", .title = "Object",
	  .help = "program, library, module or kernel that contains it", .text = object,
	  .is_wanted = wants_object },
	{ .key = "object_kind", .title = "Kind",
	  .help = "kind of object: kernel, module, file, vdso, jit, anon",
	  .text = object_kind, .is_wanted = wants_object_kind },
	{ .key = "path", .title = "Path", .help = "file of the object", .text = path },
	{ .key = "share", .title = "%", .help = "share of the samples in it", PERCENT,
	  .digits = 1, SELF, .adds_up = true, .value = share },
	{ .key = "error", .title = "+-", .help = "margin of error of the share, at 95%",
	  PERCENT, .digits = 2, SELF, .value = error },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", PERCENT, .digits = 2, SELF,
	  .value = lo },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval", PERCENT,
	  .digits = 2,
	  SELF, .value = hi },
	{ .key = "samples", .title = "Samples", .help = "samples in it",
	  .unit = COLUMN_COUNT, .cols = 7, SELF, .adds_up = true, .value = hits },
	{ .key = "seconds", .title = "Self s", .help = "time that these samples represent",
	  .unit = COLUMN_SECONDS, .cols = 6, .digits = 3, SELF, .adds_up = true, .value = seconds },
	{ .key = "cumulative", .title = "Cumul",
	  .help = "share of the samples in it or in the functions that it called", PERCENT,
	  .digits = 1, ALL,
	  .value = share },
	{ .key = "cumulative_error", .title = "+-",
	  .help = "margin of error of that share, at 95%",
	  PERCENT, .digits = 2, ALL, .value = error },
	{ .key = "cumulative_lo", .title = "C.low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", PERCENT,
	  .digits = 2, ALL, .value = lo },
	{ .key = "cumulative_hi", .title = "C.high", .help = "upper end of the 95% interval",
	  PERCENT,
	  .digits = 2, ALL, .value = hi },
	{ .key = "cumulative_samples", .title = "C.smpls",
	  .help = "samples in it or in the functions that it called", .unit = COLUMN_COUNT,
	  .cols = 7, ALL,
	  .value = hits },
	{ .key = "cumulative_seconds", .title = "Cumul s",
	  .help = "time that these samples represent", .unit = COLUMN_SECONDS, .cols = 6,
	  .digits = 3, ALL, .value = seconds },
};

const struct column_list flat_column_list = {
	.name = "a run of flat",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] =
			"share,error,samples,seconds,cumulative,cumulative_error,"
			"program,pid,object,object_kind,name",
	},
};
