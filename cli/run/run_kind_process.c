// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of one process or executable: hits by object, and by slot of one address range. */
#include "run/run_kind.h"

static unsigned int process_cost(const struct cpuprobe_start *start)
{
	return CPUPROBE_COST_PROCESS;
}

static size_t process_buffer_len(const struct cpuprobe_start *start)
{
	return (CPUPROBE_OBJECTS + CPUPROBE_SLOTS) * sizeof(u64);
}

static u64 sum_range(const u64 *count, u32 i, u32 end)
{
	u64 sum = 0;

	for (; i < end; i++)
		sum += count[i];
	return sum;
}

/* The slots come after the objects. */
static u64 process_sum(const struct cpuprobe_account *account, const void *entries)
{
	return run_kind_sum_others(account) +
		sum_range(entries, account->objects, account->entries);
}

/* Every sample of the target is in one object, unless it was lost, which happens with BPF only. */
static bool process_others_add_up(const struct cpuprobe_account *account, const void *entries)
{
	u64 lost = run_kind_sum_others(account) - account->outside - account->other_mode;

	return lost + sum_range(entries, 0, account->objects) == account->taken;
}

const struct run_kind run_kind_process = {
	.cost = process_cost,
	.buffer_len = process_buffer_len,
	.sum = process_sum,
	.others_add_up = process_others_add_up,
	.wake_seconds = 0.1,	/* poll() asks for maps to be read; the table never fills up */
	.loss = "are of processes that ended before they were looked at: they are in no slot",
	.loss_hint = "a longer run has fewer; the module has none",
};
