/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc tells of a process besides what it has mapped. */
#ifndef PROCSTAT_H
#define PROCSTAT_H

#include <stdint.h>
#include <sys/types.h>

/**
 * procstat_space() - what tells a process's address space apart from earlier and later ones of
 * the same pid: the address of the bottom of its stack, field 28 of /proc/PID/stat.
 * -ESRCH: no such process, or it has no memory (any more). -EACCES: not to be told.
 */
int procstat_space(int pid, uint64_t *space_ret);

/**
 * procstat_user() - its effective user, and its pid in its own pid namespace, as which it knows
 * itself. -ESRCH.
 */
int procstat_user(int pid, uid_t *user_ret, int *own_pid_ret);

#endif
