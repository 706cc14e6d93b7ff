// SPDX-License-Identifier: GPL-2.0-only
/* Which functions ftrace can hook: see hook.h. */
#include <linux/module.h>
#include <linux/sched.h>

#include "hook.h"

/* ftrace says whether it can hook an address when that address is set in a filter. */
static u32 state_of(struct ftrace_ops *asking, u64 address)
{
	if (within_module(address, THIS_MODULE))
		return CPUPROBE_FUNCTION_OWN;
	return ftrace_set_filter_ip(asking, address, 0, 1) ? CPUPROBE_FUNCTION_UNKNOWN :
		CPUPROBE_FUNCTION_HOOKED;
}

u32 hook_choose(struct cpuprobe_function *function, u32 nr, unsigned long *ips)
{
	/* Never registered: its filter changes no code. */
	struct ftrace_ops asking = { .flags = 0 };
	u32 i, nr_hooked = 0;

	for (i = 0; i < nr; i++) {
		function[i].state = state_of(&asking, function[i].address);
		if (function[i].state == CPUPROBE_FUNCTION_HOOKED)
			ips[nr_hooked++] = function[i].address;
		cond_resched();
		if (fatal_signal_pending(current))
			break;
	}
	ftrace_free_filter(&asking);
	return nr_hooked;
}
