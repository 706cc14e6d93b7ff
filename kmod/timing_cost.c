// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a timed call: two functions of this module, of which one calls the other in a
 * loop, compared with a loop that calls a function without a hook.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "rounds.h"
#include "timed_calls.h"

#define CALLS		256

noinline void cpuprobe_timed(void);
noinline void cpuprobe_timed_caller(void);
noinline void cpuprobe_untimed(void);

noinline void cpuprobe_timed(void)
{
	barrier();
}

noinline void cpuprobe_timed_caller(void)
{
	u32 i;

	for (i = 0; i < CALLS; i++)
		cpuprobe_timed();
}

noinline notrace void cpuprobe_untimed(void)
{
	barrier();
}

unsigned long timing_own(u32 i)
{
	return (unsigned long)(i ? cpuprobe_timed : cpuprobe_timed_caller);
}

/** Ticks of a round of CALLS calls. */
struct round {
	s64 cost;
	s64 own;
	s64 seen;
};

static u64 time_loop(const struct ticks *ticks)
{
	u64 started = ticks_now(ticks);
	u32 i;

	for (i = 0; i < CALLS; i++)
		cpuprobe_untimed();
	return ticks_now(ticks) - started;
}

/* Preemption off: the calls end on this CPU. */
static void measure_functions(struct timed_calls *calls, struct round *round)
{
	struct node_time *caller = &timing_here(&calls->timing)->time[calls->nr + 1];
	struct node_time *callee = caller + 1;
	s64 wall = local_read(&caller->wall), net = local_read(&caller->net);
	s64 own = local_read(&callee->wall);

	cpuprobe_timed_caller();
	wall = local_read(&caller->wall) - wall;
	net = local_read(&caller->net) - net;
	round->own = local_read(&callee->wall) - own;
	round->cost = wall - time_loop(&calls->timing.ticks);
	round->seen = wall - net;
}

/* The tracepoints' own cost is not in it. */
static void measure_syscalls(struct timed_calls *calls, struct round *round)
{
	struct node_time *sums = &timing_here(&calls->timing)->time[calls->nr + 1];
	u64 started = ticks_now(&calls->timing.ticks);
	s64 own = local_read(&sums->wall);
	u32 i;

	for (i = 0; i < CALLS; i++) {
		timing_begin(&calls->timing, NULL, CPUPROBE_NODE_FUNCTION, calls->nr);
		timing_end_syscall(&calls->timing, false);
	}
	round->cost = ticks_now(&calls->timing.ticks) - started;
	round->own = local_read(&sums->wall) - own;
	round->seen = round->own;
}

/* The lower quartile of a member of all rounds. */
static u64 quartile(const struct round *round, size_t member)
{
	s64 value[ROUNDS];
	u32 i;

	for (i = 0; i < ROUNDS; i++)
		value[i] = *(const s64 *)((const char *)&round[i] + member);
	return max_t(s64, rounds_quartile(value), 0);
}

/* Picoseconds of a call. */
static u32 call_ps(const struct ticks *ticks, u64 nr)
{
	return min_t(u64, ticks_to_ns(ticks, nr) * 1000 / CALLS, U32_MAX);
}

/* Calls that began in the measurement, on all CPUs. */
static u64 nr_timed(const struct timed_calls *calls)
{
	unsigned int cpu;
	u64 nr = 0;

	for_each_possible_cpu(cpu) {
		const struct node_time *own = &per_cpu_ptr(calls->timing.cpu, cpu)->time[calls->nr + 1];

		nr += local_read(&own[0].ended) + local_read(&own[1].ended);
	}
	return nr;
}

/* For rounds_measure(). */
static int measure_rounds(void *context)
{
	struct timed_calls *calls = context;
	bool is_syscall = calls->type == CPUPROBE_NODE_SYSCALL;
	struct gate *gate = &calls->timing.gate;
	const struct ticks *ticks = &calls->timing.ticks;
	struct round round[ROUNDS];
	u64 nr, cost, own, seen;
	u32 i;

	gate->budget_ns = NSEC_PER_SEC;
	gate->cost_ps = 1;
	timed_calls_begin(calls);
	for (i = 0; i < ROUNDS; i++) {
		preempt_disable();
		if (is_syscall)
			measure_syscalls(calls, &round[i]);
		else
			measure_functions(calls, &round[i]);
		preempt_enable();
		cond_resched();
	}
	gate_prepare(gate);
	nr = nr_timed(calls);
	timing_forget(&calls->timing);
	if (nr != ROUNDS * (is_syscall ? CALLS : CALLS + 1))
		return -ENODEV;
	cost = quartile(round, offsetof(struct round, cost));
	own = quartile(round, offsetof(struct round, own));
	seen = quartile(round, offsetof(struct round, seen));
	if (ticks_to_ns(ticks, cost) < ROUND_MIN_NS)
		return -ERANGE;
	calls->cost = (struct timing_cost){ call_ps(ticks, cost), call_ps(ticks, own), call_ps(ticks, seen) };
	calls->timing.cost = DIV_ROUND_CLOSEST_ULL(cost, CALLS);
	calls->timing.own = DIV_ROUND_CLOSEST_ULL(own, CALLS);
	return 0;
}

int timing_measure(struct timed_calls *calls)
{
	return rounds_measure(measure_rounds, calls);
}
