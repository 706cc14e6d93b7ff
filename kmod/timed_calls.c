// SPDX-License-Identifier: GPL-2.0-only
/* Hooks that time calls: see timed_calls.h. */
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "rounds.h"
#include "syscalls.h"
#include "timed_calls.h"
#include "tracepoints.h"

static int notrace on_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct hooked_function *function = returns_function(instance);
	struct open_call *call = (struct open_call *)instance->data;
	struct timing *timing;

	if (unlikely(!function))
		return 1;
	timing = function->owner;
	if (!gate_is_open(&timing->gate))
		return 1;
	return !timing_begin(timing, call, CPUPROBE_NODE_FUNCTION, function->number);
}

static int notrace on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct hooked_function *function = returns_function(instance);
	struct open_call *call = (struct open_call *)instance->data;
	struct timing *timing;
	bool was_busy;

	if (unlikely(!function))
		return 0;
	timing = function->owner;
	was_busy = returns_enter();
	if (gate_is_open(&timing->gate))
		timing_end(timing, call);
	returns_leave(was_busy);
	return 0;
}

static void notrace on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	struct timing *timing = data;

	/* Its end finds no open system call. */
	if (is_uprobe_syscall(id))
		return;
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

/* Returns the state of the function; -ENOMEM. */
static int add_function(struct timed_calls *calls, u32 number, unsigned long address)
{
	return returns_add(&calls->returns, number, address, &calls->timing, on_entry, on_return);
}

/* The tracepoint of the beginning comes last: a call whose end is not seen would stay open. */
static int hook_syscalls(struct timed_calls *calls)
{
	int error;

	/* These only check types, at compile time. */
	check_trace_callback_type_sys_enter(on_sys_enter);
	check_trace_callback_type_sys_exit(on_sys_exit);
	error = tracepoints_register("sys_exit", on_sys_exit, &calls->timing);
	calls->sees_end = !error;
	if (!error)
		error = tracepoints_register("sys_enter", on_sys_enter, &calls->timing);
	calls->sees_begin = !error;
	if (error)
		return error == -ENOMEM ? error : -ENODEV;
	return 1;
}

/* Hook the functions that timing_measure() calls. */
static int hook_own(struct timed_calls *calls)
{
	int error = 0;
	u32 i;

	for (i = 0; i < OWN_FUNCTIONS && !error; i++)
		error = add_function(calls, calls->nr + i, timing_own(i));
	return error ?: returns_arm(&calls->returns);
}

static int unhook_own(struct timed_calls *calls)
{
	int error = 0;
	u32 i;

	for (i = 0; i < OWN_FUNCTIONS && !error; i++)
		error = returns_disarm(&calls->returns, calls->nr + i);
	return error;
}

/* Measure the cost of a call, after rounds_begin(). */
static int measure(struct timed_calls *calls)
{
	int error = 0;

	if (calls->type == CPUPROBE_NODE_FUNCTION)
		error = hook_own(calls);
	if (!error)
		error = timing_watch(&calls->timing);
	if (!error)
		error = timing_measure(calls);
	else if (error != -ENOMEM)
		error = -ENODEV;
	if (calls->type == CPUPROBE_NODE_FUNCTION)
		error = unhook_own(calls) ?: error;
	return error;
}

int timed_calls_prepare(struct timed_calls *calls, u32 flags, u32 nr, u64 table_bytes)
{
	int error;

	calls->nr = nr;
	calls->type = flags & CPUPROBE_CALLS_SYSCALLS ? CPUPROBE_NODE_SYSCALL :
		CPUPROBE_NODE_FUNCTION;
	gate_prepare(&calls->timing.gate);
	timing_choose(&calls->timing, flags);
	error = timing_allocate(&calls->timing, table_bytes, nr, OWN_FUNCTIONS);
	if (error)
		return error;
	error = returns_allocate(&calls->returns, &calls->timing.gate, nr + OWN_FUNCTIONS, sizeof(struct open_call));
	if (error)
		return error;
	error = rounds_begin();
	if (error)
		return error;
	error = measure(calls);
	rounds_end();
	return error;
}

int timed_calls_attach(struct timed_calls *calls, struct cpuprobe_function *function)
{
	u32 i, nr_hooked = 0;
	int state;

	if (calls->type == CPUPROBE_NODE_SYSCALL)
		return hook_syscalls(calls);
	for (i = 0; i < calls->nr; i++) {
		state = function[i].state;
		if (state == CPUPROBE_FUNCTION_HOOKED)
			state = add_function(calls, i, function[i].address);
		if (state < 0)
			return state;
		function[i].state = state;
		nr_hooked += state == CPUPROBE_FUNCTION_HOOKED;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return returns_arm(&calls->returns) ?: nr_hooked;
}

void timed_calls_begin(struct timed_calls *calls)
{
	gate_open(&calls->timing.gate, &calls->timing.cpu->gate);
}

void timed_calls_detach(struct timed_calls *calls)
{
	if (calls->sees_begin)
		tracepoints_unregister("sys_enter", on_sys_enter, &calls->timing);
	if (calls->sees_end)
		tracepoints_unregister("sys_exit", on_sys_exit, &calls->timing);
	calls->sees_begin = calls->sees_end = false;
	returns_unhook(&calls->returns);
	timing_unwatch(&calls->timing);
}

void timed_calls_free(struct timed_calls *calls)
{
	timing_free(&calls->timing);
	returns_free(&calls->returns);
}
