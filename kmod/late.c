// SPDX-License-Identifier: GPL-2.0-only
/* Lateness and its places: see late.h. */
#include "late.h"

void late_add(struct late *late, bool is_idle, s64 late_ns, u64 handler_ns)
{
	struct cpuprobe_lateness *counts = &late->counts;
	/* A virtual machine may be stopped in a handler for hours; squares must fit. */
	u64 bounded_ns = handler_ns < LATE_HANDLER_MAX_NS ? handler_ns : LATE_HANDLER_MAX_NS;

	counts->hits[is_idle][late_bin(late_ns)]++;
	counts->handler_hits[late_bin(handler_ns)]++;
	counts->handler_ns += bounded_ns;
	counts->handler_ns2 += bounded_ns * bounded_ns;
	if (!counts->handler_min_ns || handler_ns < counts->handler_min_ns)
		counts->handler_min_ns = handler_ns;
	if (handler_ns > counts->handler_max_ns)
		counts->handler_max_ns = handler_ns;
}

/* Code addresses differ in their lower bits; the product spreads these to its upper half. */
static u32 first_place(u64 pc, u64 caller)
{
	u64 x = (pc ^ (caller << 21 | caller >> 43)) * 0x9e3779b97f4a7c15ULL;

	return (x >> 32) % CPUPROBE_LATE_PLACES;
}

struct cpuprobe_place *late_place(struct late *late, u64 pc, u64 caller)
{
	u32 first = first_place(pc, caller), step;

	for (step = 0; step < CPUPROBE_SEARCH; step++) {
		struct cpuprobe_place *place =
			&late->counts.place[(first + step) % CPUPROBE_LATE_PLACES];

		if (place->hits && place->pc == pc && place->caller == caller)
			return place;
		if (!place->hits) {
			place->pc = pc;
			place->caller = caller;
			WRITE_ONCE(late->nr_places, late->nr_places + 1);
			return place;
		}
	}
	return NULL;
}

u64 late_hits(const struct late *late)
{
	u64 hits = 0;
	u32 bin;

	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
		hits += late->counts.hits[0][bin] + late->counts.hits[1][bin];
	return hits;
}

u64 late_deferred(const struct late *late)
{
	u64 hits = 0;
	u32 i;

	for (i = 0; i < CPUPROBE_LATE_PLACES; i++)
		hits += late->counts.place[i].hits;
	return hits;
}
