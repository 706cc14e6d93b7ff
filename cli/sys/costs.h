/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of sampling, from the times of a fixed amount of work with and without it. Pure.
 *
 * Each round does the work once in both ways, and only the differences within rounds count: the
 * speed of the machine may drift from round to round.
 */
#ifndef COSTS_H
#define COSTS_H

#include <stdio.h>

#include "base/columns.h"
#include "base/stat.h"

/** One round. */
struct cost_round {
	double plain_seconds;		/* of the work without sampling */
	double sampled_seconds;		/* with sampling */
	u64 taken;			/* samples of the session around the work */
	u64 missed;			/* periods of the session without a sample */
	u64 session_ns;			/* time sampled; somewhat longer than the work */
};

/** The result; the columns' row. */
struct cost {
	const char *kind;
	u32 cpu;
	u64 period_ns;			/* requested */
	u64 nr_rounds;
	double work_seconds;		/* mean time of the work without sampling */
	u64 taken, missed;		/* sums over the rounds */
	double slowdown;		/* mean of sampled / plain - 1 */
	struct stat_interval slowdown_interval;
	double sample_ns;		/* time that a sample adds to the work, in ns */
	struct stat_interval sample_interval;
	u32 claim_ns;			/* the module's claim of sample_ns; 0: unknown */
	double claim;			/* slowdown at claim_ns and the rate reached; NAN: no time would be left */
};

/**
 * cost_compute() - fill in all but kind, cpu, period_ns and claim_ns, which must be set.
 * @nr: at least 2. -ENODATA: no sample was taken in some round.
 *
 * The intervals are those of means by Student's t, over the rounds.
 */
int cost_compute(struct cost *cost, const struct cost_round *rounds, size_t nr);

/** cost_is_shown() - whether the interval of the slowdown leaves out 0. */
bool cost_is_shown(const struct cost *cost);

/** cost_show() - write the result. -ENOMEM, which is printed. */
int cost_show(FILE *out, const struct cost *cost, const struct output_options *options);

/** cost_warn() - warn if samples surely cost more than the module claims. */
void cost_warn(FILE *out, const struct cost *cost);

extern const struct column_list cost_column_list;	/* rows are struct cost */

#endif
