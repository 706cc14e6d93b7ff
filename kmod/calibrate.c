// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a sample. A loop reads the clock while a timer fires once; the function of
 * the timer is the handler of a session. The two loop steps around the interrupt take longer than
 * two undisturbed steps, and the difference is the cost. Two steps, because the interrupt may come
 * between reading the clock and reading the counter. Both times are lower quartiles, because a
 * virtual machine may lose the processor in any step.
 *
 * The loop runs under CPUPROBE_FRAMES_MAX calls, with as many made-up frames in user memory: the
 * deepest stack that a sample follows. Caches are warm; the guard accounts for cold caches.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/sort.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "calibrate.h"
#include "compat.h"
#include "cost.h"
#include "now.h"
#include "session.h"
#include "timers.h"

#define ROUNDS		65
/* Half of it holds one stack per round, so a filling bank never wakes a reader. */
#define STACK_KIB	512
/* From arming to firing: room for a few dozen steps. Doubled if arming itself takes longer. */
#define DELAY_NS	30000
#define DELAY_MAX_NS	2000000
#define GIVE_UP_NS	10000000
/* Number of clock steps to measure. */
#define STEPS_SEEN	64
/* A cost of fewer clock steps is too inexact. */
#define STEPS_MIN	4

static u64 delay_ns = DELAY_NS;

/* Static: a timer on the stack needs a different setup call, and only module load uses this one. */
static struct empty_timer {
	struct hrtimer timer;
	u64 fired;
} empty;

static enum hrtimer_restart empty_fire(struct hrtimer *timer)
{
	struct empty_timer *own = container_of(timer, struct empty_timer, timer);

	WRITE_ONCE(own->fired, own->fired + 1);
	return HRTIMER_NORESTART;
}

/* How often the timer of @sampler has fired; NULL: the timer with the empty handler. */
static u64 nr_fired(const struct cpu_sampler *sampler)
{
	return READ_ONCE(*(sampler ? &sampler->bank[0].taken : &empty.fired));
}

static struct hrtimer *round_timer(struct cpu_sampler *sampler)
{
	return sampler ? &sampler->timer : &empty.timer;
}

static void arm_round(struct cpu_sampler *sampler, u64 expiry_ns)
{
	if (sampler) {
		/* The instant after this one comes only after the end of the round. */
		grid_begin(&sampler->grid, expiry_ns);
		sampler->grid.expiry_ns = expiry_ns;
	}
	hrtimer_start(round_timer(sampler), ns_to_ktime(expiry_ns), TIMER_MODE);
}

/*
 * Measure one interrupt: the two steps around it, and the two steps after them. False: the
 * interrupt came too soon or never.
 */
static bool measure_round(struct cpu_sampler *sampler, u32 *disturbed_ns, u32 *plain_ns)
{
	u64 started, before, now, after, later, nr = nr_fired(sampler);
	bool is_early, has_fired = false;

	preempt_disable();
	arm_round(sampler, clock_ns() + delay_ns);
	started = before = now = clock_ns();
	is_early = nr_fired(sampler) != nr;
	while (!has_fired && now - started < GIVE_UP_NS) {
		before = now;
		now = clock_ns();
		has_fired = nr_fired(sampler) != nr;
	}
	after = clock_ns();
	clock_ns();
	later = clock_ns();
	preempt_enable();
	*disturbed_ns = min_t(u64, after - before, COST_MAX_NS);
	*plain_ns = min_t(u64, later - after, COST_MAX_NS);
	hrtimer_cancel(round_timer(sampler));
	if (is_early)
		delay_ns = min(2 * delay_ns, DELAY_MAX_NS);
	return has_fired && !is_early;
}

static int compare_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

u32 calibrate_lower_quartile(u32 *values, u32 nr)
{
	sort(values, nr, sizeof(*values), compare_u32, NULL);
	return values[nr / 4];
}

/* Smallest step by which the clock advances, or the time of reading it if that is longer. */
static u64 clock_step_ns(void)
{
	u64 now, started = clock_ns(), before = started, least = GIVE_UP_NS;
	u32 nr = 0;

	while (nr < STEPS_SEEN && before - started < GIVE_UP_NS) {
		now = clock_ns();
		if (now != before) {
			least = min(least, now - before);
			nr++;
		}
		before = now;
	}
	return least;
}

/* Cost in nanoseconds; 0: unknown. */
static noinline u32 measure_cost(struct cpu_sampler *sampler)
{
	u32 disturbed[ROUNDS], plain[ROUNDS], with, without, i, nr = 0;

	for (i = 0; i < 4 * ROUNDS && nr < ROUNDS; i++) {
		if (measure_round(sampler, &disturbed[nr], &plain[nr]))
			nr++;
		cond_resched();
	}
	if (nr < ROUNDS)
		return 0;
	with = calibrate_lower_quartile(disturbed, nr);
	without = calibrate_lower_quartile(plain, nr);
	if (with < without + STEPS_MIN * clock_step_ns())
		return 0;
	return with - without;
}

static noinline u32 measure_under_calls(u32 nr_frames, struct cpu_sampler *sampler)
{
	u32 cost = nr_frames ? measure_under_calls(nr_frames - 1, sampler) : measure_cost(sampler);

	barrier();	/* keeps the compiler from making this a tail call */
	return cost;
}

static u32 measure_deep(struct cpu_sampler *sampler)
{
	return measure_under_calls(CPUPROBE_FRAMES_MAX, sampler);
}

/* The START of a session of one kind; @cost: enum cpuprobe_cost. */
static struct cpuprobe_start start_of_kind(u32 cost)
{
	struct cpuprobe_start start = {
		.what = CPUPROBE_WHAT_SYSTEM, .jitter = CPUPROBE_JITTER_NONE, .exe_fd = -1,
		.cgroup_fd = -1, .period_ns = CPUPROBE_PERIOD_MAX_NS,
	};

	switch (cost) {
	case CPUPROBE_COST_SYSTEM:
		break;
	case CPUPROBE_COST_BY:
		start.by = CPUPROBE_BY_PID;
		break;
	case CPUPROBE_COST_PROCESS:
		start.what = CPUPROBE_WHAT_PROCESS;
		start.mode = CPUPROBE_MODE_KERNEL;
		start.pid = task_tgid_nr(current);
		start.high = U64_MAX;
		break;
	case CPUPROBE_COST_LATE:
		start.what = CPUPROBE_WHAT_LATE;
		break;
	default:
		start.what = CPUPROBE_WHAT_STACKS;
		start.frames = cost - CPUPROBE_COST_STACKS + 1;
		start.stack_kib = STACK_KIB;
	}
	return start;
}

static int measure_kind(u32 cost)
{
	const struct access everything = { .is_full = true };
	struct session *session = session_create(&everything);
	unsigned int cpu = cpumask_first(cpu_possible_mask);
	struct cpuprobe_start start = start_of_kind(cost);
	int error;

	if (IS_ERR(session))
		return PTR_ERR(session);
	error = session_rehearse(session, &start, cpu);
	if (!error) {
		cost_set(cost, measure_deep(session->cpu[cpu]));
		timers_settle(session->cpu[cpu]);
	}
	session_destroy(session);
	return error;
}

static int measure_kinds(void)
{
	u32 cost, interrupt_ns;
	int error = 0;

	compat_hrtimer_setup(&empty.timer, empty_fire, CLOCK_MONOTONIC, TIMER_MODE);
	interrupt_ns = measure_deep(NULL);
	cost_set_interrupt(interrupt_ns);
	for (cost = 0; cost < CPUPROBE_COST_TABLES && interrupt_ns && !error; cost++)
		error = measure_kind(cost);
	return error ?: calibrate_tables();
}

/* Write as many frames as a walk follows, from @addr up, and one more that ends the walk. */
static int write_user_frames(unsigned long addr, unsigned long return_address)
{
	struct arch_frame __user *at = (struct arch_frame __user *)addr;
	u32 i;

	for (i = 0; i <= CPUPROBE_FRAMES_MAX; i++, at++) {
		const struct arch_frame frame = { (unsigned long)(at + 1), return_address };

		if (copy_to_user(at, &frame, sizeof(frame)))
			return -EFAULT;
	}
	return 0;
}

/* Measure while the current process appears to have entered the kernel from deep in its calls. */
static int measure_in_deep_process(unsigned long addr)
{
	struct pt_regs *regs = task_pt_regs(current), saved = *regs;
	int error = write_user_frames(addr, arch_pc(regs));

	if (error)
		return error;
	arch_set_frame(regs, addr);
	error = measure_kinds();
	*regs = saved;
	return error;
}

int calibrate(void)
{
	unsigned long addr;
	int error;

	if (!current->mm)
		return -EINVAL;
	addr = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(addr))
		return addr;
	error = measure_in_deep_process(addr);
	vm_munmap(addr, PAGE_SIZE);
	return error;
}
