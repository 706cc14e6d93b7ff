/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparison of two runs, name by name. Pure. */
#ifndef DIFF_H
#define DIFF_H

#include <stdbool.h>

#include "base/stat.h"
#include "events/event.h"
#include "sys/rates.h"
#include "types.h"

#define DIFF_NAME_LEN 512

/** A name's counts in one run. */
struct diff_side {
	double share;		/* 0..1 */
	u64 hits;
	double block_sum;	/* sum of the name's shares in blocks */
	double block_sum2;	/* sum of the squares of these shares */
};

/** Identity of a row. Tables have a name only; functions of stacks have all. */
struct diff_key {
	const char *name;
	const char *object;	/* "": none; must outlive the comparison */
	bool is_total;		/* time in it and in what it called, not only in itself */
	bool is_pseudo;		/* idle, lost or similar: never counts as worse */
};

/** A name in both runs. */
struct diff_row {
	char name[DIFF_NAME_LEN];
	const char *object;
	bool is_total;
	bool is_pseudo;
	bool is_in[2];		/* whether the run has the name */
	struct diff_side side[2];
	struct stat_difference found;	/* of the shares; p corrected for the number of rows */
	/* of the times per execution, in ns, if both runs have them: .p is then that of .found */
	struct stat_difference execution;
	struct stat_ratio ratio;	/* of these times, B / A */
};

/** One execution of all that was measured. */
struct diff_whole {
	double each[2];			/* its time in ns, or its events; 0: unknown */
	struct stat_ratio ratio;	/* B / A */
};

struct diff {
	bool counts_events;	/* executions have events, and no time in ns */
	struct event event;	/* of both runs, if the caller knows it */
	struct diff_whole whole;
	struct rates rates[2];	/* of runs with several events, the same in both; .nr is 0: none */
	struct diff_row *row;
	u32 nr;
	u64 taken[2];
	double excess[2];	/* of these samples, as in stat.h */
	u64 nr_blocks[2];
	double execution_ns[2];	/* time of all samples per execution; 0: unknown */
	bool is_sampling_only;	/* requested, or a run has fewer than two blocks */
	bool has_significant_first;	/* order: significant differences before all others */
	u64 least_hits;		/* rows with fewer hits in both runs together are dropped */
	u32 nr_dropped;
	u32 nr_hosts[2];	/* of sets of hosts (host_diff.h); 0: two runs are compared */
	bool is_paired;		/* the same hosts, compared in pairs */
};

/** diff_has_executions() - whether times per execution are compared instead of shares. */
static inline bool diff_has_executions(const struct diff *diff)
{
	return diff->execution_ns[0] > 0 && diff->execution_ns[1] > 0;
}

/** diff_add() - add counts of @name in run @side (0 or 1). Equal names add up. -ENOMEM. */
int diff_add(struct diff *diff, int side, const char *name, bool is_pseudo,
	     const struct diff_side *counts);

/** diff_add_key() - diff_add() for rows with more than a name. */
int diff_add_key(struct diff *diff, int side, const struct diff_key *key,
		 const struct diff_side *counts);

/**
 * diff_finish() - compare the runs, correct p by Holm's method, sort by size of the difference.
 *
 * The variance of a share is the variance of its blocks, which includes the workload's variation
 * and the sampling error; or the sampling variance, if larger: blocks are few. -ENOMEM.
 */
int diff_finish(struct diff *diff);

/** diff_rank() - correct p by Holm's method, sort by size of the difference. -ENOMEM. */
int diff_rank(struct diff *diff);

/** diff_is_significant() - whether the difference is significant, at 5% for all rows together. */
bool diff_is_significant(const struct diff_row *row);

/**
 * diff_worst() - row with the largest significant growth above @points percent points, or NULL. If
 * times per execution are compared: percent of the time of all samples per execution in run A.
 */
const struct diff_row *diff_worst(const struct diff *diff, double points);

void diff_deinit(struct diff *diff);

#endif
