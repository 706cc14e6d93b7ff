/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of the system table: rows are struct row, the view of columns_choose() is this. */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include "base/columns.h"
#include "sys/rows.h"

/** What the columns need beside a row. */
struct table_columns {
	const struct rows *rows;
	const struct fold *fold;
	enum output_ci ci;
	double scale;		/* 100 with -of machine, 100 x CPUs with -of cpu */
	char time[32];		/* of a repeated table; else "" */
	struct cpu_shares *cpus;	/* of the row last asked for */
	bool has_guest, has_pid, has_charged;	/* what not every table has */
};

extern const struct column_list table_column_list;

/**
 * table_columns_init() - look at the rows, which may change afterwards if that is done again.
 * @rows, @fold: must live as long
 * @nr_cpus: of the run
 * -ENOMEM. May be followed by table_columns_deinit() in any case.
 */
int table_columns_init(struct table_columns *view, const struct rows *rows,
		       const struct fold *fold, const struct output_options *output,
		       size_t nr_cpus);
void table_columns_deinit(struct table_columns *view);

#endif
