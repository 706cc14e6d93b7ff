/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report of `probe proc`: the task's samples by object, the steps of a search, and the
 * histogram of the paper's Figures 4 and 5; as text, tab-separated values and JSON.
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

/** Options of the report. */
struct proc_view_options {
	struct output_options output;
	bool is_plain;		/* omit symbols */
	bool shows_all;		/* include slots too small to draw */
	bool is_asm;		/* show instructions instead of slots */
	const struct listing *listing;	/* the instructions; NULL: not asked for, or failed */
};

/** Columns of slots: a row is a u32 slot number, the view is in proc_view_parts.h. */
extern const struct column_list proc_column_list;

extern const struct option_spec proc_view_specs[];	/* for a struct proc_view_options */

/**
 * proc_view_check() - check that -o names known columns: of slots, or with -asm of instructions.
 * -EINVAL and a reason.
 */
int proc_view_check(const struct proc_view_options *options, struct text_error *error_ret);

/**
 * proc_view_show() - write the report. The text has the histogram, or with -o a table of slots.
 * @receipt: the run's, written at the end; NULL: none
 * @symbols: the object's; NULL: none
 * @is_repeated: one of a stream of reports, each with its time
 * -ENOMEM, reported.
 */
int proc_view_show(FILE *out, const struct proc_report *report, const struct receipt *receipt,
		   const struct sym_index *symbols, const struct proc_view_options *options,
		   bool is_repeated);

/**
 * proc_view_notes() - write the sentences of the report, one on a line: share of the task, samples
 * elsewhere, time of an execution, size of the slots.
 */
void proc_view_notes(FILE *out, const struct proc_report *report,
		     const struct proc_view_options *options);

/** proc_view_step() - write one step of a search as text, with titles before the first. */
void proc_view_step(FILE *out, const struct proc_report *report, u32 step, int line_cols);

#endif
