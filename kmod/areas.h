/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Areas: which object is where in the target's memory, as the tool has read it from
 * /proc/PID/maps. Areas are sorted, so that a search takes a bounded number of steps: 14 for
 * CPUPROBE_AREAS_MAX areas.
 */
#ifndef CPUPROBE_AREAS_H
#define CPUPROBE_AREAS_H

#include "cpuprobe.h"
#include "pure.h"

/**
 * areas_check() - check that areas ascend by pid and start, do not overlap, are not empty, and have
 * allowed objects. -EINVAL otherwise.
 * @nr_objects_ret: the highest object number plus one, at least CPUPROBE_OBJECT_FIRST
 */
int areas_check(const struct cpuprobe_area *area, u32 nr, u32 *nr_objects_ret);

/**
 * areas_find() - find the area that holds an address. Any context. NULL: none.
 * @pid: the process; 0: the kernel
 */
const struct cpuprobe_area *areas_find(const struct cpuprobe_area *area, u32 nr, u32 pid, u64 addr);

#endif
