// SPDX-License-Identifier: GPL-2.0-only
/* Shares in columns: see share.h. */
#include <math.h>

#include "base/share.h"

struct share share_of(double fraction, struct stat_interval interval, double scale)
{
	return (struct share){
		.value = fraction * scale, .error = stat_margin(interval, fraction) * scale,
		.lo = interval.lo * scale, .hi = interval.hi * scale,
	};
}

struct share share_of_hits(u64 hits, u64 n, double excess, enum output_ci ci, double scale)
{
	double fraction = n ? (double)hits / n : NAN, half = stat_paper_halfwidth(hits, n, excess);
	struct share share = share_of(fraction, ci == CI_WILSON ? stat_wilson(hits, n, excess) :
		(struct stat_interval){ fraction - half, fraction + half }, scale);

	share.is_bound = hits < SHARE_FEW_HITS && ci == CI_WILSON;
	return share;
}

double share_column_value(const struct column_cell *cell)
{
	struct share share = cell->column->share(cell);

	switch (cell->column->end) {
	case COLUMN_ERROR:
		return share.error;
	case COLUMN_LO:
		return share.lo;
	case COLUMN_HI:
		return share.hi;
	default:
		return share.value;
	}
}

const char *share_column_text(const struct column_cell *cell, char *text, size_t len)
{
	struct share share = cell->column->share(cell);

	if (!share.is_bound || cell->column->end > COLUMN_ERROR)
		return NULL;
	if (cell->column->end == COLUMN_ERROR)
		return "";
	snprintf(text, len, "<%.1f", ceil(share.hi * 10) / 10);
	return text;
}
