// SPDX-License-Identifier: GPL-2.0-only
/* Weight of stacks: see weight.h. */
#include "profile/weight.h"

static double clamp_share(double ns, const struct weight *base)
{
	double share = ns / base->ns;

	/* Times in a saved run may overflow when added up. */
	return share > 1 ? 1 : share > 0 ? share : 0;
}

double weight_share(const struct weight *weight, const struct weight *base)
{
	return clamp_share(weight->ns, base);
}

double weight_self_share(const struct weight *weight, const struct weight *base)
{
	return clamp_share(weight->self_ns, base);
}
