/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two runs with counted calls compared by function: did a call take longer, were there more calls, or
 * both? Functions of equal names in one module are one. Calls are exact; the time of a call has the
 * uncertainty of the sampled share that it is computed from. Pure.
 */
#ifndef CALL_DIFF_H
#define CALL_DIFF_H

#include "base/stat.h"
#include "calls/call_counts.h"
#include "profile/stack_run.h"

#define CALL_DIFF_LEAST_HITS	10	/* in both runs together; with fewer, times are not compared */
#define CALL_DIFF_LEAST_RATE	1.1	/* least ratio of calls per second that is called a change */

/** A run with calls. */
struct call_run {
	const struct call_counts *counts;
	const struct stack_run *stacks;
};

/** A function's time per call, in one run. */
struct call_time {
	u64 hits;
	double block_sum;	/* sum of its shares in blocks, and of their squares */
	double block_sum2;
	double ns;		/* NAN: no calls */
};

/** Times per call compared. */
struct call_change {
	struct call_time side[2];
	struct stat_ratio ratio;	/* B / A; NAN: not compared */
	double p;	/* that they do not differ; corrected for all tests. NAN: not compared */
};

struct call_diff_row {
	const char *name, *module;	/* texts of the counts */
	bool is_in[2];			/* whether the run counted its calls */
	u64 calls[2];
	double calls_s[2];		/* calls per second */
	struct call_change total;	/* with all that the function called */
	struct call_change self;
	/* Time per second of one CPU: B - A = by_time + by_calls. 0..1 */
	double by_time;			/* because a call takes longer */
	double by_calls;		/* because there are more calls */
};

struct call_diff {
	struct call_diff_row *row;
	u32 nr;
	u64 samples[2];
	double excess[2];		/* of the samples, as in stat.h */
	double samples_ns[2];		/* time that they represent, as far as calls were counted */
	u64 nr_blocks[2];
	bool is_sampling_only;		/* requested, or a run has fewer than two blocks */
	struct intern index;		/* while functions are added */
};

/**
 * call_diff_init() - compare two runs, which must outlive the comparison. Rows are sorted: those with
 * a significant change of a time first, then by the size of by_time and by_calls.
 * @is_sampling_only: compare the samples of these runs only, not how the workload varies
 *
 * With blocks, p is Welch's and the interval Fieller's (stat_ratio_of_means()); the variance of a
 * share is that of its blocks, or the sampling variance, if larger. Otherwise p is that of
 * stat_two_times(), and the interval that of stat_ratio_of_times(). -ENOMEM: nothing to deinit.
 */
int call_diff_init(struct call_diff *diff, const struct call_run runs[2], bool is_sampling_only);

void call_diff_deinit(struct call_diff *diff);

/** call_diff_is_significant() - whether the change is, at 5% for all rows together. */
bool call_diff_is_significant(const struct call_change *change);

/**
 * call_diff_time_word() - "slower", "faster" or "", if the change is not significant.
 * call_diff_calls_word() - "more calls", "fewer calls" or "".
 * call_diff_only_in() - 0 or 1 if only that run has calls of the function; otherwise -1.
 */
const char *call_diff_time_word(const struct call_change *change);
const char *call_diff_calls_word(const struct call_diff_row *row);
int call_diff_only_in(const struct call_diff_row *row);

/**
 * call_diff_worst() - the first row whose total time per call grew significantly, by more than
 * @percent of that in run A. NULL: none.
 */
const struct call_diff_row *call_diff_worst(const struct call_diff *diff, double percent);

#endif
