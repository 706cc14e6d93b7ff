/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for tests of folds and of rows: records to fold, and the rows that result. */
#ifndef FOLDS_H
#define FOLDS_H

#include "unit.h"
#include "sys/fold.h"
#include "sys/rows.h"

static inline void record_init(struct cpuprobe_record *record, u64 id, const char *name,
			       u64 kernel, u64 softirq, u64 user)
{
	memset(record, 0, sizeof(*record));
	record->id[0] = id;
	record->kind = CPUPROBE_KIND_EXE;
	record->hits[CPUPROBE_MODE_KERNEL] = kernel;
	record->hits[CPUPROBE_MODE_SOFTIRQ] = softirq;
	record->hits[CPUPROBE_MODE_USER] = user;
	snprintf(record->name, sizeof(record->name), "%s", name);
}

static inline struct row *find_row(const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (!strcmp(rows->row[i].name, name))
			return &rows->row[i];
	fail_msg("no row %s", name);
	return NULL;
}

static inline double sum_of_totals(const struct rows *rows)
{
	double sum = 0;

	for (size_t i = 0; i < rows->nr; i++)
		sum += rows->row[i].total;
	return sum;
}

#endif
