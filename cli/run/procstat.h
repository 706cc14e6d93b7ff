/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of a process from /proc, except its mappings. */
#ifndef PROCSTAT_H
#define PROCSTAT_H

#include <stdbool.h>
#include <sys/types.h>

#include "types.h"

/**
 * procstat_space() - identify a process's address space by the address of the bottom of its stack,
 * field 28 of /proc/PID/stat. Address spaces of the same pid before and after have another one.
 * -ESRCH: no such process, or it has no memory (any more). -EACCES: the kernel hides the field.
 */
int procstat_space(int pid, u64 *space_ret);

/**
 * procstat_user() - effective user of a process, and its pid in its own pid namespace.
 * -ESRCH: no such process.
 */
int procstat_user(int pid, uid_t *user_ret, int *own_pid_ret);

/**
 * procstat_shares_root() - whether a process has our root directory, also if it has mounts of its own, as a service with
 * a private /tmp. False: another one, as in a container, or unknown.
 */
bool procstat_shares_root(int pid);

#endif
