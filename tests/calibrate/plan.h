/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulations. */
#ifndef PLAN_H
#define PLAN_H

#include "matrix.h"

#define PLAN_COVERAGE_MAX	5
#define PLAN_COMB_MAX		2

enum { PLAN_COMB_PLAIN };	/* row of .comb_others with intervals of independent samples */

struct plan {
	size_t nr_coverage;
	/* One for each number of samples: shares in rows, cycles in columns, Wilson's last. */
	struct matrix coverage[PLAN_COVERAGE_MAX];
	struct matrix schemes;	/* other ways of placing samples, in columns */
	struct matrix stopping;	/* runs that end when the interval is narrow enough */
	struct matrix rates;	/* shorter periods */
	size_t nr_comb;
	struct matrix comb[PLAN_COMB_MAX];	/* the clock without the module; one for each duration */
	size_t nr_single;
	struct matrix single[PLAN_COMB_MAX];	/* the clock of a thread; one for each duration */
	struct matrix single_plain;	/* with intervals of independent samples */
	struct matrix comb_others;	/* other rates and durations, and without the excess */
};

/** plan_run() - run all simulations; @is_quick: with at most 10,000 samples a run. */
void plan_run(struct plan *plan, bool is_quick);

/** plan_is_common() - whether @sim expects at least 5 hits and 5 misses. */
bool plan_is_common(const struct sim *sim);

#endif
