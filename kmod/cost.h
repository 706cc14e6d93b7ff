/* SPDX-License-Identifier: GPL-2.0-only */
/* The cost of a sample on this machine, for each kind of session. The limits rest on this cost. */
#ifndef CPUPROBE_COST_H
#define CPUPROBE_COST_H

#include "cpuprobe.h"

/** Greater than any real cost of a sample; twice this value fits in 32 bits. */
#define COST_MAX_NS	1000000000U

/** cost_set_interrupt() - set the cost of an interrupt with an empty handler. Call it first. */
void cost_set_interrupt(u32 ns);

/**
 * cost_set() - set a measured cost. Module load.
 * @cost: enum cpuprobe_cost
 * @ns: 0: unknown
 */
void cost_set(u32 cost, u32 ns);

/**
 * cost_set_tables() - set the costs of samples whose user frames are found by tables. Module load, after
 * cost_set() for all kinds.
 * @more_ns: by how much CPUPROBE_FRAMES_MAX frames cost more than by frame pointers
 */
void cost_set_tables(u32 more_ns);

/**
 * cost_of_sample_ns() - assumed cost of a sample of the session that @start describes: interrupt
 * and handler. 0: unknown, for example because of a coarse clock. Any context.
 */
u32 cost_of_sample_ns(const struct cpuprobe_start *start);

/** cost_of_handler_ns() - the handler's part of a sample's cost, at least half. Any context. */
u32 cost_of_handler_ns(u32 cost_ns);

/** cost_describe() - fill in the costs in @info. */
void cost_describe(struct cpuprobe_info *info);

#endif
