/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples beside a trace: the same functions, seen by the sampler in the same time. A sample belongs to the
 * innermost traced function on its stack, as net time does, or to the hooks if their code lies above it.
 * Pure.
 */
#ifndef TRACE_BESIDE_H
#define TRACE_BESIDE_H

#include <stdbool.h>

#include "types.h"

/** All samples; saved in files. */
struct trace_beside_totals {
	u64 taken;		/* = those of all functions + @hooks + @outside */
	u64 hooks;		/* in the code that records calls */
	u64 outside;		/* elsewhere: no traced function on the stack, other tasks, idle, lost */
	u64 missed;		/* periods without a sample of their own */
	u64 lost;		/* part of @outside: samples whose stack found no room */
	u64 period_ns;
	u64 sampled_ns;		/* time sampled, of all CPUs together */
};

struct trace_beside {
	struct trace_beside_totals totals;
	u64 *samples;		/* by number of the function, as many as the trace has */
	u32 nr_functions;
};

/** trace_beside_create() - no samples yet. NULL: out of memory. */
struct trace_beside *trace_beside_create(u32 nr_functions);

/** trace_beside_destroy() - NULL is allowed. */
void trace_beside_destroy(struct trace_beside *beside);

/** trace_beside_holds() - whether all samples are accounted for. */
bool trace_beside_holds(const struct trace_beside *beside);

#endif
