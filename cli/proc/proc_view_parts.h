/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of proc_view: proc_view.c writes text, proc_view_data.c machine formats,
 * proc_columns.c has the columns.
 */
#ifndef PROC_VIEW_PARTS_H
#define PROC_VIEW_PARTS_H

#include "base/columns.h"
#include "code/hist.h"
#include "code/listing_view.h"
#include "proc/proc_view.h"

/** A report with its options and columns. */
struct view {
	const struct proc_report *report;
	const struct proc_view_options *options;
	struct hist hist;
	struct listing_view instructions;	/* valid if options->listing */
	double scale;		/* 100, or 100 x CPUs with -of cpu */
	u64 hits;		/* in the range */
	const char *time;	/* time of a repeated report; else NULL */
	const struct receipt *receipt;	/* receipt of the run; NULL: none */
	struct columns columns;		/* columns of slots, as chosen by -o */
	struct columns objects;		/* columns of objects */
};

/** Columns of objects: a row is a struct proc_object, the view a struct view. */
extern const struct column_list proc_object_list;

/** proc_view_shows() - whether a slot is shown as a row of columns. */
static inline bool proc_view_shows(const struct view *view, u32 slot)
{
	return view->options->shows_all || view->hist.hits[slot];
}

/** proc_view_tsv(), proc_view_json() - write the report in a machine format. */
void proc_view_tsv(FILE *out, const struct view *view);
void proc_view_json(FILE *out, const struct view *view);

#endif
