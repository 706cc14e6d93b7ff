// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a timed call: two functions of this module, of which one calls the other in a
 * loop, compared with a loop that calls a function without a hook. Lower quartiles, because a virtual
 * machine may lose the processor in any round.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>

#include "timed_calls.h"

#define ROUNDS		33
#define CALLS		256
/* A cost of fewer nanoseconds a round is too inexact: a clock of such steps cannot measure it. */
#define ROUND_MIN_NS	64

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

/** Time of a round of CALLS calls. */
struct round {
	s64 cost_ns;
	s64 own_ns;
	s64 seen_ns;
};

static u64 loop_ns(void)
{
	u64 started_ns = ktime_get_mono_fast_ns();
	u32 i;

	for (i = 0; i < CALLS; i++)
		cpuprobe_untimed();
	return ktime_get_mono_fast_ns() - started_ns;
}

/* Preemption off: the calls end on this CPU. */
static void measure_functions(struct timed_calls *calls, struct round *round)
{
	struct node_time *caller = &timing_here(&calls->timing)->time[calls->nr + 1];
	struct node_time *callee = caller + 1;
	s64 wall_ns = local_read(&caller->wall_ns), net_ns = local_read(&caller->net_ns);
	s64 own_ns = local_read(&callee->wall_ns);

	cpuprobe_timed_caller();
	wall_ns = local_read(&caller->wall_ns) - wall_ns;
	net_ns = local_read(&caller->net_ns) - net_ns;
	round->own_ns = local_read(&callee->wall_ns) - own_ns;
	round->cost_ns = wall_ns - loop_ns();
	round->seen_ns = wall_ns - net_ns;
}

/* The tracepoints' own cost is not in it. */
static void measure_syscalls(struct timed_calls *calls, struct round *round)
{
	struct node_time *sums = &timing_here(&calls->timing)->time[calls->nr + 1];
	u64 started_ns = ktime_get_mono_fast_ns();
	s64 own_ns = local_read(&sums->wall_ns);
	u32 i;

	for (i = 0; i < CALLS; i++) {
		timing_begin(&calls->timing, NULL, CPUPROBE_NODE_FUNCTION, calls->nr);
		timing_end_syscall(&calls->timing, false);
	}
	round->cost_ns = ktime_get_mono_fast_ns() - started_ns;
	round->own_ns = local_read(&sums->wall_ns) - own_ns;
	round->seen_ns = round->own_ns;
}

static int compare_s64(const void *a, const void *b)
{
	s64 x = *(const s64 *)a, y = *(const s64 *)b;

	return (x > y) - (x < y);
}

/* The lower quartile of a member of all rounds, for one call in picoseconds. */
static u32 quartile_ps(const struct round *round, size_t member)
{
	s64 value[ROUNDS], ns;
	u32 i;

	for (i = 0; i < ROUNDS; i++)
		value[i] = *(const s64 *)((const char *)&round[i] + member);
	sort(value, ROUNDS, sizeof(value[0]), compare_s64, NULL);
	ns = max_t(s64, value[ROUNDS / 4], 0);
	return min_t(u64, ns * 1000 / CALLS, U32_MAX);
}

/* Clear what the measurement has counted. */
static void forget_own(struct timed_calls *calls)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct timing_cpu *here = per_cpu_ptr(calls->timing.cpu, cpu);

		memset(&here->time[calls->nr + 1], 0, OWN_FUNCTIONS * sizeof(*here->time));
		local_set(&here->gate.others, 0);
	}
	nodes_forget(&calls->timing.nodes, calls->timing.no_room);
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

int timing_measure(struct timed_calls *calls, struct timing_cost *cost_ret)
{
	bool is_syscall = calls->type == CPUPROBE_NODE_SYSCALL;
	struct gate *gate = &calls->timing.gate;
	struct round round[ROUNDS];
	u64 nr;
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
	forget_own(calls);
	if (nr != ROUNDS * (is_syscall ? CALLS : CALLS + 1))
		return -ENODEV;
	cost_ret->cost_ps = quartile_ps(round, offsetof(struct round, cost_ns));
	cost_ret->own_ps = quartile_ps(round, offsetof(struct round, own_ns));
	cost_ret->seen_ps = quartile_ps(round, offsetof(struct round, seen_ns));
	if (cost_ret->cost_ps < ROUND_MIN_NS * 1000ULL / CALLS)
		return -ERANGE;
	calls->timing.cost_ns = DIV_ROUND_CLOSEST(cost_ret->cost_ps, 1000);
	calls->timing.own_ns = DIV_ROUND_CLOSEST(cost_ret->own_ps, 1000);
	return 0;
}
