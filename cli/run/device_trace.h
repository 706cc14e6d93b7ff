/* SPDX-License-Identifier: GPL-2.0-only */
/* Following calls through /dev/cpuprobe, on a device of its own: see device.h. */
#ifndef DEVICE_TRACE_H
#define DEVICE_TRACE_H

#include "run/device.h"

/**
 * device_trace() - hook functions and begin to record.
 * @request: fills in size and version; the caller sets the rest
 * -errno with a reason and a remedy.
 */
int device_trace(struct device *device, struct cpuprobe_trace *request, struct text_error *error_ret);

/**
 * device_copy_events() - copy slots of a CPU, after recording has ended.
 * @from: number of the first one
 * @slots: room for @nr_slots; NULL: only the totals
 * -EBUSY: it has not ended; @events_ret has the totals.
 */
int device_copy_events(const struct device *device, u32 cpu, u64 from, struct cpuprobe_event *slots,
		       u32 nr_slots,
		       struct cpuprobe_events *events_ret);

/** device_copy_missed() - copy the number of calls without a hook for their return, of each function. */
int device_copy_missed(const struct device *device, u64 *missed, u32 nr_functions);

#endif
