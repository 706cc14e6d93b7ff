/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of timed calls: nodes with calls, in the order of a report. With paths or processes the order
 * is that of a tree: each node is followed by what it called. Pure.
 */
#ifndef TIME_ROWS_H
#define TIME_ROWS_H

#include "calls/call_rows.h"
#include "times/time_counts.h"

struct time_row {
	const struct time_node *node;
	u32 depth;	/* callers above it; a process is none */
};

struct time_rows {
	const struct time_counts *counts;
	struct time_row *row;
	u32 nr;
};

/** time_rows_init() - make the rows; siblings are sorted, equal ones by name. -ENOMEM. */
int time_rows_init(struct time_rows *rows, const struct time_counts *counts, enum call_sort by);

/** time_row_process() - the process in which a row's calls were made; NULL: not told apart. */
const struct time_node *time_row_process(const struct time_rows *rows, const struct time_row *row);

/** time_row_path() - the names of a row and its callers, "a;b"; returns @text. */
const char *time_row_path(const struct time_rows *rows, const struct time_row *row, char *text,
			  size_t len);

void time_rows_deinit(struct time_rows *rows);

#endif
