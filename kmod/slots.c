// SPDX-License-Identifier: GPL-2.0-only
/* Slots over an address range: see slots.h. */
#include "slots.h"

int slots_layout_init(struct slots_layout *layout, u64 low, u64 high)
{
	u64 base;
	u32 shift = 0;

	if (low >= high)
		return -EINVAL;
	/* high - 1: no overflow at the top of the address space. */
	for (;; shift++) {
		base = low >> shift << shift;
		if ((high - 1 - base) >> shift < CPUPROBE_SLOTS)
			break;
	}
	layout->low = low;
	layout->high = high;
	layout->base = base;
	layout->shift = shift;
	layout->nr_slots = ((high - 1 - base) >> shift) + 1;
	return 0;
}

static u64 sum_slot_counts(const u64 *counts, u32 nr)
{
	u64 total = 0;
	u32 i;

	for (i = 0; i < nr; i++)
		total += counts[i];
	return total;
}

u64 slots_hits(const struct slots *slots)
{
	return sum_slot_counts(slots->hits, CPUPROBE_SLOTS);
}

u64 slots_objects(const struct slots *slots)
{
	return sum_slot_counts(slots->objects, CPUPROBE_OBJECTS);
}
