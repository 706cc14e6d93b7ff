/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that follows calls: its beginning, its end, and what it gives its reader. It ends at once,
 * and its hooks leave later: unhooking.h.
 *
 * Locks: session->lock, then the quota's mutex. The worker takes the lock of the waiting readers alone.
 */
#ifndef CPUPROBE_TRACES_H
#define CPUPROBE_TRACES_H

#include <linux/poll.h>

#include "session.h"

#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_KRETPROBES)

/**
 * traces_start() - hook the functions of @request, and begin to record or to wait. May sleep;
 * session->lock held. The session must be new. Errors as calls_start().
 */
int traces_start(struct session *session, struct cpuprobe_trace *request);

/** traces_stop() - end recording; the events stay. session->lock held. Does not wait for CPUs. */
void traces_stop(struct session *session);

/** traces_close() - end recording and let go of everything. May sleep; does not wait for CPUs. */
void traces_close(struct session *session);

/** traces_copy() - CPUPROBE_IOC_EVENTS. May sleep; session->lock held. -EBUSY with totals. */
int traces_copy(struct session *session, struct cpuprobe_events *request);

/** traces_copy_missed() - CPUPROBE_IOC_MISSED. May sleep; session->lock held. */
int traces_copy_missed(struct session *session, struct cpuprobe_missed *request);

/** traces_poll() - EPOLLIN when recording has ended; 0 without a trace. Any context, without lock. */
__poll_t traces_poll(const struct session *session);

#else

static inline int traces_start(struct session *session, struct cpuprobe_trace *request)
{
	request->reason = CPUPROBE_REASON_NO_HOOKS;
	return -EOPNOTSUPP;
}

static inline void traces_stop(struct session *session)
{
}

static inline void traces_close(struct session *session)
{
}

static inline int traces_copy(struct session *session, struct cpuprobe_events *request)
{
	return -EINVAL;
}

static inline int traces_copy_missed(struct session *session, struct cpuprobe_missed *request)
{
	return -EINVAL;
}

static inline __poll_t traces_poll(const struct session *session)
{
	return 0;
}

#endif

#endif
