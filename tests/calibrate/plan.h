/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulations. */
#ifndef PLAN_H
#define PLAN_H

#include "matrix.h"

#define PLAN_COVERAGE_MAX	5

struct plan {
	size_t nr_coverage;
	/* One for each number of samples: shares in rows, cycles in columns, Wilson's last. */
	struct matrix coverage[PLAN_COVERAGE_MAX];
	struct matrix schemes;	/* other ways of placing samples, in columns */
	struct matrix stopping;	/* runs that end when the interval is narrow enough */
	struct matrix rates;	/* shorter periods */
};

/** plan_run() - run all simulations; @is_quick: with at most 10,000 samples a run. */
void plan_run(struct plan *plan, bool is_quick);

/** plan_is_common() - whether @sim expects at least 5 hits and 5 misses. */
bool plan_is_common(const struct sim *sim);

#endif
