// SPDX-License-Identifier: GPL-2.0-only
/* The table of the kinds of session: see run_kind.h. */
#include "run/run_kind.h"

const struct run_kind *run_kind_of(u32 what)
{
	switch ((enum cpuprobe_what)what) {
	case CPUPROBE_WHAT_SYSTEM:
		break;
	case CPUPROBE_WHAT_PROCESS:
		return &run_kind_process;
	case CPUPROBE_WHAT_LATE:
		return &run_kind_late;
	case CPUPROBE_WHAT_STACKS:
		return &run_kind_stacks;
	}
	return &run_kind_system;
}

u32 run_kind_cost_ns(const struct cpuprobe_info *info, const struct cpuprobe_start *start)
{
	/* An NMI costs two interrupts more, as the module assumes: that of its sender, and itself. */
	u32 more_ns = start->flags & CPUPROBE_START_NMI ? 2 * info->cost_ns : 0;

	/* An older module does not report the cost of each kind. */
	if (info->size < sizeof(*info))
		return info->cost_ns;
	return info->sample_cost_ns[run_kind_of(start->what)->cost(start)] + more_ns;
}
