/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks at the beginning and at the end of each call of many functions.
 *
 * A kretprobe that is armed by itself rewrites the filter of kprobes, and then ftrace looks at every
 * function of the kernel: with hundreds of functions that takes seconds. So kretprobes are registered as
 * disabled. They check functions, keep memory for open calls and hook returns; but an ftrace_ops of ours
 * finds the beginnings of all functions, and hands each to the handler of its kretprobe. ftrace changes the
 * text once for all.
 *
 * As with kprobes, a call that begins while a handler runs on the same CPU is missed, and counted as missed.
 */
#ifndef CPUPROBE_RETURNS_H
#define CPUPROBE_RETURNS_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "cpuprobe.h"

struct gate;

/** A hooked function. */
struct hooked_function {
	struct kretprobe probe;
	atomic_long_t missed;	/* calls that began while a handler ran; @probe counts those without memory */
	void *owner;
	u32 number;
	bool is_added;
	bool is_armed;
	bool is_disarmed;	/* for good */
};

/** Hooks, and memory for calls that run at the same time. */
struct returns {
	struct ftrace_ops ops;
	const struct gate *gate;
	struct hooked_function *function;
	struct hooked_function **place;	/* a hash table by address; at least half of it is empty */
	u32 place_bits;
	u32 nr;
	u32 data_bytes;		/* memory of the handlers' own for each call */
	bool is_attached;
	bool was_switched_off;	/* see returns_were_switched_off() */
};

/** A handler of any session runs on this CPU. */
DECLARE_PER_CPU(bool, returns_busy);

/** returns_memory() - bytes of the hooks of @nr functions, at most, with what the kernel allocates for them. */
u64 returns_memory(u32 nr, u32 data_bytes);

/**
 * returns_allocate() - allocate room for @nr functions. May sleep. -ENOMEM.
 * @gate: of the owner; a call that begins while it is closed is not missed
 * @data_bytes: memory of the handlers' own for each call: instance->data
 */
int returns_allocate(struct returns *returns, const struct gate *gate, u32 nr, u32 data_bytes);

/**
 * returns_add() - prepare the hook of a function, which returns_arm() puts in place. May sleep.
 * @number: from 0 to the number of functions; the function's place, and its number
 * @owner: for the handlers
 * @on_return: calls returns_enter() and returns_leave()
 * Returns its enum cpuprobe_function_state, _HOOKED (0) or _UNTIMED; -ENOMEM.
 */
int returns_add(struct returns *returns, u32 number, unsigned long address, void *owner,
		kretprobe_handler_t on_entry, kretprobe_handler_t on_return);

/**
 * returns_arm() - put all hooks in place that have been added. Keeps ftrace from being switched off.
 * Interrupts every CPU. May sleep long. -ENODEV: ftrace is off; -ENOMEM.
 */
int returns_arm(struct returns *returns);

/**
 * returns_disarm() - take one hook out of its place for good. Interrupts every CPU. May sleep. -ENOMEM.
 */
int returns_disarm(struct returns *returns, u32 number);

/**
 * returns_were_switched_off() - whether hooks have been found out of place since they were armed, so that calls are
 * missing: somebody has switched off all kprobes, where kprobes do without ftrace. Looks at each function, and so does
 * returns_unhook(). May sleep.
 */
bool returns_were_switched_off(struct returns *returns);

/** returns_unhook() - remove all hooks, and wait until no CPU runs a handler. May sleep long. */
void returns_unhook(struct returns *returns);

/** returns_free() - free the memory. No hook may be in place. May sleep. */
void returns_free(struct returns *returns);

/** returns_missed() - calls of a function that its hook has missed, on all CPUs and by any task. */
u64 returns_missed(const struct returns *returns, u32 number);

/**
 * returns_function() - the function whose call a handler handles. NULL, on kernels without rethook: returns_unhook() is
 * removing its hook. The gate has been closed before that, so the call is not counted: one that returns stays open, as
 * do all that return after the end.
 */
static __always_inline struct hooked_function *returns_function(struct kretprobe_instance *instance)
{
	struct kretprobe *probe = get_kretprobe(instance);

	return likely(probe) ? container_of(probe, struct hooked_function, probe) : NULL;
}

/** returns_enter() - begin a handler of a return. Preemption off. The result is for returns_leave(). */
static __always_inline bool returns_enter(void)
{
	/* The return of irq_exit_rcu() may come while a handler of the interrupted task runs. */
	bool was_busy = this_cpu_read(returns_busy);

	this_cpu_write(returns_busy, true);
	return was_busy;
}

/** returns_leave() - end a handler of a return. */
static __always_inline void returns_leave(bool was_busy)
{
	this_cpu_write(returns_busy, was_busy);
}

#endif
