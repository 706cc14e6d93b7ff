/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a session that follows calls: traces.c makes them, traces_copy.c reads them. */
#ifndef CPUPROBE_TRACE_H
#define CPUPROBE_TRACE_H

#include "marks.h"
#include "tracer.h"
#include "unhooking.h"

/** It lives until the session is closed and the hooks are removed. */
struct trace {
	struct tracer tracer;
	struct marks_link marks;
	wait_queue_head_t *readers;	/* NULL: the session is closed. traces.c has its lock */
	bool is_settled;		/* all writers have left */
	struct unhooking unhooking;
};

/**
 * trace_attach_user() - hook the functions of programs that a request names, and add them to @nr_hooked.
 * May sleep long. -EBADF and -EINVAL with a reason in @request; -EFAULT, -EINTR, -ENOMEM.
 */
int trace_attach_user(struct trace *trace, struct cpuprobe_trace *request);

#endif
