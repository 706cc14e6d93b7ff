/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sample costs on this machine: measured when the module is loaded, for each kind of session
 * with its own handler, and where its stack is as deep as one may be. The limits rest on it.
 */
#ifndef CPUPROBE_CALIBRATE_H
#define CPUPROBE_CALIBRATE_H

#include "cpuprobe.h"

/**
 * calibrate() - measure; takes some 20 ms on one CPU. By the process that loads the module, which
 * must have memory of its own. May sleep. -ENOMEM.
 */
int calibrate(void);

/**
 * calibrate_cost_ns() - what a sample of a session is taken to cost, interrupt and handler: @start
 * tells the kind. 0: not known, since the clock is too coarse. Any context.
 */
u32 calibrate_cost_ns(const struct cpuprobe_start *start);

/** calibrate_handler_ns() - the handler's part of a sample's cost. Any context. */
u32 calibrate_handler_ns(u32 cost_ns);

/** calibrate_describe() - fill in all costs. */
void calibrate_describe(struct cpuprobe_info *info);

#endif
