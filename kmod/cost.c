// SPDX-License-Identifier: GPL-2.0-only
/* The costs that calibrate.c measures and the limits rest on: see cost.h. */
#include <linux/string.h>

#include "cost.h"
#include "kind.h"
#include "param.h"

static struct param sample_cost_ns = { .value = 0, .least = 0, .most = 1000000 };
PARAM(sample_cost_ns, "assumed cost of a sample of any kind, in ns; 0: measure at load (0)");

static u32 interrupt_ns;		/* with an empty handler */
static u32 cost_ns[CPUPROBE_COSTS];	/* enum cpuprobe_cost; 0: unknown */

void cost_set_interrupt(u32 ns)
{
	interrupt_ns = ns;
}

/*
 * An interrupt of user code costs more than one of the measuring loop: it enters and leaves the
 * kernel, and evicts user code's data from the caches. The module adds half an interrupt for this.
 */
void cost_set(u32 cost, u32 ns)
{
	cost_ns[cost] = ns ? ns + interrupt_ns / 2 : 0;
}

static u32 cost_at(u32 cost)
{
	return sample_cost_ns.value ?: cost_ns[cost];
}

void cost_set_tables(u32 more_ns)
{
	u32 user = cost_ns[CPUPROBE_COST_STACKS + CPUPROBE_FRAMES_USER - 1];
	u32 both = cost_ns[CPUPROBE_COST_STACKS + (CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL) - 1];

	cost_ns[CPUPROBE_COST_TABLES] = user ? user + more_ns : 0;
	cost_ns[CPUPROBE_COST_TABLES + 1] = both ? both + more_ns : 0;
}

/* Stacks have one cost for each value of @start->frames; in other kinds frames is 0. */
u32 cost_of_sample_ns(const struct cpuprobe_start *start)
{
	u32 ns;

	if (start->flags & CPUPROBE_START_UNWIND)
		ns = cost_at(CPUPROBE_COST_TABLES + !!(start->frames & CPUPROBE_FRAMES_KERNEL));
	else
		ns = cost_at(kind_of(start)->cost + (start->frames ? start->frames - 1 : 0));
	/* The timer's interrupt of the sender, sending, and the NMI. */
	return ns && start->flags & CPUPROBE_START_NMI ? ns + 2 * interrupt_ns : ns;
}

u32 cost_of_handler_ns(u32 cost)
{
	return max(cost / 2, cost - min(cost, interrupt_ns));
}

void cost_describe(struct cpuprobe_info *info)
{
	u32 i;

	info->cost_ns = interrupt_ns;
	for (i = 0; i < CPUPROBE_COSTS; i++)
		info->sample_cost_ns[i] = cost_at(i);
}
