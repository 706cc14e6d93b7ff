/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of `probe late`, as text, tab-separated values and JSON. */
#ifndef LATE_VIEW_H
#define LATE_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "run/receipt.h"
#include "sys/late_report.h"

/** late_view_show() - write the report, whose places are named. -ENOMEM, which is printed. */
int late_view_show(FILE *out, const struct late_report *report, const struct receipt *receipt,
		   const struct output_options *options);

/** late_view_show_nmi() - write a report by NMI that has been compared with what lateness tells. */
int late_view_show_nmi(FILE *out, const struct late_report *report, const struct receipt *receipt,
		       const struct output_options *options);

/** late_view_show_handlers() - write the handler's times by CPU, in place of the lateness. */
int late_view_show_handlers(FILE *out, const struct late_report *report,
			    const struct receipt *receipt, const struct output_options *options);

#endif
