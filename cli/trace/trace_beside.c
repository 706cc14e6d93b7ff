// SPDX-License-Identifier: GPL-2.0-only
/* Samples beside a trace: see trace_beside.h. */
#include <stdlib.h>

#include "trace/trace_beside.h"

struct trace_beside *trace_beside_create(u32 nr_functions)
{
	struct trace_beside *beside = calloc(1, sizeof(*beside));

	if (!beside)
		return NULL;
	beside->nr_functions = nr_functions;
	beside->samples = calloc((size_t)nr_functions + 1, sizeof(*beside->samples));
	if (beside->samples)
		return beside;
	free(beside);
	return NULL;
}

void trace_beside_destroy(struct trace_beside *beside)
{
	if (!beside)
		return;
	free(beside->samples);
	free(beside);
}

bool trace_beside_holds(const struct trace_beside *beside)
{
	const struct trace_beside_totals *totals = &beside->totals;
	u64 left = totals->taken;
	u32 i;

	for (i = 0; i < beside->nr_functions; i++) {
		if (beside->samples[i] > left)
			return false;
		left -= beside->samples[i];
	}
	return totals->hooks <= left && totals->outside == left - totals->hooks &&
		totals->lost <= totals->outside;
}
