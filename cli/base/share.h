/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shares in columns: a share, its margin of error and the ends of its interval, from one callback.
 *
 *	{ .key = "share", .title = "Share", .cols = 5, .digits = 1, SHARE_COLUMN(of_row) },
 *	SHARE_ERROR_COLUMN("", "the share", of_row, .cols = 5),
 *	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", of_row, .cols = 6),
 */
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/columns.h"
#include "base/output.h"
#include "base/stat.h"

#define SHARE_FEW_HITS	5	/* with fewer hits, a share is shown as its upper bound */

/** A share with its 95% interval, in percent (or in what its scale says). */
struct share {
	double value;
	double error;		/* distance of the farther end */
	double lo, hi;
	bool is_bound;		/* too few samples: text shows only the upper bound */
};

/** share_of() - @fraction and its @interval, both times @scale; not a bound. */
struct share share_of(double fraction, struct stat_interval interval, double scale);

/**
 * share_of_hits() - share of @hits in @n samples of this @excess (stat.h), with Wilson's interval
 * or the paper's.
 * n = 0: the share is NAN.
 */
struct share share_of_hits(u64 hits, u64 n, double excess, enum output_ci ci, double scale);

/** Callbacks of columns: the number of .share that .end names, and its text. */
double share_column_value(const struct column_cell *cell);
const char *share_column_text(const struct column_cell *cell, char *text, size_t len);

#define SHARE_NUMBER(of_row) \
	.unit = COLUMN_PERCENT, .share = of_row, .value = share_column_value
#define SHARE_COLUMN(of_row)	SHARE_NUMBER(of_row), .text = share_column_text

#define SHARE_ERROR_COLUMN(prefix, of, of_row, ...) \
	{ .key = prefix "error", .title = "+-", .help = "margin of error of " of ", at 95%", \
	  .digits = 2, .end = COLUMN_ERROR, SHARE_COLUMN(of_row), __VA_ARGS__ }

#define SHARE_INTERVAL_COLUMNS(prefix, low, high, of, of_row, ...) \
	{ .key = prefix "lo", .title = low, .pair_title = "95% interval", \
	  .help = "lower end of " of " 95% interval", .digits = 2, .end = COLUMN_LO, \
	  SHARE_NUMBER(of_row), __VA_ARGS__ }, \
	{ .key = prefix "hi", .title = high, .help = "upper end of " of " 95% interval", \
	  .digits = 2, .end = COLUMN_HI, SHARE_NUMBER(of_row), __VA_ARGS__ }

#endif
