// SPDX-License-Identifier: GPL-2.0-only
/* The columns of a flat profile: see flat_columns.h. */
#include <math.h>

#include "profile/flat_columns.h"

static double farther(double share, struct stat_interval interval)
{
	return fmax(interval.hi - share, share - interval.lo) * 100;
}

static double error(const struct flat_row *row)
{
	return farther(row->share, row->interval);
}

static double all_error(const struct flat_row *row)
{
	return farther(row->all_share, row->all_interval);
}

static double lo(const struct flat_row *row)
{
	return row->interval.lo * 100;
}

static double hi(const struct flat_row *row)
{
	return row->interval.hi * 100;
}

static double all_lo(const struct flat_row *row)
{
	return row->all_interval.lo * 100;
}

static double all_hi(const struct flat_row *row)
{
	return row->all_interval.hi * 100;
}

static double hits(const struct flat_row *row)
{
	return row->hits;
}

static double all_hits(const struct flat_row *row)
{
	return row->all_hits;
}

static double seconds(const struct flat_row *row)
{
	return row->ns / 1e9;
}

static double all_seconds(const struct flat_row *row)
{
	return row->all_ns / 1e9;
}

const struct flat_column flat_columns[FLAT_COLUMNS] = {
	{ "share", "%", 5, 1, NULL, FLAT_PERCENT, false },
	{ "error", "+-", 5, 2, error, FLAT_PERCENT, false },
	{ "lo", NULL, 0, 0, lo, FLAT_PERCENT, false },
	{ "hi", NULL, 0, 0, hi, FLAT_PERCENT, false },
	{ "samples", "Samples", 7, 0, hits, FLAT_COUNT, false },
	{ "seconds", "Self s", 6, 3, seconds, FLAT_SECONDS, false },
	{ "cumulative", "Cumul", 5, 1, NULL, FLAT_PERCENT, true },
	{ "cumulative_error", "+-", 5, 2, all_error, FLAT_PERCENT, true },
	{ "cumulative_lo", NULL, 0, 0, all_lo, FLAT_PERCENT, true },
	{ "cumulative_hi", NULL, 0, 0, all_hi, FLAT_PERCENT, true },
	{ "cumulative_samples", NULL, 0, 0, all_hits, FLAT_COUNT, true },
	{ "cumulative_seconds", NULL, 0, 0, all_seconds, FLAT_SECONDS, true },
};

double flat_column_value(const struct flat_column *column, const struct flat_row *row,
			 uint64_t whole)
{
	if (column->value)
		return column->value(row);
	return (column->is_cumulative ? row->all_units : row->units) * 100.0 / whole;
}
