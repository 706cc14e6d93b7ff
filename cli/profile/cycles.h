/* SPDX-License-Identifier: GPL-2.0-only */
/* Cycles of a graph: its strongly connected components of more than one node. Pure. */
#ifndef CYCLES_H
#define CYCLES_H

#include <stdint.h>

#define CYCLES_NONE	UINT32_MAX

/**
 * cycles_find() - R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1
 * (1972), on a stack of its own: paths may be as long as there are nodes.
 * @nr: nodes
 * @first: nr + 1 positions in @to: where the edges that leave a node begin, and end
 * @cycle_ret: nr; number of the cycle that a node belongs to, or CYCLES_NONE
 * -ENOMEM.
 */
int cycles_find(uint32_t nr, const uint32_t *first, const uint32_t *to, uint32_t *cycle_ret,
		uint32_t *nr_cycles_ret);

#endif
