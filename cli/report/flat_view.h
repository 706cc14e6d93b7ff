/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of `probe flat`: a table as text, TSV or JSON, or a listing with bars. */
#ifndef FLAT_VIEW_H
#define FLAT_VIEW_H

#include "base/columns.h"
#include "base/output.h"
#include "report/unsampled.h"
#include "run/receipt.h"

extern const struct column_list flat_column_list;

/** Options of the flat report. */
struct flat_view {
	struct flat_options flat;
	unsigned int sort;			/* enum flat_sort */
	double least;				/* rows with a smaller share (0..1) are folded */
	u64 nr_rows;				/* rows after this many are folded; 0: no limit */
	enum output_format format;
	const char *columns;			/* value of -o, or NULL */
	int cols;				/* width of a line of text */
	u64 executions;				/* during the run; 0: unknown */
	const struct receipt *receipt;		/* or NULL */
	const struct event *event;		/* of a run without a receipt, as its last seconds are; or NULL */
	const struct unsampled *unsampled;	/* or NULL */
};

/** flat_view_event() - the event that was sampled. NULL: unknown, or time. */
static inline const struct event *flat_view_event(const struct flat_view *view)
{
	const struct event *event = view->receipt ? &view->receipt->event.event : view->event;

	return event && event_is_sampled(event) ? event : NULL;
}

/**
 * flat_view_show() - print the table, the unsampled functions and the receipt. On failure, nothing
 * is printed. -errno and a reason as from flat_create().
 */
int flat_view_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret);

/**
 * flat_bars_show() - print text with bars, like the listing of the MINIX 3 profiler: samples of
 * system, user and idle; rows of all programs together; a section for each program with a share of
 * at least .least, in which the program's own time is 100%. Not for .by programs or processes.
 * Errors as flat_view_show(), but part of the report may be printed then.
 */
int flat_bars_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret);

/** flat_view_head() - print the head of both: what the rows are, and what is 100%. */
void flat_view_head(FILE *out, const struct flat *flat, const struct flat_view *view);

/** flat_view_end() - print the end of both as text: the unsampled functions and the receipt. */
void flat_view_end(FILE *out, const struct flat *flat, const struct flat_view *view);

#endif
