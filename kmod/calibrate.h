/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of a sample on this machine. The module measures it when it is loaded, for each kind of
 * session with the handler of that kind and with the deepest stack. The limits rest on this cost.
 */
#ifndef CPUPROBE_CALIBRATE_H
#define CPUPROBE_CALIBRATE_H

#include "cpuprobe.h"

/** Above any real cost of a sample; small enough that twice as much fits in 32 bits. */
#define CALIBRATE_COST_MAX_NS	1000000000U

/**
 * calibrate() - measure; takes some 20 ms on one CPU. The calling process, which loads the module,
 * must have an address space. After timers_setup(). May sleep. -EINVAL, -EFAULT, -ENOMEM.
 */
int calibrate(void);

/**
 * calibrate_cost_ns() - what a sample of a session is taken to cost, interrupt and handler: @start
 * tells the kind. 0: it could not be measured, as by a coarse clock. Any context.
 */
u32 calibrate_cost_ns(const struct cpuprobe_start *start);

/** calibrate_handler_ns() - the handler's part of a sample's cost, half at least. Any context. */
u32 calibrate_handler_ns(u32 cost_ns);

/** calibrate_describe() - fill in all costs. */
void calibrate_describe(struct cpuprobe_info *info);

#endif
