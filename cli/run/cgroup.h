/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of control groups: their paths below the cgroup2 mount point. */
#ifndef CGROUP_H
#define CGROUP_H

#include <stddef.h>

#include "base/text.h"
#include "cpuprobe.h"

/**
 * cgroup_name() - write the path of the control group of @record to @name. A group that no longer
 * exists gets the module's name and "(gone)". @name is empty if the record is not of kind
 * CPUPROBE_KIND_CGROUP or if the path cannot be found; the caller then keeps the module's name.
 */
void cgroup_name(const struct cpuprobe_record *record, char *name, size_t len);

/**
 * cgroup_open() - open a control group. Returns a descriptor, or -ENOENT or -EINVAL with a reason.
 * @path: below the mount point, as `probe sys -by cgroup` and /proc/PID/cgroup show it, or in the file system. -EINVAL: it
 *	is another directory
 */
int cgroup_open(const char *path, struct text_error *error_ret);

#endif
