/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by columns_fit.c, columns_print.c and the live view: see columns.h. */
#ifndef COLUMNS_PARTS_H
#define COLUMNS_PARTS_H

#include "base/columns.h"

/** column_gap_cols() - blanks before a column of text. */
int column_gap_cols(const struct columns *columns, size_t c);

/** column_plain_text() - a cell for display, made plain, in @text. */
const char *column_plain_text(const struct columns *columns, size_t c, const void *row,
			      char text[COLUMN_TEXT_LEN]);

/** column_tail() - the tail of a cell of text, in @text or elsewhere. "": none. */
const char *column_tail(const struct columns *columns, size_t c, const void *row,
			char text[COLUMN_TEXT_LEN]);

/** column_sum_text() - the sum of a column; "": none. */
const char *column_sum_text(const struct shown_column *shown, char *text, size_t len);

#endif
