/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of `probe calls`: a function, or a function and one of its callers, with its calls and the
 * time that samples of whole stacks give it. Time per call = the row's share of the samples x the
 * time sampled, without that of sampling itself / its calls: calls are exact, so the interval is that
 * of the share. Pure.
 */
#ifndef CALL_ROWS_H
#define CALL_ROWS_H

#include "base/share.h"
#include "calls/call_counts.h"
#include "profile/profile.h"

enum call_sort { CALLS_BY_TOTAL, CALLS_BY_SELF, CALLS_BY_CALLS, CALLS_BY_NAME };

struct call_row {
	u32 function;		/* position in the counts */
	u32 caller;		/* the same; CALLS_NONE: the row of a function */
	u64 calls[CPUPROBE_CONTEXTS];
	u64 nr;			/* calls in all contexts */
	u64 self_hits;		/* samples in the function itself */
	u64 total_hits;		/* samples in it or in what it called; each sample once */
};

struct call_rows {
	const struct call_counts *counts;
	struct call_row *row;
	u32 nr;
	u64 samples;		/* 100% */
	double excess;		/* of the samples, as in stat.h */
	double samples_ns;	/* time that they represent, as far as calls were counted in it */
};

/**
 * call_rows_init() - make the rows.
 * @profile: the samples of the run
 * @elapsed_ns: how long was sampled
 * @sample_cost_ns: time that a sample took of whatever it interrupted
 * @by_arc: a row for each caller of each function
 * @never: only functions that were not called, which have no rows otherwise
 * -ENOMEM: nothing to deinit.
 */
int call_rows_init(struct call_rows *rows, const struct call_counts *counts,
		   const struct profile *profile, double elapsed_ns, double sample_cost_ns,
		   bool by_arc, bool never);

/** call_rows_sort() - the largest first; equal ones by name. */
void call_rows_sort(struct call_rows *rows, enum call_sort by);

/** call_row_share() - share of @hits of all samples, in percent. */
struct share call_row_share(const struct call_rows *rows, u64 hits);

/** call_row_time() - time of a call in ns, from the row's @hits. NAN without calls. */
struct share call_row_time(const struct call_rows *rows, const struct call_row *row, u64 hits);

void call_rows_deinit(struct call_rows *rows);

#endif
