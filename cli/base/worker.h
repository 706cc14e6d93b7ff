/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread that does a piece of work again and again, each time under a lock. */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "types.h"

struct worker {
	pthread_mutex_t lock;	/* of the owner's data: others take it with worker_lock() */
	pthread_t thread;
	u64 (*work)(void *context);
	void *context;
	bool has_thread;
	u32 nr_calls;		/* of worker_wake() and worker_end(): a futex that the thread waits at */
	bool is_ending;
	bool is_background;	/* the thread keeps the process's priority; set it before worker_start() */
};

/** worker_init() - no thread yet. worker_deinit() must follow. */
void worker_init(struct worker *worker);

/**
 * worker_start() - start the thread. It has a higher priority if the user may raise it, unless @is_background, and
 * gets no signals.
 * @work: under the lock; returns the nanosecond of CLOCK_MONOTONIC at which it runs again
 * Returns 0 or -errno.
 */
int worker_start(struct worker *worker, u64 (*work)(void *context), void *context);

/** worker_wake() - let the thread work again as soon as it can. Any thread, with or without the lock. */
void worker_wake(struct worker *worker);

/** worker_end() - end the thread and wait for it, without the lock. May be called in any state, also twice. */
void worker_end(struct worker *worker);

/** worker_deinit() - free what worker_init() made, after worker_end(). */
void worker_deinit(struct worker *worker);

static inline void worker_lock(struct worker *worker)
{
	pthread_mutex_lock(&worker->lock);
}

static inline void worker_unlock(struct worker *worker)
{
	pthread_mutex_unlock(&worker->lock);
}

/** worker_create_thread() - pthread_create() of a thread that gets no signals: they are for the one that measures. */
int worker_create_thread(pthread_t *thread_ret, void *(*run)(void *context), void *context);

#endif
