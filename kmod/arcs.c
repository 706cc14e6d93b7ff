// SPDX-License-Identifier: GPL-2.0-only
/* Calls counted by arc: see arcs.h. */
#include "arcs.h"

#define PLACES_MAX	(1ULL << 24)

u64 arcs_places(u64 bytes)
{
	u64 nr = bytes / sizeof(struct arc);

	return nr < PLACES_MAX ? 1ULL << (fls64(nr) - 1) : PLACES_MAX;
}

void arcs_init(struct arcs *arcs, struct arc *place, u64 nr_places)
{
	memset(arcs, 0, sizeof(*arcs));
	arcs->place = place;
	arcs->mask = (nr_places - 1) * sizeof(struct arc);
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
	u64 first = arcs_first(arcs, key) - arcs->place, last = arcs_size(arcs) - 1;
	u32 step;

	for (step = 0; step < CPUPROBE_CALLS_SEARCH; step++) {
		struct arc *arc = &arcs->place[(first + step) & last];

		if (get_place(arc, key)) {
			local_inc(&arc->calls[context]);
			return;
		}
	}
	local_inc(&arcs->lost);
}
