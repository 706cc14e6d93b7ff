/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes and threads, the user's own or all, found in /proc. */
#ifndef OWN_TASKS_H
#define OWN_TASKS_H

#include <stdbool.h>

#include "types.h"

#define OWN_TASKS_NUMBERS	((1u << 22) + 1)	/* all that threads can have: the kernel's limit of pid_max */

/** A receiver of threads. */
typedef void (*own_tasks_found)(void *context, u32 pid, u32 tid);

/**
 * own_tasks_scan() - report all threads of the processes that belong to this user, by the owner of their
 * directory in /proc: a process that others may not look into belongs to root.
 * @only_pid: only this process, whoever owns it; 0: all. -errno: /proc cannot be read.
 */
int own_tasks_scan(u32 only_pid, own_tasks_found found, void *context);

/** own_tasks_scan_all() - report all threads of all processes, whoever owns them. -errno: as above. */
int own_tasks_scan_all(own_tasks_found found, void *context);

/** own_tasks_children() - report the main threads of the processes that a thread has started. */
void own_tasks_children(u32 pid, u32 tid, own_tasks_found found, void *context);

/** own_tasks_are_ours() - whether a process runs the same executable as this one. */
bool own_tasks_are_ours(u32 pid);

/** own_tasks_runtime() - nanoseconds that a thread has run in its life; 0: unknown. */
u64 own_tasks_runtime(u32 tid);

#endif
