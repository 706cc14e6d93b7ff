/* SPDX-License-Identifier: GPL-2.0-only */
/* Kretprobes on many functions: hooks at the beginning and at the end of each call. */
#ifndef CPUPROBE_RETURNS_H
#define CPUPROBE_RETURNS_H

#include <linux/kprobes.h>

#include "cpuprobe.h"

/** A hooked function. */
struct hooked_function {
	struct kretprobe probe;
	void *owner;
	u32 number;
	bool is_hooked;
};

/** Hooks, and memory for calls that run at the same time. */
struct returns {
	struct hooked_function *function;
	u32 nr;
	u32 data_bytes;		/* memory of the handlers' own for each call */
};

/**
 * returns_allocate() - allocate room for @nr functions. May sleep. -ENOMEM.
 * @data_bytes: memory of the handlers' own for each call: instance->data
 */
int returns_allocate(struct returns *returns, u32 nr, u32 data_bytes);

/**
 * returns_hook() - hook a function. Interrupts every CPU. May sleep.
 * @number: from 0 to the number of functions; the function's place, and its number
 * @owner: for the handlers
 * Returns its enum cpuprobe_function_state, _HOOKED (0) or _UNTIMED; -ENOMEM.
 */
int returns_hook(struct returns *returns, u32 number, unsigned long address, void *owner,
		 kretprobe_handler_t on_entry, kretprobe_handler_t on_return);

/** returns_unhook() - remove all hooks, and wait until no CPU runs a handler. May sleep long. */
void returns_unhook(struct returns *returns);

/** returns_free() - free the memory. No hook may be in place. May sleep. */
void returns_free(struct returns *returns);

/** returns_missed() - calls of a function that its hook has missed, on all CPUs. */
u64 returns_missed(const struct returns *returns, u32 number);

/** returns_function() - the function whose call a handler handles. */
static __always_inline struct hooked_function *returns_function(struct kretprobe_instance *instance)
{
	return container_of(get_kretprobe(instance), struct hooked_function, probe);
}

#endif
