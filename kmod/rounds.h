/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rounds of calls that measure the cost of a hook. The lower quartile counts, because a virtual machine
 * may lose the processor in any round.
 */
#ifndef CPUPROBE_ROUNDS_H
#define CPUPROBE_ROUNDS_H

#include <linux/sort.h>
#include <linux/types.h>

#define ROUNDS		33
/* A cost of fewer nanoseconds a round is too inexact: a clock of such steps cannot measure it. */
#define ROUND_MIN_NS	64

static inline int rounds_compare(const void *a, const void *b)
{
	s64 x = *(const s64 *)a, y = *(const s64 *)b;

	return (x > y) - (x < y);
}

/** rounds_quartile() - the lower quartile of ROUNDS values, which are sorted. */
static inline s64 rounds_quartile(s64 *value)
{
	sort(value, ROUNDS, sizeof(*value), rounds_compare, NULL);
	return value[ROUNDS / 4];
}

#endif
