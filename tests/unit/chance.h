/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers of simulations: the same in each run of a test, which chooses the seed. */
#ifndef CHANCE_H
#define CHANCE_H

#include "types.h"

static u64 chance_state;

static inline void chance_seed(u64 seed)
{
	chance_state = seed;
}

/* Between 0 and 1, never either of them. */
static inline double chance_uniform(void)
{
	chance_state = chance_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((chance_state >> 11) + 0.5) / 9007199254740992.0;
}

/* How many of @n samples hit a share of @p. */
static inline u64 chance_binomial(u64 n, double p)
{
	u64 hits = 0;

	while (n--)
		hits += chance_uniform() < p;
	return hits;
}

#endif
