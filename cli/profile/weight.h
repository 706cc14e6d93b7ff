/* SPDX-License-Identifier: GPL-2.0-only */
/* What stacks that have something in common come to. Pure. */
#ifndef WEIGHT_H
#define WEIGHT_H

#include <stdbool.h>

#include "profile/profile.h"

struct weight {
	uint64_t hits;
	double ns;
	uint64_t self_hits;	/* of hits: the function in question itself ran, nothing below it */
	double self_ns;
};

/** weight_add() - one stack. Of self_ns never more is added than of ns: it stays the smaller. */
static inline void weight_add(struct weight *weight, const struct profile_stack *stack,
			      bool is_self)
{
	weight->hits += stack->hits;
	weight->ns += stack->ns;
	weight->self_hits += is_self ? stack->hits : 0;
	weight->self_ns += is_self ? stack->ns : 0;
}

/**
 * weight_share(), weight_self_share() - of @base, by time, the latter of what the function itself
 * ran: 0 to 1; 0 where the base has no time.
 */
double weight_share(const struct weight *weight, const struct weight *base);
double weight_self_share(const struct weight *weight, const struct weight *base);

#endif
