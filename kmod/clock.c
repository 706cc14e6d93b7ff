// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timers of a session. Starting and stopping is what CPU hotplug does
 * anyway: a session is an instance of a hotplug state, so that the callbacks
 * below run on each CPU in turn when a session starts or stops, and when a CPU
 * comes or goes in between. They run in process context on their own CPU and
 * are serialized against each other by the hotplug core.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>

#include "clock.h"
#include "compat.h"
#include "sampler.h"
#include "sleep.h"

static enum cpuhp_state hotplug_state;

static struct cpu_sampler *sampler_of(struct hlist_node *node, unsigned int cpu)
{
	return hlist_entry(node, struct session, hotplug)->cpu[cpu];
}

static int clock_online(unsigned int cpu, struct hlist_node *node)
{
	struct cpu_sampler *sampler = sampler_of(node, cpu);
	unsigned long flags;

	if (!sampler)
		return 0;
	local_irq_save(flags);
	grid_begin(&sampler->grid, clock_now_ns());
	hrtimer_start(&sampler->timer, ns_to_ktime(sampler->grid.expiry_ns), CLOCK_MODE);
	if (sampler->session->is_sleeper)
		sleep_join(sampler);
	local_irq_restore(flags);
	return 0;
}

static int clock_offline(unsigned int cpu, struct hlist_node *node)
{
	struct cpu_sampler *sampler = sampler_of(node, cpu);
	unsigned long flags;

	if (!sampler)
		return 0;
	if (sampler->session->is_sleeper) {
		local_irq_save(flags);
		sleep_leave(sampler);
		local_irq_restore(flags);
	}
	/* Process context: never the timer's own callback, which could wait for itself. */
	hrtimer_cancel(&sampler->timer);
	/*
	 * Before its CPU is gone: on RT, where a thread of that CPU does it, it would stay queued.
	 */
	irq_work_sync(&sampler->wake);
	local_irq_save(flags);
	sampler->active->missed += grid_end(&sampler->grid, clock_now_ns());
	local_irq_restore(flags);
	return 0;
}

int clock_setup(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "cpuprobe:online",
					    clock_online, clock_offline);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

void clock_teardown(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}

static void wake_poll(struct irq_work *work)
{
	struct cpu_sampler *sampler = container_of(work, struct cpu_sampler, wake);

	wake_up_interruptible(&sampler->session->wait);
}

static enum hrtimer_restart (*handler_of(const struct session *session))(struct hrtimer *)
{
	switch (session->what) {
	case CPUPROBE_WHAT_PROCESS:
		return sampler_fire_process;
	case CPUPROBE_WHAT_LATE:
		return sampler_fire_late;
	case CPUPROBE_WHAT_STACKS:
		return sampler_fire_stacks;
	default:
		return session->by ? sampler_fire_by : sampler_fire_system;
	}
}

void clock_init(struct cpu_sampler *sampler, struct session *session, u64 period_ns,
		u32 jitter, unsigned int cpu)
{
	sampler->session = session;
	sampler->active = &sampler->bank[0];
	sampler->is_acked = true;
	init_irq_work(&sampler->wake, wake_poll);
	grid_init(&sampler->grid, period_ns, jitter, session->seed, cpu);
	compat_hrtimer_setup(&sampler->timer, handler_of(session), CLOCK_MONOTONIC, CLOCK_MODE);
}

int clock_start(struct session *session)
{
	int error = session->is_sleeper ? sleep_get() : 0;

	if (error)
		return error;
	error = cpuhp_state_add_instance(hotplug_state, &session->hotplug);
	if (error && session->is_sleeper)
		sleep_put();
	return error;
}

void clock_stop(struct session *session)
{
	cpuhp_state_remove_instance(hotplug_state, &session->hotplug);
	if (session->is_sleeper)
		sleep_put();
}
