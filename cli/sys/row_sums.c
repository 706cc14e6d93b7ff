// SPDX-License-Identifier: GPL-2.0-only
/* Sums of rows: see rows_parts.h. */
#include <string.h>

#include "sys/rows_parts.h"

void row_append_parts(struct rows *rows, struct row *row, u32 first, u32 last)
{
	if (first == ROW_NO_PART)
		return;
	if (row->first_part == ROW_NO_PART)
		row->first_part = first;
	else
		rows->part[row->last_part].next = first;
	row->last_part = last;
}

void row_add(struct rows *rows, struct row *row, const struct row *other)
{
	int mode, i;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		row->hits[mode] += other->hits[mode];
		row->share[mode] += other->share[mode];
	}
	for (i = 0; i < ROWS_OTHERS; i++) {
		row->other[i].hits += other->other[i].hits;
		row->other[i].share += other->other[i].share;
	}
	row->total += other->total;
	row->charged += other->charged;
	row->squares += other->squares;
	row->missed += other->missed;
	row->deferred += other->deferred;
	row_append_parts(rows, row, other->first_part, other->last_part);
}

struct stat_interval row_interval(const struct rows *rows, const struct row *row)
{
	return rows->weights.most > 0 ?
		stat_weighted_share(&rows->weights, row->total, row->squares) :
		stat_wilson_share(row->total, rows->taken, rows->excess);
}

u64 row_hits(const struct row *row)
{
	u64 hits = 0;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		hits += row->hits[mode];
	return hits;
}

void rows_cpu_shares(const struct rows *rows, const struct row *row, double *shares_ret)
{
	u32 at;

	memset(shares_ret, 0, rows->nr_cpus * sizeof(*shares_ret));
	for (at = row->first_part; at != ROW_NO_PART; at = rows->part[at].next)
		shares_ret[rows->part[at].cpu] += rows->part[at].share;
}
