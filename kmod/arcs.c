// SPDX-License-Identifier: GPL-2.0-only
/* Calls counted by arc: see arcs.h. */
#include "arcs.h"

void arcs_init(struct arcs *arcs, struct arc *place, u64 nr_places)
{
	memset(arcs, 0, sizeof(*arcs));
	arcs->place = place;
	arcs->nr_starts = nr_places - (CPUPROBE_CALLS_SEARCH - 1);
}

/* Whether the place is the key's own, perhaps claimed just now. */
static inline bool get_place(struct arc *arc, u64 key)
{
	u64 found = local_read(&arc->key);

	if (!found)
		found = (u64)local_cmpxchg(&arc->key, 0, key) ?: key;
	return found == key;
}

void notrace arcs_count(struct arcs *arcs, u64 key, u32 context)
{
	struct arc *first = arcs_first(arcs, key);
	u32 step;

	for (step = 0; step < CPUPROBE_CALLS_SEARCH; step++)
		if (get_place(first + step, key)) {
			local_inc(&first[step].calls[context]);
			return;
		}
	local_inc(&arcs->lost);
}
