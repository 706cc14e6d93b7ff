/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks at the kernel's tracepoints. Those used here are not exported, so they are found by name. */
#ifndef CPUPROBE_TRACEPOINTS_H
#define CPUPROBE_TRACEPOINTS_H

#include <linux/types.h>

/**
 * tracepoints_register() - call @probe(@data, ...) at a tracepoint. The first hook of a tracepoint
 * changes the kernel's text, which interrupts every CPU. May sleep. -EOPNOTSUPP: the kernel has no
 * tracepoint of that name; -ENOMEM, -EEXIST.
 */
int tracepoints_register(const char *name, void *probe, void *data);

/** tracepoints_unregister() - end it, and wait until no CPU runs @probe. May sleep. */
void tracepoints_unregister(const char *name, void *probe, void *data);

/** tracepoints_remove() - end it, without waiting: tracepoints_wait() does. May sleep. */
void tracepoints_remove(const char *name, void *probe, void *data);

/** tracepoints_wait() - wait until no CPU runs a handler that has been removed. May sleep. */
void tracepoints_wait(void);

/** tracepoints_have() - whether the kernel has a tracepoint. May sleep. */
bool tracepoints_have(const char *name);

#endif
