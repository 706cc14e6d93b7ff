/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that counts calls, or times them. It ends at once, and its hooks leave later: unhooking.h.
 *
 * Locks: session->lock, then the quota's mutex.
 */
#ifndef CPUPROBE_CALLS_H
#define CPUPROBE_CALLS_H

#include "session.h"

#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_KRETPROBES)

/**
 * calls_start() - hook the functions of @request and begin to count their calls. May sleep;
 * session->lock held. The session must be new.
 * -EBUSY, -EINVAL, -EPERM, -EOPNOTSUPP with the reason in @request->reason; -EFAULT, -ENOMEM, -EINTR.
 */
int calls_start(struct session *session, struct cpuprobe_calls *request);

/** calls_stop() - end counting; the counts stay. session->lock held. Does not wait for CPUs. */
void calls_stop(struct session *session);

/** calls_close() - end counting and let go of everything. May sleep; does not wait for CPUs. */
void calls_close(struct session *session);

/** calls_copy() - CPUPROBE_IOC_COUNTS. May sleep; session->lock held. */
int calls_copy(struct session *session, struct cpuprobe_counts *request);

/** calls_copy_times() - CPUPROBE_IOC_TIMES. May sleep; session->lock held. */
int calls_copy_times(struct session *session, struct cpuprobe_times *request);

#else

static inline int calls_start(struct session *session, struct cpuprobe_calls *request)
{
	request->reason = CPUPROBE_REASON_NO_HOOKS;
	return -EOPNOTSUPP;
}

static inline void calls_stop(struct session *session)
{
}

static inline void calls_close(struct session *session)
{
}

static inline int calls_copy(struct session *session, struct cpuprobe_counts *request)
{
	return -EINVAL;
}

static inline int calls_copy_times(struct session *session, struct cpuprobe_times *request)
{
	return -EINVAL;
}

#endif

#endif
