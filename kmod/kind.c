// SPDX-License-Identifier: GPL-2.0-only
/* The list of kinds: see kind.h. */
#include "kind.h"

const struct kind *kind_of(const struct cpuprobe_start *start)
{
	switch (start->what) {
	case CPUPROBE_WHAT_SYSTEM:
		return start->by ? &kind_by : &kind_system;
	case CPUPROBE_WHAT_PROCESS:
		return &kind_process;
	case CPUPROBE_WHAT_LATE:
		return &kind_late;
	case CPUPROBE_WHAT_STACKS:
		return &kind_stacks;
	default:
		return NULL;
	}
}
