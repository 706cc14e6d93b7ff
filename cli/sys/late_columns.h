/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of lateness: rows are struct late_place, the view is their struct late_report. */
#ifndef LATE_COLUMNS_H
#define LATE_COLUMNS_H

#include "base/columns.h"
#include "sys/late_report.h"

extern const struct column_list late_column_list;

#endif
