/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups of processes, as /proc/PID/cgroup tells them: each path once, with a number. Memory is
 * bounded: groups beyond CGROUP_PATHS_MAX are CGROUP_PATHS_OTHER until cgroup_paths_trim() forgets all.
 */
#ifndef CGROUP_PATHS_H
#define CGROUP_PATHS_H

#include "base/intern.h"

#define CGROUP_PATHS_MAX	4096
#define CGROUP_PATHS_OTHER	"(other)"

/** All zero: none. */
struct cgroup_paths {
	char **path;
	u32 nr;
	struct intern index;
	u32 generation;		/* numbers are of this one */
};

/** A number of a group, as long as .generation is that of the groups. All zero: unknown. */
struct cgroup_number {
	u32 number;		/* plus one */
	u32 generation;
};

/**
 * cgroup_paths_add() - find or add a group. Unknown: out of memory.
 * @text: contents of /proc/PID/cgroup. The line of version 2 counts, else the first one
 */
struct cgroup_number cgroup_paths_add(struct cgroup_paths *groups, const char *text);

/** cgroup_paths_read() - read the group of a process. Unknown: the process is gone. */
struct cgroup_number cgroup_paths_read(struct cgroup_paths *groups, int pid);

/** cgroup_paths_get() - path of a group, as for container_parse(); "": unknown. Valid until cgroup_paths_trim(). */
const char *cgroup_paths_get(const struct cgroup_paths *groups, struct cgroup_number group);

/** cgroup_paths_trim() - forget all groups if more than half of the room is taken. */
void cgroup_paths_trim(struct cgroup_paths *groups);

/** cgroup_paths_deinit() - free all memory. */
void cgroup_paths_deinit(struct cgroup_paths *groups);

#endif
