/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two sets of hosts compared, name by name: the unit is the host, so that the interval of a difference
 * is about other hosts of the same kind, not only about these runs. Pure.
 */
#ifndef HOST_DIFF_H
#define HOST_DIFF_H

#include "base/intern.h"
#include "sys/diff.h"

/** A host in one of the two sets. */
struct diff_host {
	const char *name;	/* must outlive the comparison */
	double weight;		/* of its runs so far: nanoseconds sampled */
	double variance;	/* of a share, over share (1 - share), times the square of .weight */
};

struct host_diff {
	struct diff_host *host[2];
	u32 nr_hosts[2];
	bool is_paired;		/* both sets have the same hosts, and pairs were not declined */
	struct diff diff;	/* its rows are complete after host_diff_finish() */
	double *share;		/* by row, then by host of set 0, then of set 1: summed times weights */
	struct intern index;	/* of the rows */
};

/** host_diff_add_host() - find or add a host of a set. The number of the host, or INTERN_NONE: no memory. */
u32 host_diff_add_host(struct host_diff *diff, int side, const char *name);

/**
 * host_diff_add() - add a run of a host. All hosts must have been added before.
 * @run: rows of the run, of side 0, with its .taken[0] and .excess[0]
 * @weight: nanoseconds sampled; the runs of a host are averaged by it. Positive
 * -ENOMEM.
 */
int host_diff_add(struct host_diff *diff, int side, u32 host, const struct diff *run, double weight);

/**
 * host_diff_finish() - compare the means of the hosts' shares, correct p by Holm's method, sort. A row
 * that a host does not have is 0 there. If both sets have the same hosts, pairs are compared (unless
 * @declines_pairs), otherwise the interval is Welch's.
 *
 * The variance between hosts includes their sampling errors, and is never taken below these. Both sets
 * must have two hosts or more. -ENOMEM.
 */
int host_diff_finish(struct host_diff *diff, bool declines_pairs);

void host_diff_deinit(struct host_diff *diff);

#endif
