/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for tests of the sampling instants: a period, and random delays. */
#ifndef GRIDS_H
#define GRIDS_H

#include <math.h>

#include "unit.h"
#include "grid.h"

#define T 1000000ULL	/* period, ns */

static inline u64 random_below(u64 limit)
{
	static u64 lcg = 12345;

	lcg = lcg * 6364136223846793005ULL + 1442695040888963407ULL;
	return (lcg >> 33) % limit;
}

#endif
