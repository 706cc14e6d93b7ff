/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sample costs on this machine: measured when the module is loaded, for each kind of session
 * with its own handler, and where its stack is as deep as one may be. The limits rest on it.
 */
#ifndef CPUPROBE_CALIBRATE_H
#define CPUPROBE_CALIBRATE_H

#include "cpuprobe.h"

/**
 * calibrate() - measure; takes some 20 ms on one CPU. The calling process, which loads the module,
 * must have an address space. After clock_setup(). May sleep. -EINVAL, -EFAULT, -ENOMEM.
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
