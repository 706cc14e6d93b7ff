// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that idle without our timer: see sleep.h.
 *
 * A sampler falls asleep where the scheduler switches to the idle task, and wakes where the
 * scheduler switches away from it. The halt itself is too late: by then the idle governor has
 * seen our pending timer, and has chosen a shallow idle state with the tick running. Everything
 * that the idle task does counts as IDLE. Softirq work on top of idle is another row, so a stretch
 * of sleep changes its kind where such work begins and ends.
 *
 * The hooks run with interrupts off on the CPU concerned, one of them with the run queue locked.
 * They take no lock but the timer's own, visit at most SLEEPERS_MAX samplers, and never wait: the
 * borrower gives a borrowed sampler back.
 *
 * struct cpu_sampler's @sleep is the state, 0 or a mask of the bits below. Only the sampler's CPU
 * sets and clears ASLEEP, only the borrower sets and clears BORROWED. The state names the only
 * writer of bank and grid.
 *
 *	state			writer		event, by whom			next state
 *	0			the timer	switch to idle, CPU		ASLEEP
 *				on its CPU	join while the CPU idles, CPU	ASLEEP
 *	ASLEEP			the hooks	switch from idle, CPU		0, timer armed
 *				on its CPU	softirq begins or ends, CPU	ASLEEP, other kind
 *						harvest, borrower		+ BORROWED
 *						leave, CPU			0, timer not armed
 *	ASLEEP BORROWED		the borrower	switch or softirq, CPU		+ WOKEN
 *						return, borrower		ASLEEP
 *	ASLEEP BORROWED WOKEN	the borrower	switch or softirq, CPU		unchanged
 *						return, borrower		ASLEEP WOKEN
 *	ASLEEP WOKEN		the CPU, in	switch or softirq, CPU		unchanged
 *				take_back()	take_back() while idle, CPU	ASLEEP
 *						take_back() otherwise, CPU	0, timer armed
 *
 * WOKEN comes with the time at which the CPU first asked for its sampler: until then it idled.
 * A session never leaves while one of its samplers is borrowed: both need session->lock.
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>

#include "kind.h"
#include "now.h"
#include "sample.h"
#include "sleep.h"
#include "tracepoints.h"

#define ASLEEP		1
#define BORROWED	2
#define WOKEN		4

/** The samplers whose timers are off while this CPU idles. Its CPU only, interrupts off. */
struct sleepers {
	unsigned int nr;
	bool is_in_softirq;	/* softirq work on top of idle, as seen by the hooks */
	struct cpu_sampler *sampler[SLEEPERS_MAX];
};

static DEFINE_PER_CPU(struct sleepers, sleepers);

static DEFINE_MUTEX(sleep_lock);
static unsigned int nr_sessions;	/* protected by sleep_lock */

/*
 * Unlike is_idle_task(), false for threads that inject idle time. These begin and end their idle
 * time without a switch, so the timer samples them.
 */
static bool is_swapper(const struct task_struct *task)
{
	return !task->pid;
}

static void count_idle_samples(struct cpu_sampler *sampler, u64 nr)
{
	struct bank *bank = sampler->active;

	WRITE_ONCE(bank->taken, bank->taken + nr);
	sampler->session->kind->count_idle(sampler, sampler->is_in_softirq, nr);
	sampler->missed_before = 0;
}

void sleep_settle(struct cpu_sampler *sampler, u64 now_ns)
{
	u64 nr;

	if (!sleep_is_asleep(sampler))
		return;
	nr = grid_skip(&sampler->grid, now_ns);
	if (nr)
		count_idle_samples(sampler, nr);
}

/*
 * Make the CPU the writer of its sampler again. On its CPU, interrupts off. False: the sampler is
 * not asleep, or is borrowed, and take_back() will run on this CPU.
 */
static bool claim_sampler(struct cpu_sampler *sampler, u64 now_ns)
{
	int before = atomic_read(&sampler->sleep);

	if (!before || before & WOKEN)
		return false;
	sampler->woken_ns = now_ns;
	return !(atomic_fetch_or(WOKEN, &sampler->sleep) & BORROWED);
}

/* Begin a stretch of idle time, or of softirq work on top of idle. The timer is not armed. */
static void begin_stretch(struct cpu_sampler *sampler, bool is_in_softirq)
{
	sampler->is_in_softirq = is_in_softirq;
	atomic_set_release(&sampler->sleep, ASLEEP);
}

/* If the instant has passed already, the timer fires as soon as interrupts are on. */
static void restart_timer(struct cpu_sampler *sampler)
{
	atomic_set_release(&sampler->sleep, 0);
	hrtimer_start_range_ns(&sampler->timer,
			       ns_to_ktime(sampler->grid.expiry_ns - GRID_EARLY_NS),
			       GRID_EARLY_NS, TIMER_MODE);
}

/*
 * A sample may be due but not taken, because interrupts are off. That sample would have hit the
 * idle task, so it is counted as idle. The timer's function cannot be running here: the timer is
 * either cancelled or was not armed.
 */
static void suspend_timer(struct cpu_sampler *sampler)
{
	if (!atomic_read(&sampler->sleep) && hrtimer_try_to_cancel(&sampler->timer) > 0)
		begin_stretch(sampler, false);
}

static void resume_timer(struct cpu_sampler *sampler)
{
	u64 now_ns;

	if (!sleep_is_asleep(sampler))
		return;
	now_ns = clock_ns();
	if (!claim_sampler(sampler, now_ns))
		return;
	sleep_settle(sampler, now_ns);
	restart_timer(sampler);
}

/*
 * While the sampler was borrowed the CPU stopped idling, or softirq work began or ended. Nobody has seen the CPU from then
 * on: if that was long, because the borrower was held up, periods are missed.
 */
static void take_back(void *data)
{
	struct cpu_sampler *sampler = data;
	u64 missed;

	sleep_settle(sampler, sampler->woken_ns);
	missed = grid_skip(&sampler->grid, clock_ns());
	if (missed)
		sample_missed(sampler, missed);
	if (is_swapper(current))
		begin_stretch(sampler, this_cpu_ptr(&sleepers)->is_in_softirq);
	else
		restart_timer(sampler);
}

/* Run queue locked, interrupts off. The scheduler itself arms hrtimers in this context too. */
static void on_switch(void *data, bool is_preempted, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	const struct sleepers *here = this_cpu_ptr(&sleepers);
	unsigned int i;

	for (i = 0; i < here->nr; i++) {
		if (is_swapper(next))
			suspend_timer(here->sampler[i]);
		else
			resume_timer(here->sampler[i]);
	}
}

static void change_stretch(struct cpu_sampler *sampler, bool is_in_softirq)
{
	u64 now_ns = clock_ns();

	if (claim_sampler(sampler, now_ns)) {
		sleep_settle(sampler, now_ns);
		begin_stretch(sampler, is_in_softirq);
	} else if (!is_in_softirq) {
		suspend_timer(sampler);	/* in case the timer is armed */
	}
}

static void on_softirq(bool is_in_softirq)
{
	struct sleepers *here;
	unsigned long flags;
	unsigned int i;

	if (!is_swapper(current))
		return;
	local_irq_save(flags);
	here = this_cpu_ptr(&sleepers);
	here->is_in_softirq = is_in_softirq;
	for (i = 0; i < here->nr; i++)
		change_stretch(here->sampler[i], is_in_softirq);
	local_irq_restore(flags);
}

static void on_softirq_entry(void *data, unsigned int vector)
{
	on_softirq(true);
}

static void on_softirq_exit(void *data, unsigned int vector)
{
	on_softirq(false);
}

static const struct {
	const char *name;
	void *probe;
} hooks[] = {
	{ "sched_switch", on_switch },
	{ "softirq_entry", on_softirq_entry },
	{ "softirq_exit", on_softirq_exit },
};

static void unregister_hooks(unsigned int nr)
{
	while (nr--)
		tracepoints_unregister(hooks[nr].name, hooks[nr].probe, NULL);
}

static int register_hooks(void)
{
	unsigned int i;
	int error;

	/* These only check types, at compile time. */
	check_trace_callback_type_sched_switch(on_switch);
	check_trace_callback_type_softirq_entry(on_softirq_entry);
	check_trace_callback_type_softirq_exit(on_softirq_exit);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		error = tracepoints_register(hooks[i].name, hooks[i].probe, NULL);
		if (error) {
			unregister_hooks(i);
			return error;
		}
	}
	return 0;
}

/* Clear the state of earlier hooks, which may be out of date. No hook is registered now. */
static void forget_softirqs(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(sleepers, cpu).is_in_softirq = false;
}

int sleep_get(bool is_full)
{
	u32 most = is_full ? SLEEPERS_MAX : SLEEPERS_MAX / 2;
	int error = 0;

	mutex_lock(&sleep_lock);
	if (nr_sessions >= most)
		error = -EBUSY;
	if (!error && !nr_sessions) {
		forget_softirqs();
		error = register_hooks();
	}
	if (!error)
		nr_sessions++;
	mutex_unlock(&sleep_lock);
	return error;
}

void sleep_put(void)
{
	mutex_lock(&sleep_lock);
	if (!--nr_sessions)
		unregister_hooks(ARRAY_SIZE(hooks));
	mutex_unlock(&sleep_lock);
}

bool sleep_join(struct cpu_sampler *sampler)
{
	struct sleepers *here = this_cpu_ptr(&sleepers);

	/* sleep_get() admits no more sessions than there is room for. */
	if (WARN_ON_ONCE(here->nr == SLEEPERS_MAX))
		return false;
	here->sampler[here->nr++] = sampler;
	if (!is_swapper(current))
		return false;
	begin_stretch(sampler, here->is_in_softirq);
	return true;
}

void sleep_leave(struct cpu_sampler *sampler)
{
	struct sleepers *here = this_cpu_ptr(&sleepers);
	unsigned int i;

	sleep_settle(sampler, clock_ns());
	atomic_set_release(&sampler->sleep, 0);
	for (i = 0; i < here->nr; i++)
		if (here->sampler[i] == sampler) {
			here->sampler[i] = here->sampler[--here->nr];
			break;
		}
}

bool sleep_borrow(struct cpu_sampler *sampler)
{
	return atomic_cmpxchg(&sampler->sleep, ASLEEP, ASLEEP | BORROWED) == ASLEEP;
}

void sleep_return(struct cpu_sampler *sampler, unsigned int cpu)
{
	if (atomic_fetch_andnot(BORROWED, &sampler->sleep) & WOKEN)
		smp_call_function_single(cpu, take_back, sampler, true);
}
