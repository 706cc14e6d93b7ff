// SPDX-License-Identifier: GPL-2.0-only
/* The caller of locking code: see caller.h. */
#include <linux/spinlock.h>

#include "arch.h"
#include "caller.h"

#define FRAMES_MAX 8

u64 caller_outside_locks(struct task_struct *task, struct pt_regs *regs)
{
	unsigned long addr = arch_pc(regs), found;
	struct unwind_state state;
	int frames;

	if (!in_lock_functions(addr))
		return addr;
	/* The unwinder begins with the caller of the function in the registers. */
	unwind_start(&state, task, regs, NULL);
	for (frames = 0; frames < FRAMES_MAX && !unwind_done(&state); frames++) {
		found = unwind_get_return_address(&state);
		if (!found)
			break;
		addr = found;
		if (!in_lock_functions(addr))
			break;
		unwind_next_frame(&state);
	}
	return addr;
}
