// SPDX-License-Identifier: GPL-2.0-only
/* The areas of a session whose addresses the tool places itself: see tally.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "areas.h"
#include "bpf/tally.h"

int area_list_set(struct area_list *list, const struct cpuprobe_area *areas, size_t nr_areas,
		  struct text_error *error_ret)
{
	struct cpuprobe_area *copy;
	u32 nr_objects;

	if (nr_areas > CPUPROBE_AREAS_MAX || areas_check(areas, nr_areas, &nr_objects))
		return text_fail(error_ret, -EINVAL, "set the memory map: areas in disorder");
	copy = calloc(nr_areas + 1, sizeof(*copy));
	if (!copy)
		return text_fail(error_ret, -ENOMEM, "set the memory map: out of memory");
	if (nr_areas)
		memcpy(copy, areas, nr_areas * sizeof(*copy));
	free(list->area);
	*list = (struct area_list){ copy, nr_areas, nr_objects, true };
	return 0;
}
