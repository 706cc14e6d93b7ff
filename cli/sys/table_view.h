/* SPDX-License-Identifier: GPL-2.0-only */
/* System table as text, tab-separated values and JSON, from one list of columns. */
#ifndef TABLE_VIEW_H
#define TABLE_VIEW_H

#include <stdio.h>

#include "base/output.h"
#include "run/receipt.h"
#include "run/run_result.h"
#include "sys/fold.h"
#include "sys/rows.h"

#define TABLE_DIGITS	1	/* decimals of a share in text */

/** Options of the table. */
struct table_options {
	struct output_options output;
	unsigned int sort;	/* enum rows_sort */
	u64 nr_rows;		/* 0: all */
	bool has_cpus;		/* a column per CPU */
};

/** Other events of a run, sampled beside the first one. Each has a fold and a receipt of its own. */
struct table_events {
	const struct fold *fold[ROWS_OTHERS];
	const struct run_result *result[ROWS_OTHERS];
	const struct receipt *receipt[ROWS_OTHERS];	/* printed after that of the first one */
	/* Events in the time of the table: of the first one, then of the others. Turns of counters are made up for. */
	double counted[1 + ROWS_OTHERS];
	unsigned int nr;
};

extern const struct option_spec table_specs[];	/* options of a struct table_options */

/** table_option_of_cpus() - the option that asks for the share of each CPU; NULL: none does. */
const char *table_option_of_cpus(const struct table_options *options);

/**
 * table_show() - write the table of a fold.
 * @fold: contains the processes of the @others (fold_include())
 * @receipt: receipt of the run, printed after the table; NULL: none
 * @others: the other events of the run: the table has their rates, and each has a receipt. NULL, or none in it:
 *	there are no others
 * @is_repeated: the table is part of a stream: it has its time, and TSV has titles only once
 * -ENODATA: no sample was taken. -ENOMEM. Both are printed.
 */
int table_show(FILE *out, const struct fold *fold, const struct run_result *result,
	       const struct receipt *receipt, const struct table_options *options,
	       const struct table_events *others, bool is_repeated);

#endif
