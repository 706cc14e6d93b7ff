// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of the whole system: records of tasks, with hits by CPU mode. */
#include "run/run_kind.h"

static unsigned int system_cost(const struct cpuprobe_start *start)
{
	return start->by ? CPUPROBE_COST_BY : CPUPROBE_COST_SYSTEM;
}

static size_t system_buffer_len(const struct cpuprobe_start *start)
{
	return CPUPROBE_RECORDS * sizeof(struct cpuprobe_record);
}

static u64 system_sum(const struct cpuprobe_account *account, const void *entries)
{
	const struct cpuprobe_record *record = entries;
	u64 sum = run_kind_sum_others(account);
	u32 i;
	int mode;

	for (i = 0; i < account->entries; i++)
		for (mode = 0; mode < CPUPROBE_MODES; mode++)
			sum += record[i].hits[mode];
	return sum;
}

const struct run_kind run_kind_system = {
	.cost = system_cost,
	.buffer_len = system_buffer_len,
	.sum = system_sum,
	.wake_seconds = 0.002,
	.fills_up = true,
	.loss_hint = "-by exe or -by comm needs fewer records",
};
