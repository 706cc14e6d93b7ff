/* SPDX-License-Identifier: GPL-2.0-only */
/* The cost of a sample on this machine, for each kind of session. The limits rest on it. */
#ifndef CPUPROBE_COST_H
#define CPUPROBE_COST_H

#include "cpuprobe.h"

/** Above any real cost of a sample; small enough that twice as much fits in 32 bits. */
#define COST_MAX_NS	1000000000U

/** cost_set_interrupt() - the cost of an interrupt with an empty handler. Module load, first. */
void cost_set_interrupt(u32 ns);

/** cost_set() - the cost of an enum cpuprobe_cost as measured; 0: it could not be. Module load. */
void cost_set(u32 cost, u32 ns);

/**
 * cost_of_sample_ns() - what a sample of a session is taken to cost, interrupt and handler: @start
 * tells the kind. 0: it could not be measured, as by a coarse clock. Any context.
 */
u32 cost_of_sample_ns(const struct cpuprobe_start *start);

/** cost_of_handler_ns() - the handler's part of a sample's cost, half at least. Any context. */
u32 cost_of_handler_ns(u32 cost_ns);

/** cost_describe() - fill in all costs. */
void cost_describe(struct cpuprobe_info *info);

#endif
