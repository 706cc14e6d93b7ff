/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of proc_view share: text in proc_view.c, machine formats in proc_view_data.c,
 * columns in proc_columns.c.
 */
#ifndef PROC_VIEW_PARTS_H
#define PROC_VIEW_PARTS_H

#include "base/columns.h"
#include "base/stat.h"
#include "code/hist.h"
#include "code/listing_view.h"
#include "proc/proc_view.h"

/** A report and how it is to be shown. */
struct view {
	const struct proc_report *report;
	const struct proc_view_options *options;
	struct hist hist;
	struct listing_view instructions;	/* where options have a listing */
	double scale;		/* 100, or 100 x CPUs with -of cpu */
	uint64_t hits;		/* in the range */
	const char *time;	/* of a repeated report; or NULL */
	const struct receipt *receipt;	/* of the run; or NULL */
	struct columns columns;		/* of slots, as -o has it */
	struct columns objects;		/* of objects */
};

/** Where the samples of the task fell: rows are struct proc_object, the view is struct view. */
extern const struct column_list proc_object_list;

/** proc_view_shows() - whether a slot has a row of columns. */
static inline bool proc_view_shows(const struct view *view, uint32_t slot)
{
	return view->options->shows_all || view->hist.hits[slot];
}

/** The machine formats. */
void proc_view_tsv(FILE *out, const struct view *view);
void proc_view_json(FILE *out, const struct view *view);

#endif
