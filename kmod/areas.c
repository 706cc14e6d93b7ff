// SPDX-License-Identifier: GPL-2.0-only
/* Areas by address: see areas.h. */
#include "areas.h"

int areas_check(const struct cpuprobe_area *area, u32 nr, u32 *nr_objects_ret)
{
	u32 nr_objects = CPUPROBE_OBJECT_FIRST, i;

	for (i = 0; i < nr; i++) {
		const struct cpuprobe_area *last = i ? &area[i - 1] : NULL;

		if (area[i].start >= area[i].end || area[i].object >= CPUPROBE_OBJECTS ||
		    (area[i].object && area[i].object < CPUPROBE_OBJECT_FIRST))
			return -EINVAL;
		if (!area[i].pid && (area[i].space || !area[i].object))
			return -EINVAL;
		if (last && (last->pid > area[i].pid ||
			     (last->pid == area[i].pid && last->end > area[i].start)))
			return -EINVAL;
		if (area[i].object >= nr_objects)
			nr_objects = area[i].object + 1;
	}
	*nr_objects_ret = nr_objects;
	return 0;
}

const struct cpuprobe_area *areas_find(const struct cpuprobe_area *area, u32 nr, u32 pid, u64 addr)
{
	u32 low = 0, high = nr;

	/* Find the first area that begins after the address: its predecessor may hold it. */
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (area[middle].pid > pid ||
		    (area[middle].pid == pid && area[middle].start > addr))
			high = middle;
		else
			low = middle + 1;
	}
	if (!low || area[low - 1].pid != pid || addr >= area[low - 1].end)
		return NULL;
	return &area[low - 1];
}
