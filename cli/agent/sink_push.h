/* SPDX-License-Identifier: GPL-2.0-only */
/* A store of profiles as a sink of an agent: windows of stacks are pushed to it. */
#ifndef SINK_PUSH_H
#define SINK_PUSH_H

#include "agent/agent_sink.h"
#include "push/push_options.h"

struct sink_push {
	struct push *push;		/* NULL: nothing is pushed */
	struct push_setup setup;
};

/**
 * sink_push_open() - begin to push to @url; NULL: do not. Texts of the options must live as long. Returns whether
 * windows are pushed; @sink_ret is then set. -errno with a reason.
 */
int sink_push_open(struct sink_push *sink, const struct push_options *options, const char *url,
		   struct agent_sink *sink_ret, struct text_error *error_ret);

/** sink_push_close() - end it; undelivered windows stay in the spool, if there is one. All zero is allowed. */
void sink_push_close(struct sink_push *sink);

#endif
