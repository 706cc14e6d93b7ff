/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folding the accounts and records of all CPUs into the rows of the system
 * table. Pure: no device, no output.
 *
 * A machine's share is the mean of its CPUs' shares weighted by the time each
 * was sampled. A sample stands for one period of its CPU, so within a CPU
 * counts are weighted by the period in force. With equal rates and nothing
 * missed this is simply the pooled count over all samples taken.
 */
#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuprobe.h"
#include "stat.h"

#define FOLD_KIND_LOST		0xfffffffe	/* row "(lost)": taken, but no record was free */
#define FOLD_KIND_OTHERS	0xffffffff	/* row "(N others)": folded by fold_limit() */

/** One row of the system table; shares are fractions of the machine (0..1). */
struct fold_row {
	uint64_t id[2];
	uint32_t kind;			/* enum cpuprobe_kind or FOLD_KIND_* */
	char name[48];			/* clean */
	uint64_t hits[CPUPROBE_MODES];
	uint64_t missed;
	uint64_t deferred;
	double share[CPUPROBE_MODES];
	double total;			/* sum of share[] */
	double *cpu_total;		/* share of each CPU by itself, fold_nr_cpus() of them */
	struct stat_interval interval;	/* 95%, of total */
};

/** Counts of one process on one CPU; what -save keeps, so its layout is fixed. */
struct fold_cell {
	__u64 id[2];
	uint32_t kind;			/* enum cpuprobe_kind or FOLD_KIND_LOST */
	uint32_t cpu;
	char name[CPUPROBE_NAME_LEN];	/* as the module gave it */
	uint64_t hits[CPUPROBE_MODES];
	uint64_t time_ns[CPUPROBE_MODES];	/* hits, each times its period */
	uint64_t missed;
	uint64_t deferred;
};

/** Time of one CPU; kept likewise. */
struct fold_cpu {
	uint64_t taken_ns;		/* samples taken, each times its period */
	uint64_t sampled_ns;		/* periods due, each times its length */
};

enum fold_sort { FOLD_SORT_TOTAL, FOLD_SORT_NAME, FOLD_SORT_USER, FOLD_SORT_KERNEL };

struct fold;

/** fold_create() - an empty fold, or NULL. */
struct fold *fold_create(void);

/** fold_destroy() - NULL is allowed. */
void fold_destroy(struct fold *fold);

/**
 * fold_add() - add one account of one CPU. As device_sink, with a struct fold.
 * Memory grows with the number of different (CPU, process) pairs. When there is no
 * more, the samples go to "(lost)".
 */
void fold_add(void *fold, uint32_t cpu, const struct cpuprobe_account *account,
	      const void *records);

/**
 * fold_finish() - merge the CPUs and compute shares; the rows belong to the fold.
 * @nr_ret: number of rows
 * NULL: out of memory.
 */
struct fold_row *fold_finish(struct fold *fold, size_t *nr_ret);

/**
 * fold_cells(), fold_cpus() - what was folded, in no order, and the time of each CPU;
 * they belong to the fold. @nr_ret: how many. After fold_finish().
 */
const struct fold_cell *fold_cells(const struct fold *fold, size_t *nr_ret);
const struct fold_cpu *fold_cpus(const struct fold *fold, size_t *nr_ret);

/** fold_create_kept() - a fold from what those gave and its number of samples, or NULL. */
struct fold *fold_create_kept(const struct fold_cell *cells, size_t nr_cells,
			      const struct fold_cpu *cpus, size_t nr_cpus, uint64_t taken);

/** fold_nr_cpus() - highest CPU number seen plus one: the length of each row's cpu_total. */
size_t fold_nr_cpus(const struct fold *fold);

/** fold_has_cpu() - whether this CPU was sampled. */
bool fold_has_cpu(const struct fold *fold, uint32_t cpu);

/** fold_taken() - samples taken so far: the n of the intervals. */
uint64_t fold_taken(const struct fold *fold);

/**
 * fold_limit() - sort the rows and fold all but @nr_keep of them into "(N others)".
 * @nr_keep: 0: keep all. The largest are kept: by @sort, or by total when sorted by name
 *
 * Pseudo-rows (in parentheses) are kept and come last. Returns the new number of rows.
 */
size_t fold_limit(const struct fold *fold, struct fold_row *rows, size_t nr, enum fold_sort sort,
		  size_t nr_keep);

#endif
