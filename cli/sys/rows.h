/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the system table, from what was folded. Pure.
 *
 * A machine's share is the mean of its CPUs' shares weighted by the time each
 * was sampled. A sample stands for one period of its CPU, so within a CPU
 * counts are weighted by the period in force. With equal rates and nothing
 * missed this is simply the pooled count over all samples taken.
 */
#ifndef ROWS_H
#define ROWS_H

#include "base/stat.h"
#include "sys/fold.h"

#define ROW_KIND_OTHERS	0xffffffff	/* "(N others)": folded by rows_limit() */

/** One row; shares are fractions of the machine (0..1). */
struct row {
	uint64_t id[2];
	uint32_t kind;			/* enum cpuprobe_kind, FOLD_KIND_LOST or ROW_KIND_OTHERS */
	uint32_t pid;			/* of a process or thread; 0: none */
	char name[FOLD_NAME_LEN];	/* clean, and different from that of any other executable */
	uint64_t hits[CPUPROBE_MODES];
	uint64_t missed;
	uint64_t deferred;
	double share[CPUPROBE_MODES];
	double total;			/* sum of share[] */
	double charged;	/* total, with the missed periods charged to where they ended */
	uint32_t first_part, last_part;	/* what it has of CPUs: a chain in rows.part */
	struct stat_interval interval;	/* 95%, of total */
	double block_sum, block_sum2;	/* of its shares in blocks; see fold.h */
};

/** What a row has of one CPU. */
struct row_part {
	double share;			/* of that CPU by itself */
	uint32_t cpu;
	uint32_t next;			/* the row's next part; ROW_NO_PART: none */
};

#define ROW_NO_PART	UINT32_MAX

struct rows {
	struct row *row;
	size_t nr;
	size_t nr_cpus;
	uint64_t taken;			/* n of the intervals */
	uint64_t nr_blocks;
	struct row_part *part;		/* one for each cell of the fold */
};

enum rows_sort { ROWS_SORT_TOTAL, ROWS_SORT_NAME, ROWS_SORT_USER, ROWS_SORT_KERNEL };

/** rows_init() - a row for each process that was hit. -ENOMEM. */
int rows_init(struct rows *rows, const struct fold *fold);

/** rows_deinit() - free them. */
void rows_deinit(struct rows *rows);

/**
 * rows_limit() - sort the rows and fold all but @nr_keep of them into "(N others)".
 * @nr_keep: 0: keep all. The largest are kept: by @sort, or by total when sorted by name
 *
 * Pseudo-rows (in parentheses) are kept and come last.
 */
void rows_limit(struct rows *rows, enum rows_sort sort, size_t nr_keep);

/** rows_cpu_shares() - a row's share of each CPU by itself: rows->nr_cpus of them. */
void rows_cpu_shares(const struct rows *rows, const struct row *row, double *shares_ret);

/** row_hits() - samples in all modes. */
uint64_t row_hits(const struct row *row);

#endif
