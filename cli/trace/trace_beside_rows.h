/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace compared with its samples: two shares of each function, which check each other. Pure. */
#ifndef TRACE_BESIDE_ROWS_H
#define TRACE_BESIDE_ROWS_H

#include "base/stat.h"
#include "trace/trace_beside.h"
#include "trace/trace_rows.h"

#define TRACE_BESIDE_LEAST	25	/* samples of a function that is judged */

/** How the two shares of a row agree. */
enum beside_verdict {
	BESIDE_FEW,		/* too few samples to judge */
	BESIDE_WITHIN,		/* the traced share is in the sampled share's interval */
	BESIDE_HOOKS,		/* a part of the cost of tracing between none and all of it explains it */
	BESIDE_DIFFERS,
};

/** A function, the hooks, or everything else; shares are fractions of the time of all CPUs. */
struct beside_row {
	const char *name, *object;
	u64 calls;
	u64 samples;
	double raw_frac;	/* traced, net, as measured */
	double traced_frac;	/* with no more of the cost of tracing than its hidden part; of the hooks: the rest of it */
	double sampled_frac;
	struct stat_interval interval;	/* 95%, of the sampled share */
	enum beside_verdict verdict;
};

struct beside_rows {
	const struct trace_beside *beside;
	struct beside_row *row;		/* functions as in the summary, then (hooks) and (outside) */
	u32 nr;
	double hidden_frac;		/* part of the cost of tracing that samples find in functions, not in the hooks */
	u32 nr_judged, nr_within;	/* functions with TRACE_BESIDE_LEAST samples; those within */
};

/**
 * beside_rows_init() - compare. @rows: of the trace, which has samples; kept by the caller
 * -ENOMEM: nothing to deinit.
 */
int beside_rows_init(struct beside_rows *beside, const struct trace_rows *rows);

void beside_rows_deinit(struct beside_rows *beside);

#endif
