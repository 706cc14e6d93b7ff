/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counted calls as a graph of the functions of a profile: the input of `probe graph -calls`. The
 * profile is a copy of the run's that has all functions of the counts; parts of functions that the
 * compiler moved away (name.cold) are the functions in it. Pure.
 */
#ifndef CALL_GRAPH_H
#define CALL_GRAPH_H

#include "calls/call_targets.h"

/** Calls of one function by another; both are functions of the profile. */
struct call_graph_arc {
	u32 caller, function;
	u64 calls;		/* 0: in the code only */
};

struct call_graph {
	struct profile *profile;
	struct call_graph_arc *arc;	/* a pair may be in it several times */
	u32 nr_arcs;
	bool *is_counted;	/* by function of the profile: whether its calls were counted */
	double counted_share;	/* part of the time sampled in which calls were counted */
};

/**
 * call_graph_init() - join counts with the samples of their run.
 * @elapsed_ns: how long was sampled
 * @targets: calls in the code; NULL: unknown
 * -ENOMEM: nothing to deinit.
 */
int call_graph_init(struct call_graph *graph, const struct call_counts *counts,
		    const struct profile *profile, double elapsed_ns,
		    const struct call_targets *targets);

void call_graph_deinit(struct call_graph *graph);

#endif
