// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how long the CPU was halted: from the event that the idle loop sends before it halts to
 * the event that the timer interrupt sends when it begins. The rest of the time was spent on
 * instructions. The interrupt's entry, before its event, counts as halted for all timers alike. One
 * CPU only.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

static unsigned long halted_ns;
module_param(halted_ns, ulong, 0444);
MODULE_PARM_DESC(halted_ns, "nanoseconds halted so far");

static ktime_t halted_at;
static struct tracepoint *timer_entry;

static void end_halt(void)
{
	if (halted_at)
		halted_ns += ktime_get() - halted_at;
	halted_at = 0;
}

static void on_idle(void *data, unsigned int state, unsigned int cpu)
{
	end_halt();
	if (state != (unsigned int)PWR_EVENT_EXIT)
		halted_at = ktime_get();
}

static void on_timer(void *data, int vector)
{
	end_halt();
}

static void find_timer_entry(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "local_timer_entry"))
		timer_entry = tracepoint;
}

static int __init idle_init(void)
{
	int error;

	for_each_kernel_tracepoint(find_timer_entry, NULL);
	if (!timer_entry)
		return -ENOENT;
	error = register_trace_cpu_idle(on_idle, NULL);
	if (error)
		return error;
	error = tracepoint_probe_register(timer_entry, on_timer, NULL);
	if (error)
		unregister_trace_cpu_idle(on_idle, NULL);
	return error;
}

static void __exit idle_exit(void)
{
	tracepoint_probe_unregister(timer_entry, on_timer, NULL);
	unregister_trace_cpu_idle(on_idle, NULL);
	tracepoint_synchronize_unregister();
}

module_init(idle_init);
module_exit(idle_exit);
MODULE_DESCRIPTION("time spent halted, for the bench");
MODULE_LICENSE("GPL");
