// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a counted call: a function of this module that is hooked, compared with one
 * that is not.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "hook.h"
#include "now.h"
#include "rounds.h"

#define CALLS		256

noinline void cpuprobe_hooked(void);
noinline void cpuprobe_plain(void);

noinline void cpuprobe_hooked(void)
{
	barrier();
}

noinline notrace void cpuprobe_plain(void)
{
	barrier();
}

unsigned long hook_own(void)
{
	return (unsigned long)cpuprobe_hooked;
}

static s64 calls_ns(void (*function)(void))
{
	u64 started = clock_ns();
	u32 i;

	for (i = 0; i < CALLS; i++)
		function();
	return clock_ns() - started;
}

/* The additional time of CALLS hooked calls. */
static s64 measure_rounds(void)
{
	s64 more[ROUNDS];
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		preempt_disable();
		more[i] = calls_ns(cpuprobe_hooked);
		more[i] -= calls_ns(cpuprobe_plain);
		preempt_enable();
		cond_resched();
	}
	return rounds_quartile(more);
}

/* Calls of hook_own() that a trial has counted, on all CPUs. */
static u64 nr_counted(const struct hook *trial)
{
	unsigned int cpu;
	u64 nr = 0, i;

	for_each_possible_cpu(cpu) {
		const struct arcs *arcs = &per_cpu_ptr(trial->cpu, cpu)->arcs;

		for (i = 0; i < arcs_size(arcs); i++)
			nr += local_read(&arcs->place[i].calls[CPUPROBE_CONTEXT_PROCESS]);
	}
	return nr;
}

/* Cost of a call in picoseconds, for each handler; 0: not measured yet. */
static u64 cost_ps[2];

u64 hook_cost_ps(bool is_filtered)
{
	return READ_ONCE(cost_ps[is_filtered]);
}

/* For rounds_measure(); the cost is in the gate of the trial, which @context is. */
static int measure_trial(void *context)
{
	struct hook *trial = context;
	u64 nr = nr_counted(trial);
	s64 more_ns;

	hook_begin(trial);
	more_ns = measure_rounds();
	gate_close(&trial->gate);
	if (nr_counted(trial) - nr != ROUNDS * CALLS)
		return -ENODEV;
	if (more_ns < ROUND_MIN_NS)
		return -ERANGE;
	/* Half as much again: calls find their counts in cold caches more often than this loop. */
	trial->gate.cost_ps = more_ns * 1500 / CALLS;
	return 0;
}

int hook_measure(struct hook *trial, bool is_filtered)
{
	int error;

	trial->gate.budget_ns = NSEC_PER_SEC;
	trial->gate.cost_ps = 1;
	error = rounds_measure(measure_trial, trial);
	if (!error)
		WRITE_ONCE(cost_ps[is_filtered], trial->gate.cost_ps);
	return error;
}
