// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timers of a session. START arms each timer by an interrupt to its CPU. STOP cancels it from
 * any CPU. Neither involves CPUs that are not sampled, so a real-time task that never sleeps there
 * delays nothing. CPU hotplug arms and cancels the timers of CPUs that come and go, for all
 * sessions on one list.
 *
 * START, STOP and the callbacks of CPU hotplug hold timers_sem for writing while they arm or cancel
 * timers. A harvest holds it for reading while it depends on whether a timer can run. It does not
 * use cpus_read_lock(), which waits for another CPU's hotplug for an unbounded time.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/random.h>
#include <linux/rwsem.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "cost.h"
#include "overflows.h"
#include "kind.h"
#include "neighbour.h"
#include "now.h"
#include "sleep.h"
#include "timers.h"

static DECLARE_RWSEM(timers_sem);
static LIST_HEAD(sessions);	/* sessions whose timers run; protected by timers_sem */
static struct cpumask cpus_up;	/* CPUs whose timers may run; protected by timers_sem */
static DEFINE_PER_CPU(u32, times_come);	/* how often the CPU came since loading; protected by timers_sem */
static enum cpuhp_state hotplug_state;
static struct workqueue_struct *wakers;	/* on RT only: see wake_reader() */

/* On the sampler's CPU, interrupts off. */
static void arm_timer(void *data)
{
	struct cpu_sampler *sampler = data;

	grid_begin(&sampler->grid, clock_ns() + sampler->phase_ns);
	if (sampler->session->is_sleeper && sleep_join(sampler))
		return;
	hrtimer_start(&sampler->timer, ns_to_ktime(sampler->grid.expiry_ns), TIMER_MODE);
}

static void leave_sleepers(void *data)
{
	sleep_leave(data);
}

/* In process context, under timers_sem: counters of CPUs that come online later stay off. */
static void start_cpu(struct cpu_sampler *sampler, unsigned int cpu)
{
	if (sampler->session->counts_events)
		overflows_begin(sampler);
	else if (sampler->session->uses_nmi)
		neighbour_begin(sampler->session, cpu, &cpus_up);
	else
		smp_call_function_single(cpu, arm_timer, sampler, true);
}

/* On any CPU, in process context. Never from the timer's own callback: cancelling waits for it. */
static void cancel_timer(struct cpu_sampler *sampler, unsigned int cpu)
{
	if (sampler->session->counts_events) {
		overflows_end(sampler);
	} else if (sampler->session->uses_nmi) {
		neighbour_end(sampler->session, cpu);
	} else {
		/* The hooks on its CPU must not re-arm the timer. */
		if (sampler->session->is_sleeper)
			smp_call_function_single(cpu, leave_sleepers, sampler, true);
		hrtimer_cancel(&sampler->timer);
		/* At once: periods from now on are not part of the run. */
		sampler->active->missed += grid_end(&sampler->grid, clock_ns());
	}
	/* The irq_work is hard on RT too, so this waits for one interrupt of that CPU at most. */
	irq_work_sync(&sampler->wake);
}

static int timers_online(unsigned int cpu)
{
	struct session *session;
	unsigned long flags;

	down_write(&timers_sem);
	cpumask_set_cpu(cpu, &cpus_up);
	per_cpu(times_come, cpu)++;
	list_for_each_entry(session, &sessions, timers) {
		if (session->uses_nmi)
			neighbour_come(session, cpu, &cpus_up);
		if (!session->cpu[cpu] || session->counts_events || session->uses_nmi)
			continue;
		local_irq_save(flags);
		arm_timer(session->cpu[cpu]);
		local_irq_restore(flags);
	}
	up_write(&timers_sem);
	return 0;
}

static int timers_offline(unsigned int cpu)
{
	struct session *session;

	down_write(&timers_sem);
	cpumask_clear_cpu(cpu, &cpus_up);
	list_for_each_entry(session, &sessions, timers) {
		if (session->cpu[cpu])
			cancel_timer(session->cpu[cpu], cpu);
		if (session->cpu[cpu] && session->counts_events)
			overflows_leave(session->cpu[cpu]);
		if (session->uses_nmi)
			neighbour_go(session, cpu, &cpus_up);
	}
	up_write(&timers_sem);
	return 0;
}

/* No CPU comes or goes between registering the callbacks and copying the mask of online CPUs. */
static int setup_hotplug(void)
{
	int state;

	cpus_read_lock();
	state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN, "cpuprobe:online",
						     timers_online, timers_offline);
	cpumask_copy(&cpus_up, cpu_online_mask);
	cpus_read_unlock();
	hotplug_state = state;
	return min(state, 0);
}

int timers_setup(void)
{
	int error;

	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		wakers = alloc_workqueue("cpuprobe", WQ_UNBOUND | WQ_HIGHPRI, 0);
		if (!wakers)
			return -ENOMEM;
	}
	error = setup_hotplug();
	if (error && wakers)
		destroy_workqueue(wakers);
	return error;
}

void timers_teardown(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	neighbour_teardown();
	if (wakers)
		destroy_workqueue(wakers);
}

void timers_hold_cpus(void)
{
	down_read(&timers_sem);
}

void timers_release_cpus(void)
{
	up_read(&timers_sem);
}

bool timers_is_up(unsigned int cpu)
{
	lockdep_assert_held(&timers_sem);
	return cpumask_test_cpu(cpu, &cpus_up);
}

u32 timers_time_up(unsigned int cpu)
{
	return timers_is_up(cpu) ? per_cpu(times_come, cpu) + 1 : 0;
}

static void wake_reader_in_task(struct work_struct *work)
{
	wake_up_interruptible(&container_of(work, struct session, wake)->wait);
}

/*
 * Hard irq, some time after a sampler has queued it, perhaps under the run queue's lock. On RT a
 * wake-up may sleep, so a worker does it, on any CPU: a real-time task may monopolise the sampled
 * CPU, and STOP would wait for the worker as long as that task runs.
 */
static void wake_reader(struct irq_work *work)
{
	struct session *session = container_of(work, struct cpu_sampler, wake)->session;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		queue_work(wakers, &session->wake);
	else
		wake_up_interruptible(&session->wait);
}

/*
 * The caller chooses the seed. Without full access the module adds a random phase, so that several
 * sessions with one seed do not fire together.
 */
static u64 random_phase_ns(u64 period_ns)
{
	return get_random_u32() * period_ns >> 32;
}

void timers_init_session(struct session *session)
{
	INIT_WORK(&session->wake, wake_reader_in_task);
}

void timers_settle(struct cpu_sampler *sampler)
{
	irq_work_sync(&sampler->wake);
	cancel_work_sync(&sampler->session->wake);
}

void timers_init_sampler(struct cpu_sampler *sampler, struct session *session, u64 period_ns,
		u32 jitter, unsigned int cpu)
{
	sampler->session = session;
	sampler->active = &sampler->bank[0];
	sampler->is_acked = true;
	sampler->wake = IRQ_WORK_INIT_HARD(wake_reader);
	sampler->handler_limit_ns = cost_of_handler_ns(session->cost_ns);
	grid_init(&sampler->grid, period_ns, jitter, session->seed, cpu);
	if (!session->access.is_full)
		sampler->phase_ns = random_phase_ns(period_ns);
	if (session->uses_nmi)
		neighbour_init_sampler(sampler, cpu);
	compat_hrtimer_setup(&sampler->timer, session->uses_nmi ? cpuprobe_fire_nmi :
			     session->kind->fire, CLOCK_MONOTONIC, TIMER_MODE);
}

int timers_start(struct session *session)
{
	int error = session->is_sleeper ? sleep_get(session->access.is_full) : 0;
	unsigned int cpu;

	if (!error && session->uses_nmi)
		error = neighbour_get();
	if (error)
		return error;
	down_write(&timers_sem);
	if (session->uses_nmi && !neighbour_has_two(session, &cpus_up)) {
		up_write(&timers_sem);
		neighbour_put();
		return -ENXIO;
	}
	list_add_tail(&session->timers, &sessions);
	for_each_cpu_and(cpu, &session->cpus, &cpus_up)
		start_cpu(session->cpu[cpu], cpu);
	up_write(&timers_sem);
	return 0;
}

void timers_stop(struct session *session)
{
	unsigned int cpu;

	down_write(&timers_sem);
	list_del(&session->timers);
	for_each_cpu_and(cpu, &session->cpus, &cpus_up)
		cancel_timer(session->cpu[cpu], cpu);
	up_write(&timers_sem);
	cancel_work_sync(&session->wake);
	if (session->is_sleeper)
		sleep_put();
	if (session->uses_nmi)
		neighbour_put();
}
