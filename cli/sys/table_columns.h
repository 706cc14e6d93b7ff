/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of the system table: rows are struct row, the view is struct table_columns. */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include "base/columns.h"
#include "base/share.h"
#include "sys/rates.h"
#include "sys/rows.h"

/** Context of the columns: everything that they need in addition to a row. */
struct table_columns {
	const struct rows *rows;
	const struct fold *fold;
	enum output_ci ci;
	double scale;		/* 100 with -of machine, 100 x CPUs with -of cpu */
	const struct rates *rates;	/* of several events; NULL: there are none */
	char time[32];		/* start time of a repeated table; else "" */
	struct cpu_shares *cpus;	/* cache: shares of the row computed last */
	bool has_guest, has_pid, has_charged;	/* optional columns with contents */
	unsigned int lumped;	/* modes that are not told apart from the kernel, as bits */
	bool lacks_missed;	/* whose periods passed without a sample is unknown */
	bool lacks_deferred;	/* which samples were late is unknown */
};

extern const struct column_list table_column_list;

/** table_share() - a @total (0..1) of all samples of @rows, with the table's interval, times @scale. */
struct share table_share(double total, const struct rows *rows, enum output_ci ci, double scale);

/**
 * table_columns_init() - prepare the context for @rows. If the rows change, prepare it again.
 * @rows, @fold: must live as long as the context
 * @nr_cpus: number of the run's CPUs
 * -ENOMEM. table_columns_deinit() is allowed even after an error.
 */
int table_columns_init(struct table_columns *view, const struct rows *rows,
		       const struct fold *fold, const struct output_options *output,
		       size_t nr_cpus);
void table_columns_deinit(struct table_columns *view);

/** table_columns_title() - write the names of events into the titles of rates. Before columns_fit(). */
void table_columns_title(struct columns *columns);

#endif
