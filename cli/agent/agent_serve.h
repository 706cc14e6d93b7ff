/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests that an agent answers. */
#ifndef AGENT_SERVE_H
#define AGENT_SERVE_H

#include "agent/agent.h"

/** agent_serve_now() - answer requests for the status, and keep the first other one: run_control.answer. */
bool agent_serve_now(void *context);

/**
 * agent_serve_between() - agent_serve_now() between two steps of long work, if the last time was a while ago. An agent
 * with little CPU may need minutes for a harvest.
 */
void agent_serve_between(void *context);

/** agent_serve() - serve the request that was kept: run_control.serve. */
enum run_order agent_serve(void *context);

/** agent_serve_end() - answer the client that ended the agent, with all windows. They are in the ring too. */
void agent_serve_end(struct agent *agent);

/** agent_serve_reap() - collect processes that have put a dump together. */
void agent_serve_reap(struct agent *agent);

#endif
