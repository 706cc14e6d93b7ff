/* SPDX-License-Identifier: GPL-2.0-only */
/* Weight of stacks that have something in common: samples and time. Pure. */
#ifndef WEIGHT_H
#define WEIGHT_H

#include <stdbool.h>

#include "profile/profile.h"

struct weight {
	u64 hits;
	double ns;
	u64 self_hits;		/* hits in which the function itself ran: it was the leaf */
	double self_ns;
};

/** weight_add() - add one stack. self_ns never grows more than ns, so it never exceeds ns. */
static inline void weight_add(struct weight *weight, const struct profile_stack *stack,
			      bool is_self)
{
	weight->hits += stack->hits;
	weight->ns += stack->ns;
	weight->self_hits += is_self ? stack->hits : 0;
	weight->self_ns += is_self ? stack->ns : 0;
}

/**
 * weight_share(), weight_self_share() - share of @base's time, 0 to 1; the latter only of the
 * function itself. 0 if the base has no time.
 */
double weight_share(const struct weight *weight, const struct weight *base);
double weight_self_share(const struct weight *weight, const struct weight *base);

#endif
