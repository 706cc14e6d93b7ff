// SPDX-License-Identifier: GPL-2.0-only
/* Slots over an address range: see slots.h. */
#include "slots.h"

int slots_layout_init(struct slots_layout *layout, u64 low, u64 high)
{
	u64 base;
	u32 shift = 0;

	if (low >= high)
		return -EINVAL;
	/* high - 1, so that no sum can overflow at the top of the address space. */
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

u64 slots_total(const struct slots *slots)
{
	u64 total = slots->outside + slots->other_mode + slots->other_exe + slots->other_task;
	u32 i;

	for (i = 0; i < CPUPROBE_SLOTS; i++)
		total += slots->hits[i];
	return total;
}
