/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of `probe flat`: a table as text, TSV or JSON, or a listing with bars. */
#ifndef FLAT_VIEW_H
#define FLAT_VIEW_H

#include "base/columns.h"
#include "base/output.h"
#include "report/unsampled.h"
#include "run/receipt.h"

extern const struct column_list flat_column_list;

/** What to show, and how. */
struct flat_view {
	struct flat_options flat;
	unsigned int sort;			/* enum flat_sort */
	double least;				/* shares below it are folded, 0..1 */
	uint64_t nr_rows;			/* and all but so many; 0: no limit */
	enum output_format format;
	const char *columns;			/* of -o, or NULL */
	int cols;				/* of a line of text */
	const struct receipt *receipt;		/* or NULL */
	const struct unsampled *unsampled;	/* or NULL */
};

/**
 * flat_view_show() - print the table, what was not sampled, and the receipt.
 * -errno and a reason as flat_create() has it; nothing has been printed then.
 */
int flat_view_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret);

/**
 * flat_bars_show() - as text with bars, after the listing of the MINIX 3 profiler: counts of
 * system, user and idle; what all programs' time went into; a section for each program that has
 * at least .least, its own time being the 100%. For .by that is no program or process.
 * As flat_view_show(), but that some may have been printed.
 */
int flat_bars_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret);

/** flat_view_head() - what heads the rows of both: by what they are, what is 100%. */
void flat_view_head(FILE *out, const struct flat *flat, const struct flat_view *view);

/** flat_view_end() - what stands at the end of both as text: what was not sampled, the receipt. */
void flat_view_end(FILE *out, const struct flat *flat, const struct flat_view *view);

#endif
