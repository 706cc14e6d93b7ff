// SPDX-License-Identifier: GPL-2.0-only
/* Hooks that time calls: see timed_calls.h. */
#include <linux/compat.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "session.h"
#include "timed_calls.h"
#include "tracepoints.h"

/* Memory for calls that run at the same time, for all functions together, and for each. */
#define RETURNS_BYTES	SZ_8M
#define RETURNS_MIN	16
#define RETURNS_MAX	1024

static int notrace on_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct timed_function *function =
		container_of(get_kretprobe(instance), struct timed_function, probe);
	struct open_call *call = (struct open_call *)instance->data;

	if (!gate_is_open(&function->timing->gate))
		return 1;
	return !timing_begin(function->timing, call, CPUPROBE_NODE_FUNCTION, function->number);
}

static int notrace on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct open_call *call = (struct open_call *)instance->data;
	struct timed_function *function =
		container_of(get_kretprobe(instance), struct timed_function, probe);

	if (gate_is_open(&function->timing->gate))
		timing_end(function->timing, call);
	return 0;
}

/* Programs may ask for any number. */
static u32 notrace number_of_syscall(long id)
{
	u32 number = id >= 0 && id < CPUPROBE_SYSCALL_UNKNOWN ? id : CPUPROBE_SYSCALL_UNKNOWN;

	return in_compat_syscall() ? number | CPUPROBE_SYSCALL_COMPAT : number;
}

static void notrace on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	struct timing *timing = data;

	preempt_disable_notrace();
	if (gate_is_open(&timing->gate))
		timing_begin(timing, NULL, CPUPROBE_NODE_SYSCALL, number_of_syscall(id));
	preempt_enable_notrace();
}

static void notrace on_sys_exit(void *data, struct pt_regs *regs, long result)
{
	struct timing *timing = data;

	preempt_disable_notrace();
	if (gate_is_open(&timing->gate))
		timing_end_syscall(timing, IS_ERR_VALUE(result));
	preempt_enable_notrace();
}

/* Hook a function; its state says whether that succeeded. */
static u32 hook_function(struct timed_calls *calls, u32 number, unsigned long address)
{
	struct timed_function *function = &calls->function[number];
	u32 all = calls->nr + OWN_FUNCTIONS;
	u32 nr = RETURNS_BYTES / (sizeof(struct kretprobe_instance) + sizeof(struct open_call)) / all;

	function->timing = &calls->timing;
	function->number = number;
	function->probe = (struct kretprobe){
		.kp.addr = (void *)address, .entry_handler = on_entry, .handler = on_return,
		.maxactive = clamp_t(u32, nr, RETURNS_MIN, RETURNS_MAX),
		.data_size = sizeof(struct open_call),
	};
	function->is_hooked = !register_kretprobe(&function->probe);
	return function->is_hooked ? CPUPROBE_FUNCTION_HOOKED : CPUPROBE_FUNCTION_UNTIMED;
}

/* The tracepoint of the beginning comes last: a call whose end is not seen would stay open. */
static int hook_syscalls(struct timed_calls *calls)
{
	/* These only check types, at compile time. */
	check_trace_callback_type_sys_enter(on_sys_enter);
	check_trace_callback_type_sys_exit(on_sys_exit);
	calls->sees_end = !tracepoints_register("sys_exit", on_sys_exit, &calls->timing);
	if (calls->sees_end)
		calls->sees_begin = !tracepoints_register("sys_enter", on_sys_enter, &calls->timing);
	return calls->sees_begin ? 1 : -ENODEV;
}

int timed_calls_prepare(struct timed_calls *calls, u32 flags, u32 nr, u64 table_bytes,
			struct timing_cost *cost_ret)
{
	u32 all = nr + OWN_FUNCTIONS, i;
	int error;

	calls->nr = nr;
	calls->type = flags & CPUPROBE_CALLS_SYSCALLS ? CPUPROBE_NODE_SYSCALL :
		CPUPROBE_NODE_FUNCTION;
	gate_prepare(&calls->timing.gate);
	timing_choose(&calls->timing, flags);
	error = timing_allocate(&calls->timing, table_bytes, nr, OWN_FUNCTIONS);
	if (error)
		return error;
	calls->function = __vmalloc(array_size(all, sizeof(*calls->function)),
				    SESSION_GFP | __GFP_ZERO);
	if (!calls->function)
		return -ENOMEM;
	for (i = nr; i < all; i++)
		if (hook_function(calls, i, timing_own(i - nr)))
			return -ENODEV;
	error = timing_watch(&calls->timing);
	if (error)
		return error == -ENOMEM ? error : -ENODEV;
	return timing_measure(calls, cost_ret);
}

int timed_calls_attach(struct timed_calls *calls, struct cpuprobe_function *function)
{
	u32 i, nr_hooked = 0;

	if (calls->type == CPUPROBE_NODE_SYSCALL)
		return hook_syscalls(calls);
	for (i = 0; i < calls->nr; i++) {
		if (function[i].state == CPUPROBE_FUNCTION_HOOKED)
			function[i].state = hook_function(calls, i, function[i].address);
		nr_hooked += function[i].state == CPUPROBE_FUNCTION_HOOKED;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return nr_hooked;
}

void timed_calls_begin(struct timed_calls *calls)
{
	gate_open(&calls->timing.gate, &calls->timing.cpu->gate);
}

static void unhook_functions(struct timed_calls *calls)
{
	u32 all = calls->nr + OWN_FUNCTIONS, nr = 0, i;
	struct kretprobe **hooked = kvmalloc_array(all, sizeof(*hooked), GFP_KERNEL | __GFP_NOWARN);

	for (i = 0; calls->function && i < all; i++) {
		if (!calls->function[i].is_hooked)
			continue;
		/* All at once waits for the CPUs once. Without memory each one waits. */
		if (hooked)
			hooked[nr++] = &calls->function[i].probe;
		else
			unregister_kretprobe(&calls->function[i].probe);
		calls->function[i].is_hooked = false;
	}
	if (nr)
		unregister_kretprobes(hooked, nr);
	kvfree(hooked);
}

void timed_calls_detach(struct timed_calls *calls)
{
	if (calls->sees_begin)
		tracepoints_unregister("sys_enter", on_sys_enter, &calls->timing);
	if (calls->sees_end)
		tracepoints_unregister("sys_exit", on_sys_exit, &calls->timing);
	calls->sees_begin = calls->sees_end = false;
	unhook_functions(calls);
	timing_unwatch(&calls->timing);
}

void timed_calls_free(struct timed_calls *calls)
{
	timing_free(&calls->timing);
	vfree(calls->function);
	calls->function = NULL;
}
