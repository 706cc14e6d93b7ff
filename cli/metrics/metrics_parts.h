/* SPDX-License-Identifier: GPL-2.0-only */
/* State that the parts of metrics share: metrics.c adds windows, metrics_write.c writes. */
#ifndef METRICS_PARTS_H
#define METRICS_PARTS_H

#include "metrics/metrics.h"
#include "metrics/metrics_rows.h"

struct metrics {
	struct metrics_options options;
	struct metrics_rows rows;
	u64 nr_windows;
	u64 nr_skipped;
	struct run_account account;	/* sums over all windows; lost: see metrics_rows_lost() */
	double sampled_seconds;		/* CPU time that all samples stand for */
	double cost_seconds;		/* of sampling */
	bool knows_cost;
	struct metrics_window last;	/* the last window; its pointers to counts are NULL */
	double window_seconds;
	u64 window_taken;
	size_t nr_cpus;
};

#endif
