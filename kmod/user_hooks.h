/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Uprobes on many functions of programs and libraries: hooks at the beginning and at the end of each
 * call. The kernel writes breakpoints into the memory of the processes that a filter takes, also when
 * they map the file later.
 */
#ifndef CPUPROBE_USER_HOOKS_H
#define CPUPROBE_USER_HOOKS_H

#include "compat.h"
#include "cpuprobe.h"

/** A hooked function. */
struct user_hook {
	struct uprobe_consumer consumer;
	struct compat_uprobe place;
	struct file *file;	/* a reference; NULL: not used yet */
	void *owner;
	u32 number;
	bool is_hooked;
};

struct user_hooks {
	struct user_hook *function;
	u32 nr;
};

/** user_hooks_allocate() - allocate room for @nr functions. May sleep. -ENOMEM. */
int user_hooks_allocate(struct user_hooks *hooks, u32 nr);

/**
 * user_hooks_get() - get the file of a function, which the session then keeps. May sleep.
 * -EBADF: @fd is no regular file that is open for reading, or its file system forbids execution.
 */
int user_hooks_get(struct user_hooks *hooks, u32 at, int fd);

/**
 * user_hooks_hook() - hook a function whose file is known. May sleep long.
 * @at: from 0 to the number of functions
 * @like: its handlers, its owner and its number
 * Returns its enum cpuprobe_function_state, _HOOKED (0) or _REFUSED; -ENOMEM.
 */
int user_hooks_hook(struct user_hooks *hooks, u32 at, u64 offset, const struct user_hook *like);

/** user_hooks_unhook() - remove all hooks, and wait until no handler runs. May sleep long. */
void user_hooks_unhook(struct user_hooks *hooks);

/** user_hooks_free() - let go of files and memory. No hook may be in place. May sleep. */
void user_hooks_free(struct user_hooks *hooks);

/** user_hooks_of() - the function whose call a handler handles. */
static __always_inline struct user_hook *user_hooks_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct user_hook, consumer);
}

#endif
