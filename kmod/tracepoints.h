/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks at the kernel's tracepoints. Those used here are not exported, so they are found by name. */
#ifndef CPUPROBE_TRACEPOINTS_H
#define CPUPROBE_TRACEPOINTS_H

/**
 * tracepoints_register() - call @probe(@data, ...) at a tracepoint. The first hook of a tracepoint
 * changes the kernel's text, which interrupts every CPU. May sleep. -EOPNOTSUPP: the kernel has no
 * tracepoint of that name; -ENOMEM, -EEXIST.
 */
int tracepoints_register(const char *name, void *probe, void *data);

/** tracepoints_unregister() - end it, and wait until no CPU runs @probe. May sleep. */
void tracepoints_unregister(const char *name, void *probe, void *data);

#endif
