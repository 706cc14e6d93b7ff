/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of control groups: their paths below the mount of version 2. */
#ifndef CGROUP_H
#define CGROUP_H

#include "cpuprobe.h"

/**
 * cgroup_name() - the path of the group of a record of kind CPUPROBE_KIND_CGROUP. Of a group
 * that is gone, the name the module gave and "(gone)". Leaves @name empty for other kinds,
 * and where paths cannot be found, so that the module's name stands.
 */
void cgroup_name(const struct cpuprobe_record *record, char *name, size_t len);

/** cgroup_mount() - where version 2 is mounted; "" where it is not. */
const char *cgroup_mount(void);

#endif
