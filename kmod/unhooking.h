/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of sessions with hooks. A session ends at once; a worker removes its hooks, which waits for
 * every CPU, and then lets go of its memory. Unloading the module waits for that worker, which takes no
 * lock of the sessions'.
 */
#ifndef CPUPROBE_UNHOOKING_H
#define CPUPROBE_UNHOOKING_H

#include <linux/irq_work.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>

#include "cpuprobe.h"
#include "session.h"

/** Part of memory that lives until the session is closed and the hooks are removed. */
struct unhooking {
	refcount_t users;		/* the session, and the hooks in place */
	struct work_struct work;
	struct irq_work over;		/* queued by handlers that end the session */
	/* remove all hooks and wait for CPUs; may sleep long */
	void (*detach)(struct unhooking *unhooking);
	/* free everything; may sleep */
	void (*free)(struct unhooking *unhooking);
};

#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_KRETPROBES)

/** unhooking_setup() - make the worker. Module load. 0 or -ENOMEM. */
int unhooking_setup(void);

/** unhooking_teardown() - wait until all hooks are removed. Module unload. May sleep long. */
void unhooking_teardown(void);

#else

static inline int unhooking_setup(void)
{
	return 0;
}

static inline void unhooking_teardown(void)
{
}

#endif

/** unhooking_init() - begin the life of memory with one user; @detach and @free are set. */
void unhooking_init(struct unhooking *unhooking);

/** unhooking_put() - one user less; the last one frees it. May sleep. */
void unhooking_put(struct unhooking *unhooking);

/** unhooking_queue() - let the worker remove the hooks. Once; it puts one user. Any context but NMI. */
void unhooking_queue(struct unhooking *unhooking);

/**
 * unhooking_await() - wait for the hooks of earlier sessions: removing them holds ftrace's lock, and
 * adding some would wait for it, perhaps for ever. May sleep seconds. -EINTR; -EBUSY: they are still
 * there.
 */
int unhooking_await(void);

/**
 * unhooking_claim() - claim a budget for a session with hooks. May sleep.
 * @budget_ppm: 0: half of what is left; set to the budget
 * -EBUSY with reason, holder and what is in use in @start.
 */
int unhooking_claim(struct session *session, u32 *budget_ppm, struct cpuprobe_start *start);

#endif
