/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The number that tells rules of living tables from rules of freed ones: see struct unwind_memo. An epoch ends
 * with each table that retires, and with time. Pure arithmetic.
 */
#ifndef CPUPROBE_EPOCH_H
#define CPUPROBE_EPOCH_H

#include "pure.h"

/**
 * epoch_of() - the present epoch. None returns: time fills the low half after decades only, and tables cannot
 * retire 2^32 times within one step.
 * @nr_retired: tables that have retired
 * @time: in any unit, from any begin. Does not wrap: 64-bit jiffies, not their low half
 * @step: time after which an epoch ends by itself
 */
static __always_inline u64 epoch_of(u32 nr_retired, u64 time, u64 step)
{
	return ((u64)nr_retired << 32) + time / step;
}

#endif
