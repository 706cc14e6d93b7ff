// SPDX-License-Identifier: GPL-2.0-only
/* Stack sessions: one record per distinct stack, as long as its frames require. */
#include "run/run_kind.h"

static unsigned int stacks_cost(const struct cpuprobe_start *start)
{
	/* Following user frames by tables costs more. */
	if (start->flags & CPUPROBE_START_UNWIND)
		return CPUPROBE_COST_TABLES + (start->frames != CPUPROBE_FRAMES_USER);
	return CPUPROBE_COST_STACKS + start->frames - 1;
}

static size_t stacks_buffer_len(const struct cpuprobe_start *start)
{
	return (start->stack_kib ? start->stack_kib : CPUPROBE_STACK_KIB) * (size_t)512;
}

const struct cpuprobe_stack *run_kind_next_stack(const struct cpuprobe_account *account,
						 const void *entries,
						 const struct cpuprobe_stack *stack)
{
	const char *start = (const char *)entries + account->objects * sizeof(struct cpuprobe_exe);
	const char *end = (const char *)entries + account->bytes;
	const char *next = !stack ? start :
		(const char *)&stack->frame[stack->nr_kernel + stack->nr_user];

	return next < end ? (const struct cpuprobe_stack *)next : NULL;
}

static u64 stacks_sum(const struct cpuprobe_account *account, const void *entries)
{
	const struct cpuprobe_stack *stack = NULL;
	u64 sum = run_kind_sum_others(account);

	while ((stack = run_kind_next_stack(account, entries, stack)))
		sum += stack->hits;
	return sum;
}

const struct run_kind run_kind_stacks = {
	.cost = stacks_cost,
	.buffer_len = stacks_buffer_len,
	.sum = stacks_sum,
	.wake_seconds = 0.002,
	.names_tasks = true,
	.loss_hint = "-memory enlarges the table of stacks",
};
