// SPDX-License-Identifier: GPL-2.0-only
/* The cost of a sample as the module states it: see device.h. */
#include "run/device.h"

uint32_t device_sample_cost_ns(const struct cpuprobe_info *info, const struct cpuprobe_start *start)
{
	uint32_t cost;

	/* A module that does not tell yet. */
	if (info->size < sizeof(*info))
		return info->cost_ns;
	switch (start->what) {
	case CPUPROBE_WHAT_PROCESS:
		cost = CPUPROBE_COST_PROCESS;
		break;
	case CPUPROBE_WHAT_LATE:
		cost = CPUPROBE_COST_LATE;
		break;
	case CPUPROBE_WHAT_STACKS:
		cost = CPUPROBE_COST_STACKS + start->frames - 1;
		break;
	default:
		cost = start->by ? CPUPROBE_COST_BY : CPUPROBE_COST_SYSTEM;
	}
	return info->sample_cost_ns[cost];
}
