/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of a sample on this machine. The module measures it when it is loaded, for each kind of
 * session with the handler of that kind and with the deepest stack. The limits rest on this cost.
 */
#ifndef CPUPROBE_CALIBRATE_H
#define CPUPROBE_CALIBRATE_H

#include <linux/types.h>

/**
 * calibrate() - measure all costs; takes some 20 ms on one CPU. The calling process, which loads
 * the module, must have an address space. Call after timers_setup(). May sleep. -EINVAL: no
 * address space; -EFAULT, -ENOMEM.
 */
int calibrate(void);

/**
 * calibrate_tables() - measure what tables add to the cost of user frames. May sleep. The current process
 * must have frames in user memory, as calibrate() makes them. -ENOMEM.
 */
int calibrate_tables(void);

/** calibrate_lower_quartile() - sorts @values. */
u32 calibrate_lower_quartile(u32 *values, u32 nr);

#endif
