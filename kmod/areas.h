/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Areas: which object lies where in the target's memory, as the tool has read it
 * from the maps of its processes. Sorted, so that the sampler finds a place in a
 * number of steps that is bounded: 14 for the most areas there can be.
 */
#ifndef CPUPROBE_AREAS_H
#define CPUPROBE_AREAS_H

#include "cpuprobe.h"
#include "pure.h"

/**
 * areas_check() - whether the areas are ascending by pid and start, without overlap or
 * emptiness, their objects allowed. -EINVAL otherwise.
 * @nr_objects_ret: the highest object's number plus one
 */
int areas_check(const struct cpuprobe_area *area, u32 nr, u32 *nr_objects_ret);

/**
 * areas_find() - the area that holds an address of a process (0: the kernel), or NULL. Any context.
 */
const struct cpuprobe_area *areas_find(const struct cpuprobe_area *area, u32 nr, u32 pid, u64 addr);

#endif
