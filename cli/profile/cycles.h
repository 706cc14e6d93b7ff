/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the cycles of a graph: its strongly connected components of more than one node. Pure. */
#ifndef CYCLES_H
#define CYCLES_H

#include "types.h"

#define CYCLES_NONE	UINT32_MAX

/**
 * cycles_find() - find cycles as R. Tarjan, "Depth-first search and linear graph algorithms", SIAM
 * J. Comput. 1 (1972), with an explicit stack, as paths may be long. Returns 0 or -ENOMEM.
 * @nr: nodes
 * @first: nr + 1 positions in @to: where the outgoing edges of each node begin; the last is the end
 * @cycle_ret: nr entries: number of the cycle of each node, or CYCLES_NONE
 */
int cycles_find(u32 nr, const u32 *first, const u32 *to, u32 *cycle_ret, u32 *nr_cycles_ret);

#endif
