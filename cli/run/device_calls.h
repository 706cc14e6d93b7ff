/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting calls through /dev/cpuprobe, on a device of its own: see device.h. */
#ifndef DEVICE_CALLS_H
#define DEVICE_CALLS_H

#include "run/device.h"

/**
 * device_count_calls() - hook functions and begin to count their calls.
 * @request: fills in size and version; the caller sets the rest
 * -errno with a reason and a remedy.
 */
int device_count_calls(struct device *device, struct cpuprobe_calls *request,
		       struct text_error *error_ret);

/**
 * device_copy_calls() - copy the calls that a CPU has counted so far.
 * @arcs: room for @nr_arcs; NULL: only the totals
 * @counts_ret: filled in; more arcs than there is room for: -ENOSPC, and @counts_ret has their number
 */
int device_copy_calls(const struct device *device, u32 cpu, struct cpuprobe_arc *arcs, u32 nr_arcs,
		      struct cpuprobe_counts *counts_ret);

/** device_copy_times() - as device_copy_calls(), with the times of calls. */
int device_copy_times(const struct device *device, u32 cpu, struct cpuprobe_time *nodes,
		      u32 nr_nodes, struct cpuprobe_times *times_ret);

#endif
