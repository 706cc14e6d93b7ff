/* SPDX-License-Identifier: GPL-2.0-only */
/* The system table as text, tab-separated values and JSON, from one list of columns. */
#ifndef TABLE_VIEW_H
#define TABLE_VIEW_H

#include <stdio.h>

#include "fold.h"
#include "run.h"

/** What the table shows besides its rows. */
struct table_view {
	const struct fold_row *rows;
	size_t nr_rows;
	uint64_t taken;			/* n of the intervals */
	size_t nr_cpus;			/* sampled */
	double scale;			/* 100 with -of machine, 100 x CPUs with -of cpu */
	enum sampling_ci ci;
	const struct run *run;
};

/** table_render() - write the table. @out's errors are the caller's to check. */
void table_render(FILE *out, const struct table_view *view, enum sampling_format format);

#endif
