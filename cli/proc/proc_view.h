/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report of `probe proc`: where the task's samples fell, the steps of a search,
 * and the histogram of Figures 4 and 5; as text, tab-separated values and JSON.
 */
#ifndef PROC_VIEW_H
#define PROC_VIEW_H

#include <stdio.h>

#include "base/columns.h"
#include "base/output.h"
#include "code/listing.h"
#include "proc/proc_report.h"
#include "run/receipt.h"
#include "symbolizer.h"

#define PROC_VIEW_DIGITS 0	/* decimals of the share in the headline */

/** How the report is to be shown. */
struct proc_view_options {
	struct output_options output;
	bool is_plain;		/* leave symbols out */
	bool shows_all;		/* every slot, also those too small to draw */
	bool is_asm;		/* instructions in the place of slots */
	const struct listing *listing;	/* these; NULL: none, or they cannot be had */
};

/** Slots of the histogram as rows: uint32_t of their numbers, the view is proc_view_parts.h's. */
extern const struct column_list proc_column_list;

extern const struct option_spec proc_view_specs[];	/* of a struct proc_view_options */

/**
 * proc_view_check() - whether -o names columns that there are: of slots, or with -asm of
 * instructions. -EINVAL and a reason.
 */
int proc_view_check(const struct proc_view_options *options, struct text_error *error_ret);

/**
 * proc_view_show() - write the report.
 * @receipt: of the run, to stand at its end; NULL: none
 * @symbols: of the object; NULL: none
 * @is_repeated: one of a stream of reports: each bears its time
 *
 * As text the histogram, or with -o a table of its slots. -ENOMEM, reported.
 */
int proc_view_show(FILE *out, const struct proc_report *report, const struct receipt *receipt,
		   const struct sym_index *symbols, const struct proc_view_options *options,
		   bool is_repeated);

/**
 * proc_view_notes() - write what the report says in sentences, one on a line: how active the
 * task was, where else it was, how long an execution took, what its slots are.
 */
void proc_view_notes(FILE *out, const struct proc_report *report,
		     const struct proc_view_options *options);

/** proc_view_step() - write one step of a search as a line of text; the titles before the first. */
void proc_view_step(FILE *out, const struct proc_report *report, uint32_t step,
		    int line_cols);

#endif
