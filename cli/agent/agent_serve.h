/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests that an agent answers. */
#ifndef AGENT_SERVE_H
#define AGENT_SERVE_H

#include "agent/agent.h"

/** agent_serve() - serve one request: run_control.serve. */
enum run_order agent_serve(void *context);

/** agent_serve_end() - answer the client that ended the agent, with all windows. */
void agent_serve_end(struct agent *agent);

/** agent_serve_reap() - collect processes that have put a dump together. */
void agent_serve_reap(struct agent *agent);

#endif
