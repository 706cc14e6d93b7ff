/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the system table, from folded counts. Pure.
 *
 * A share of the machine is the mean of the CPUs' shares, weighted by each CPU's sampled time. A
 * sample represents one period of its CPU, so counts of a CPU are weighted by the period in force.
 * With equal rates and no missed periods, the share is the pooled count divided by all samples
 * taken.
 */
#ifndef ROWS_H
#define ROWS_H

#include "base/stat_weight.h"
#include "sys/fold.h"

#define ROW_KIND_OTHERS	0xffffffff	/* "(N others)": folded by rows_limit() */

#define ROWS_OTHERS	3	/* events beside the one whose shares the rows show */

/** Samples of another event in a row. */
struct row_other {
	u64 hits;
	double share;			/* of this event on the machine */
};

/** A row; shares are fractions of the machine (0..1). */
struct row {
	u64 id[2];
	u32 kind;			/* enum cpuprobe_kind, FOLD_KIND_LOST or ROW_KIND_OTHERS */
	u32 pid;			/* process or thread; 0: none */
	char name[FOLD_NAME_LEN];	/* cleaned, and unique among executables */
	u32 plain_len;			/* bytes of it before what tells executables of one name apart */
	u64 hits[CPUPROBE_MODES];
	u64 missed;
	u64 deferred;
	double share[CPUPROBE_MODES];
	double total;			/* sum of share[] */
	double charged;			/* total, with missed periods charged to the row */
	double squares;			/* of its samples' weights, as in stat_weight.h */
	u32 first_part, last_part;	/* shares of CPUs: a chain in rows.part */
	struct stat_interval interval;	/* 95%, of total */
	double block_sum, block_sum2;	/* sums of shares in blocks, and of their squares */
	struct row_other other[ROWS_OTHERS];
};

/** A row's share of one CPU. */
struct row_part {
	double share;			/* fraction of that CPU's own samples */
	u32 cpu;
	u32 next;			/* the row's next part; ROW_NO_PART: none */
};

#define ROW_NO_PART	UINT32_MAX

struct rows {
	struct row *row;
	size_t nr;
	size_t nr_cpus;
	u64 taken;			/* samples, the n of the intervals */
	double excess;			/* of these samples, as in stat.h */
	struct stat_weights weights;	/* of a merged run's samples; none: all weigh the same */
	u64 nr_blocks;
	struct row_part *part;		/* one for each cell of the fold */
};

enum rows_sort { ROWS_SORT_TOTAL, ROWS_SORT_NAME, ROWS_SORT_USER, ROWS_SORT_KERNEL };

/** rows_init() - make a row for each process with samples, which have this @excess. -ENOMEM. */
int rows_init(struct rows *rows, const struct fold *fold, double excess);

/**
 * rows_init_beside() - rows_init() with the samples of other events, in row.other. A row may have
 * samples of these only.
 * @fold: contains the processes of the others (fold_include())
 * @others: the @nr_others folds of these events, at most ROWS_OTHERS
 */
int rows_init_beside(struct rows *rows, const struct fold *fold, double excess,
		     const struct fold *const *others, size_t nr_others);

/** rows_deinit() - free the rows. */
void rows_deinit(struct rows *rows);

/**
 * rows_limit() - sort the rows, keep the @nr_keep largest, and fold the others into "(N others)".
 * @sort: order of the rows; also the order of size, except that names are kept by total
 * @nr_keep: 0: keep all
 *
 * Pseudo-rows (in parentheses) are always kept and come last.
 */
void rows_limit(struct rows *rows, enum rows_sort sort, size_t nr_keep);

/** rows_cpu_shares() - a row's share of each CPU. @shares_ret: array of rows->nr_cpus */
void rows_cpu_shares(const struct rows *rows, const struct row *row, double *shares_ret);

/**
 * row_has_only_name() - whether the row is of a process that could not be looked up: it ended before, or may not
 * be examined.
 */
bool row_has_only_name(const struct row *row);

/** row_is_pseudo() - whether the row is of no program: IDLE, (softirq), (exiting) or (lost). */
bool row_is_pseudo(const struct row *row);

/** row_hits() - number of a row's samples in all modes. */
u64 row_hits(const struct row *row);

#endif
