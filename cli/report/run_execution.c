// SPDX-License-Identifier: GPL-2.0-only
/* The time of one execution of a run with stacks: see run_execution.h. */
#include <math.h>

#include "base/execution.h"
#include "report/flat.h"
#include "report/run_execution.h"

struct share run_execution(const struct profile *profile, u64 executions)
{
	double ns = 0, share;
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++)
		if (flat_is_in_base(profile, &profile->stacks[i], FLAT_BASE_TARGET))
			ns += profile->stacks[i].ns;
	/* The times of a saved run need not fit together. */
	share = profile->taken_ns > 0 ? fmin(ns / profile->taken_ns, 1) : 0;
	return share_of(share, stat_wilson_share(share, profile->taken, profile->excess),
			profile->taken_ns / executions);
}

void run_execution_print(FILE *out, const struct profile *profile, u64 executions, int cols)
{
	struct share time;

	if (!executions)
		return;
	time = run_execution(profile, executions);
	execution_print(out, &time, profile->counts_events, executions, cols);
}

void run_execution_json(FILE *out, const struct profile *profile, u64 executions)
{
	struct share time;

	if (!executions)
		return;
	time = run_execution(profile, executions);
	execution_json(out, &time, profile->counts_events, executions);
}
