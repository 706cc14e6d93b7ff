/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The windows of an agent: tables of the system, and windows of stacks that each last several of them. Keeps
 * them in the ring, and hands them to the sinks. It knows no device and reads no clock.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include "agent/agent_sink.h"
#include "agent/journal.h"
#include "agent/window_ring.h"
#include "run/run.h"

struct windows {
	struct window_ring ring;
	struct journal journal;
	struct agent_sink sinks[AGENT_SINKS_MAX];
	size_t nr_sinks;
	unsigned int per_stacks;	/* tables in a window of stacks */
	unsigned int nr_tables;		/* that have ended in the current one */
	struct run_result result;	/* of these */
	struct run_account total;	/* of all windows; lost: also by the agent itself, as in profiles */
	u64 nr_tables_ended;
	u64 nr_written;			/* windows of stacks in the ring */
	u64 nr_unwritten;		/* that could not be written */
	u64 nr_gaps;			/* between windows, since the agent began */
	struct window last;		/* number 0: none */
	/* Called between steps that may take long; NULL: nothing. */
	void (*between)(void *context);
	void *context;
};

/** windows_end_table() - a table has ended. Returns whether a window of stacks ends with it. */
bool windows_end_table(struct windows *windows, const struct fold *fold, const struct run_result *result,
		       const struct receipt *receipt, const struct window_now *now);

/**
 * windows_pack() - make a saved run of the current window, to be freed. NULL: out of memory.
 * @run: its receipt and CPUs
 * @part: result of the table that has not ended yet; NULL: it just has
 */
void *windows_pack(const struct windows *windows, const struct run *run, const struct profile *profile,
		   const struct run_result *part, const struct window_now *now, struct window *window_ret,
		   size_t *len_ret);

/** windows_end_stacks() - the window of stacks has ended: keep it, hand it on, and begin the next. As windows_pack(). */
void windows_end_stacks(struct windows *windows, const struct run *run, const struct profile *profile,
			const struct run_result *part, const struct window_now *now);

#endif
