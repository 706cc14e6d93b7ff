/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks that programs write, and the traces that record them. */
#ifndef CPUPROBE_MARKS_H
#define CPUPROBE_MARKS_H

#include <linux/list.h>

#include "cpuprobe.h"

struct tracer;

/** Link of a trace in the list of those that record marks. */
struct marks_link {
	struct list_head list;
	struct tracer *tracer;
};

#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_KRETPROBES)

/** marks_join() - let a trace record marks from now on. May sleep. */
void marks_join(struct marks_link *link);

/** marks_leave() - end it, if it has joined; writers may still use it for a grace period. May sleep. */
void marks_leave(struct marks_link *link);

/**
 * marks_write() - record a mark of the current task in all traces that include it. May sleep.
 * Returns @len. -EMSGSIZE: more than CPUPROBE_MARK_MAX; -EFAULT.
 */
ssize_t marks_write(const char __user *text, size_t len);

#else

static inline ssize_t marks_write(const char __user *text, size_t len)
{
	return -EOPNOTSUPP;
}

#endif

#endif
