/* SPDX-License-Identifier: GPL-2.0-only */
/* Unwinding tables through /dev/cpuprobe: see device.h. Any thread may call, also during a harvest. */
#ifndef DEVICE_UNWIND_H
#define DEVICE_UNWIND_H

#include "run/device.h"
#include "sym_unwind.h"

/**
 * device_need() - get the next file whose table samples needed; the caller closes its descriptor.
 * -ENOENT: none is needed; the numbers in @need_ret are valid. Another -errno: nothing is.
 */
int device_need(const struct device *device, struct cpuprobe_need *need_ret);

/**
 * device_unwind() - hand over the table of a file.
 * @need: as device_need() named it
 * @table: NULL: the file has no call frame information
 * -ESTALE: no longer needed. -ENOSPC, -EDQUOT, -ENOMEM: no room. -EINVAL: the table is invalid.
 */
int device_unwind(const struct device *device, const struct cpuprobe_need *need,
		  const struct sym_unwind *table);

#endif
