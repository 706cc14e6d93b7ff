// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of the two events of a call: a function of this module that is hooked, compared with
 * one that is not. The events themselves tell which part of it lies between them.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "rounds.h"
#include "tracer.h"

/* Their events fit into the least memory. */
#define CALLS		64

noinline void cpuprobe_followed(void);
noinline void cpuprobe_unfollowed(void);

noinline void cpuprobe_followed(void)
{
	barrier();
}

noinline notrace void cpuprobe_unfollowed(void)
{
	barrier();
}

unsigned long tracer_own(void)
{
	return (unsigned long)cpuprobe_followed;
}

static u64 time_loop(const struct ticks *ticks, void (*function)(void))
{
	u64 started = ticks_now(ticks);
	u32 i;

	for (i = 0; i < CALLS; i++)
		function();
	return ticks_now(ticks) - started;
}

/* Nanoseconds between the events of all calls; -1: other events, or none, are there. */
static s64 time_between(const struct events *events)
{
	const struct cpuprobe_event *slot = events_slot(events, 1);
	u64 sum = 0;
	u32 i;

	if (local_read(&events->next) != 1 + 2 * CALLS)
		return -1;
	for (i = 0; i < CALLS; i++, slot += 2)
		sum += (slot[1].head >> CPUPROBE_EVENT_TIME_SHIFT) - (slot[0].head >> CPUPROBE_EVENT_TIME_SHIFT);
	return sum;
}

/* A round of calls. False: they were not recorded. */
static bool measure_round(struct tracer *tracer, s64 *cost_ret, s64 *own_ret)
{
	const struct ticks *ticks = &tracer->ticks;
	struct events *events;

	preempt_disable();
	events = &this_cpu_ptr(tracer->cpu)->events;
	events_clear(events);
	*cost_ret = time_loop(ticks, cpuprobe_followed);
	*cost_ret -= time_loop(ticks, cpuprobe_unfollowed);
	*own_ret = time_between(events);
	preempt_enable();
	return *own_ret >= 0;
}

/* For rounds_measure(). */
static int measure_rounds(void *context)
{
	struct tracer *tracer = context;
	s64 cost[ROUNDS], own[ROUNDS];
	bool is_recorded = true;
	u64 cost_ns, own_ns;
	u32 i;

	tracer->gate.budget_ns = NSEC_PER_SEC;
	tracer->gate.cost_ps = 1;
	gate_open(&tracer->gate, &tracer->cpu->gate);
	tracer->began = ticks_now(&tracer->ticks);
	smp_store_release(&tracer->state, TRACER_RECORDING);
	WRITE_ONCE(tracer->measured, current);
	for (i = 0; i < ROUNDS && is_recorded; i++) {
		is_recorded = measure_round(tracer, &cost[i], &own[i]);
		cond_resched();
	}
	WRITE_ONCE(tracer->measured, NULL);
	gate_prepare(&tracer->gate);
	tracer->state = TRACER_WAITING;
	if (!is_recorded)
		return -ENODEV;
	cost_ns = ticks_to_ns(&tracer->ticks, max_t(s64, rounds_quartile(cost), 0));
	own_ns = rounds_quartile(own);
	if (cost_ns < ROUND_MIN_NS)
		return -ERANGE;
	tracer->cost.cost_ps = min_t(u64, cost_ns * 1000 / CALLS, U32_MAX);
	tracer->cost.own_ps = min_t(u64, own_ns * 1000 / CALLS, tracer->cost.cost_ps);
	return 0;
}

int tracer_measure(struct tracer *tracer)
{
	return rounds_measure(measure_rounds, tracer);
}
