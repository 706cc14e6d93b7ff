/* SPDX-License-Identifier: GPL-2.0-only */
/* What one timer interrupt costs on this machine, measured when the module is loaded. */
#ifndef CPUPROBE_CALIBRATE_H
#define CPUPROBE_CALIBRATE_H

#include <linux/types.h>

/** calibrate() - measure; takes a few milliseconds on one CPU. May sleep. */
void calibrate(void);

/** calibrate_cost_ns() - the result: nanoseconds per interrupt, at least 1. */
u32 calibrate_cost_ns(void);

#endif
