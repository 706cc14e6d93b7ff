// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a counted call, at the first session of each handler: a function of this module
 * that is hooked, compared with one that is not. A lower quartile, because a virtual machine may lose the processor in any round.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sort.h>

#include "hook.h"
#include "now.h"

/* Few, because other sessions count these calls too. */
#define ROUNDS		9
#define CALLS		64
/* A cost of fewer nanoseconds a round is too inexact: a clock of such steps cannot measure it. */
#define ROUND_MIN_NS	64
/* While measuring. */
#define PLENTY		(1L << 40)

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

/* The hook is at the function's beginning, or after an instruction that marks it. */
bool hook_is_own(u64 function)
{
	return function - hook_own() < 8;
}

static s64 calls_ns(void (*function)(void))
{
	u64 started = clock_ns();
	u32 i;

	for (i = 0; i < CALLS; i++)
		function();
	return clock_ns() - started;
}

static int compare_s64(const void *a, const void *b)
{
	s64 x = *(const s64 *)a, y = *(const s64 *)b;

	return (x > y) - (x < y);
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
	sort(more, ROUNDS, sizeof(more[0]), compare_s64, NULL);
	return more[ROUNDS / 4];
}

/* Calls that the handler has seen on all CPUs. */
static u64 nr_seen(const struct hook *hook)
{
	unsigned int cpu;
	u64 nr = 0;

	for_each_possible_cpu(cpu)
		nr += PLENTY - local_read(&per_cpu_ptr(hook->cpu, cpu)->allowance);
	return nr;
}

static void clear_counts(struct hook *hook)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct hook_cpu *here = per_cpu_ptr(hook->cpu, cpu);
		u64 nr_places = arcs_size(&here->arcs);
		struct arc *place = here->arcs.place;

		memset(place, 0, nr_places * sizeof(*place));
		arcs_init(&here->arcs, place, nr_places);
		local_set(&here->others, 0);
	}
}

/* Additional time of CALLS calls, once for each handler; 0: not measured yet. hook_lock. */
static s64 more_ns[2];
static DEFINE_MUTEX(hook_lock);

s64 hook_measure_ps(struct hook *hook)
{
	s64 *more = &more_ns[filter_is_everybody(&hook->filter)];
	unsigned int cpu;

	mutex_lock(&hook_lock);
	for_each_possible_cpu(cpu)
		local_set(&per_cpu_ptr(hook->cpu, cpu)->allowance, PLENTY);
	smp_store_release(&hook->ended_ns, 0);
	if (*more < ROUND_MIN_NS)
		*more = measure_rounds();
	else
		calls_ns(cpuprobe_hooked);
	WRITE_ONCE(hook->ended_ns, HOOK_NOT_BEGUN);
	mutex_unlock(&hook_lock);
	/* No CPU is in the handler any more. */
	synchronize_rcu();
	if (nr_seen(hook) < CALLS)
		return -ENODEV;
	clear_counts(hook);
	/* Half as much again: calls find their counts in cold caches more often than this loop. */
	return *more < ROUND_MIN_NS ? 0 : *more * 1500 / CALLS;
}
