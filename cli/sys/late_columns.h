/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of lateness, and of the time that the handler takes. */
#ifndef LATE_COLUMNS_H
#define LATE_COLUMNS_H

#include "base/columns.h"
#include "sys/late_report.h"

/** Rows are struct late_place, the view is their struct late_report. */
extern const struct column_list late_column_list;

/** Rows are struct late_place, the view is their struct late_report: of samples by NMI. */
extern const struct column_list nmi_column_list;

/** Rows are struct late_cpu. */
extern const struct column_list handler_column_list;

#endif
