/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the module refuses to hook functions: shared by counting and by following calls. */
#ifndef DEVICE_HOOKS_H
#define DEVICE_HOOKS_H

#include "run/device.h"

/** A refused request. */
struct device_hooks {
	const char *action;	/* for the message */
	u32 reason;		/* enum cpuprobe_reason */
	u32 used_overhead_ppm, holder_pid;
	const char *holder_comm;	/* at most 16 bytes */
	bool hooks_returns;
};

/** device_hooks_explain() - explain a refusal. @error: errno of the ioctl. Returns -errno. */
int device_hooks_explain(const struct device_hooks *refused, const struct cpuprobe_info *info, int error,
			 struct text_error *error_ret);

#endif
