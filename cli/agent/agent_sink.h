/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receivers of an agent's windows, besides the ring on disk: metrics, a store of profiles. A sink does not
 * wait for others: what takes long, it does in a thread of its own.
 */
#ifndef AGENT_SINK_H
#define AGENT_SINK_H

#include <errno.h>
#include <stdio.h>

#include "agent/agent_window.h"
#include "profile/profile.h"
#include "run/receipt.h"
#include "run/run_result.h"
#include "sys/fold.h"

/** A window of the system's table. All is the agent's, and gone after the call. */
struct agent_table_window {
	double began;			/* seconds since 1970 */
	double seconds;
	const struct fold *fold;	/* by executable */
	const struct run_result *result;
	const struct receipt *receipt;	/* of the window of stacks that it is in, so far */
};

/** A window of stacks. */
struct agent_stacks_window {
	struct window window;
	const struct profile *profile;
	const struct run_result *result;
	const struct receipt *receipt;
	const void *bytes;		/* as a saved run */
	size_t len;
};

/* Results of .take_table besides 0 and -errno. */
#define AGENT_SINK_WORKS	1	/* a fault that was told has ended; the line is in @error_ret */
#define AGENT_SINK_REFUSED	(-EKEYREJECTED)	/* the receiver does not want it, which somebody must change */

/** A sink. Functions get @self and may be NULL. A reason in @error_ret: the window is lost to this sink. */
struct agent_sink {
	const char *name;
	void *self;
	int (*take_table)(void *self, const struct agent_table_window *window,
			  struct text_error *error_ret);
	int (*take_stacks)(void *self, const struct agent_stacks_window *window,
			   struct text_error *error_ret);
	/* Write lines "KEY<tab>VALUE" for `probe status`. */
	void (*put_status)(void *self, FILE *out);
};

#define AGENT_SINKS_MAX	4

#endif
