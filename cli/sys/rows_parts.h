/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of rows.c: sums of rows, their names, and rows of processes that ended. */
#ifndef ROWS_PARTS_H
#define ROWS_PARTS_H

#include "sys/rows.h"

/** row_append_parts() - append a chain of rows->part to the parts of a row. @first: may be ROW_NO_PART */
void row_append_parts(struct rows *rows, struct row *row, u32 first, u32 last);

/** row_add() - add the samples of another row of @rows, whose parts become the row's. */
void row_add(struct rows *rows, struct row *row, const struct row *other);

/** row_interval() - the 95% interval of the row's total. */
struct stat_interval row_interval(const struct rows *rows, const struct row *row);

/**
 * rows_merge_ended() - add the rows of processes that ended to the rows of their programs, and leave them
 * without samples. -ENOMEM.
 */
int rows_merge_ended(struct rows *rows);

/** rows_name() - make the names of executables unique. @rows: one for each process of @fold. -ENOMEM. */
int rows_name(struct rows *rows, const struct fold *fold);

#endif
