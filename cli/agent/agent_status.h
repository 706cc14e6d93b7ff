/* SPDX-License-Identifier: GPL-2.0-only */
/* The status of an agent: what `probe status agent` shows. */
#ifndef AGENT_STATUS_H
#define AGENT_STATUS_H

#include <stdio.h>

#include "agent/agent.h"

/** agent_status_put() - write lines "KEY<tab>VALUE". */
void agent_status_put(const struct agent *agent, FILE *out);

/** agent_status_rss() - bytes of the agent's memory that are resident; 0: unknown. */
u64 agent_status_rss(void);

#endif
