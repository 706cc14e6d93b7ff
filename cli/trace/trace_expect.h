/* SPDX-License-Identifier: GPL-2.0-only */
/* A look at a trace shortly after its begin: the rate of its events, their cost, and when its memory is full. */
#ifndef TRACE_EXPECT_H
#define TRACE_EXPECT_H

#include "trace/trace_session.h"

#define TRACE_EXPECT_SECONDS	0.1	/* after the begin */

/** Expectation from the first events; of the CPU with the most, where it says so. */
struct trace_expect {
	double events_hz;	/* of all CPUs together */
	double calls_hz;	/* at most: half of the events */
	double busiest_pct;	/* of that CPU, at most, for recording, with the calls that were left out */
	double seconds;		/* in all until that CPU's memory is full; 0: it never is */
};

/**
 * trace_expect_from() - what follows if all goes on as it began.
 * @events, @others: of each CPU, @nr: slots filled, and calls left out
 * @slots: room of a CPU; 0: the oldest events are overwritten
 */
struct trace_expect trace_expect_from(const u64 *events, const u64 *others, u32 nr, u64 traced_ns, u32 cost_ps,
				      u64 slots);

/** trace_expect_tell() - say on stderr what is expected of a session that records; nothing: it waits or ended. */
void trace_expect_tell(const struct trace_session *session, double planned_seconds);

#endif
