/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows a run of `probe sys` or `probe proc` that was saved, or that the holder of a background run
 * has sent.
 */
#ifndef SAVED_REPORT_H
#define SAVED_REPORT_H

#include "export/export_options.h"
#include "proc/proc_view.h"
#include "run/record.h"
#include "sys/table_view.h"

/** The options of both reports; the run decides which of them apply. */
struct saved_report_options {
	struct table_options table;
	struct proc_view_options proc;
	struct export_options exports;
	struct output_options output;	/* options of every report */
};

/** saved_report_check() - -EINVAL with a reason: the run's report does not have these columns. */
int saved_report_check(const struct saved_report_options *options, const struct record *record,
		       struct text_error *error_ret);

/**
 * saved_report_show() - print the report, and write its page if there is one.
 * @symbols: file of symbols for a run of `probe proc`; NULL: its own
 * -EBADMSG or another -errno; the reason is "" if it was reported.
 */
int saved_report_show(const struct record *record, struct saved_report_options *options,
		      const char *symbols, struct export *page, struct text_error *error_ret);

#endif
