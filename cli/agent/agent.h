/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An agent: a run of stacks that never ends, in the foreground, whose windows go to a ring on disk and to
 * sinks. It answers at the socket of the run "agent" (background/control.h) as runs in the background do:
 * "status", "dump", "dump SECONDS", "stop". A dump is put together from the ring by a process of its own.
 *
 * When SIGHUP changes the configuration, or when the names of code take too much memory, the session ends
 * and another one begins: a gap of a moment.
 */
#ifndef AGENT_H
#define AGENT_H

#include "agent/agent_config.h"
#include "agent/agent_table.h"
#include "agent/sink_metrics.h"
#include "agent/sink_push.h"
#include "agent/windows.h"
#include "background/control.h"
#include "stacks/measurement.h"

#define AGENT_NAME	"agent"		/* name of its run */

/** The end of a session leads to one of these. */
enum agent_next { AGENT_ENDS, AGENT_RELOADS, AGENT_RENEWS };

#define AGENT_DUMPS_MAX	2	/* dumps at a time */

/** The caller sets the first two fields. */
struct agent {
	/* Read the configuration: -errno with a reason. Called at the start and on SIGHUP. */
	int (*load)(void *context, struct agent_config *config_ret, struct text_error *error_ret);
	void *context;

	struct agent_config config;	/* in force */
	struct agent_config wanted;	/* to be tried next, with AGENT_RELOADS */
	struct stacks_options options;
	struct measurement measurement;
	struct windows windows;
	struct agent_table table;
	struct sink_metrics metrics;
	struct sink_push push;
	struct control control;
	struct run_control orders;
	enum agent_next next;
	bool is_tried;			/* the configuration in force is new: no session has begun with it yet */
	bool cannot_sleep;		/* the engine, as was found out */
	unsigned int settled;		/* enum device_engine that was found to work; auto: not known yet */
	bool is_measuring;		/* sampling has begun in this session */
	bool has_begun;			/* ... in any session */
	double began;			/* seconds since 1970 */
	double began_clock;		/* of clock_seconds() */
	u64 nr_renewals;
	u64 first_rss;			/* bytes, after the first window of the session; 0: none has ended */
	unsigned int nr_windows;	/* of stacks in this session */
	int dumps[AGENT_DUMPS_MAX];	/* processes that put a dump together; 0: none */
	int client;			/* waits for the end; -1: none */
	int waiting;			/* client with this request, which needs a harvest; -1: none */
	char request[64];
	double looked;			/* clock_seconds() when somebody last looked for requests */
	bool is_counted;		/* the account of the table is in the window's already */
};

/** agent_run() - sample until a signal or a client ends it. -errno with a reason: it could not begin, or failed. */
int agent_run(struct agent *agent, struct text_error *error_ret);

#endif
